#include "harness/bench/cases.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/runner/plan/plan.h"
#include "problems/io/model_file.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

constexpr char kAccelerations[] = "accelerations",
               kAccelerationsAndReactions[] = "accelerations and reactions",
               kBatch[] = "batch of accelerations",
               kResidualAndJacobian[] = "residual and Jacobian", kSolve[] = "solve";
constexpr double kSolveTolerance = 1e-8;
// End time of a "solve" that the user chose, relative to the problem's.
constexpr double kSolveSeconds = 0.1;

}  // namespace

const std::vector<BenchCase>& AllBenchCases() {
  // Every method on a chain, a tree and, if it supports them, loops; and solves of some milliseconds,
  // which include projections, factorisations and Newton's iteration.
  static const std::vector<BenchCase> cases{
      {"chainN:bodies=10", "riccati-mstmm:general", kAccelerations},
      {"chainN:bodies=10", "riccati-mstmm:paper", kAccelerations},
      {"chainN:bodies=10", "classical-mstmm:general", kAccelerations},
      {"chainN:bodies=10", "articulated-body", kAccelerations},
      {"chainN:bodies=10", "composite-body:delassus", kAccelerations},
      {"chainN:bodies=10", "kane-huston:general", kAccelerations},
      {"chainN:bodies=10", "equivalent-particles:index1", kAccelerations},
      {"chainN:bodies=10", "cartesian-dae:ggl", kResidualAndJacobian},
      {"chainN:bodies=10", "equivalent-particles:ggl", kResidualAndJacobian},
      {"tree12", "riccati-mstmm:general", kAccelerations},
      {"tree12", "classical-mstmm:general", kAccelerations},
      {"tree12", "articulated-body", kAccelerations},
      {"treeN:bodies=127", "articulated-body", kAccelerations},
      {"tree12", "composite-body:delassus", kAccelerations},
      {"tree12", "kane-huston:general", kAccelerations},
      {"tree12", "equivalent-particles:index1", kAccelerations},
      {"tree12", "cartesian-dae:ggl", kResidualAndJacobian},
      {"fourbar", "riccati-mstmm:general", kAccelerations},
      {"fourbar", "classical-mstmm:general", kAccelerations},
      {"fourbar", "articulated-body", kAccelerations},
      {"fourbar", "composite-body:delassus", kAccelerations},
      {"fourbar", "equivalent-particles:index1", kAccelerations},
      {"fourbar", "cartesian-dae:ggl", kResidualAndJacobian},
      {"ladder:bodies=200,loops=50", "riccati-mstmm:general", kAccelerations},
      {"ladder:bodies=200,loops=50", "articulated-body", kAccelerations},
      {"tree12", "riccati-mstmm:general", kSolve, 0.2},
      {"tree12", "articulated-body", kSolve, 0.2},
      {"tree12", "cartesian-dae:ggl", kSolve, 0.05},
      {"fourbar", "riccati-mstmm:general", kSolve, 0.5},
      {"fourbar", "articulated-body", kSolve, 0.5},
      {"fourbar", "cartesian-dae:ggl", kSolve, 0.2},
      {"chainN:bodies=10", "variational", kSolve, 0.02},
      {"governor", "steady-state-newton", kSolve},
      {"chainN:bodies=10", "riccati-mstmm:general", kAccelerationsAndReactions},
      {"chainN:bodies=10", "articulated-body", kAccelerationsAndReactions},
      {"tree12", "riccati-mstmm:general", kAccelerationsAndReactions},
      {"tree12", "articulated-body", kAccelerationsAndReactions},
      {"chainN:bodies=10", "riccati-mstmm:general", kBatch},
      {"chainN:bodies=10", "articulated-body", kBatch},
      {"tree12", "riccati-mstmm:general", kBatch},
      {"tree12", "articulated-body", kBatch},
  };
  return cases;
}

std::string BenchCase::Name() const { return problem + " " + method + " " + what; }

namespace {

// The name of one evaluation; a form without one is solved.
std::string EvaluationOf(const MethodChoice& method) {
  switch (method.form()) {
    case Form::kOde: return kAccelerations;
    case Form::kDae: return kResidualAndJacobian;
    case Form::kTimeStepper:
    case Form::kAlgebraic: return kSolve;
  }
  return kSolve;
}

// `what` is one of the method's.
BenchCase CaseOf(const Problem& problem, const MethodChoice& method, const std::string& what) {
  BenchCase c{problem.name, method.spec, what};
  if (what == kSolve && method.form() != Form::kAlgebraic)
    c.end_time = kSolveSeconds * problem.end_time;
  return c;
}

BenchCase OwnCase(const BenchWish& wish, const Problem& problem, const std::string& spec,
                  const std::vector<MethodEntry>& methods) {
  const MethodChoice method = ChooseMethod(spec, methods);
  const std::string evaluation = EvaluationOf(method);
  const std::string what = wish.what.empty() ? evaluation : wish.what;
  std::vector<std::string> offered{evaluation};
  if (evaluation == kAccelerations) offered.push_back(kAccelerationsAndReactions);
  if (method.entry->prepare_batch) offered.push_back(kBatch);
  if (evaluation != kSolve) offered.push_back(kSolve);
  if (std::find(offered.begin(), offered.end(), what) == offered.end()) {
    throw ModelError(fmt::format("--what is '{}': method '{}' has '{}'.", what, method.spec,
                                 fmt::join(offered, "', '")));
  }
  if (const Verdict verdict = Supports(method, problem.system, ""); !verdict.supported) {
    throw ModelError("method '" + method.spec + "' does not support problem '" + problem.name +
                     "': " + verdict.reason);
  }
  BenchCase own = CaseOf(problem, method, what);
  own.model_file = ModelFileOf(wish.problem);
  return own;
}

// Loaded plug-ins are benched with our own methods.
std::vector<BenchCase> PlugInCases(const std::vector<MethodEntry>& methods) {
  std::vector<std::string> problems{"pendulum"};
  for (const BenchCase& c : AllBenchCases()) {
    if (std::find(problems.begin(), problems.end(), c.problem) == problems.end())
      problems.push_back(c.problem);
  }
  std::vector<BenchCase> cases;
  for (const MethodEntry& entry : methods) {
    if (entry.origin != Origin::kPlugIn) continue;
    for (const MethodChoice& method : VariantsOf(entry)) {
      for (const std::string& name : problems) {
        const Problem problem = LoadProblem(name);
        if (Supports(method, problem.system, "").supported)
          cases.push_back(CaseOf(problem, method, EvaluationOf(method)));
      }
    }
  }
  return cases;
}

bool IsKnown(const std::string& spec, const std::vector<MethodEntry>& methods) {
  const std::string key = spec.substr(0, spec.find(':'));
  return std::any_of(methods.begin(), methods.end(),
                     [&key](const MethodEntry& entry) { return entry.key == key; });
}

}  // namespace

std::vector<BenchCase> ChooseBenchCases(const BenchWish& wish,
                                        const std::vector<MethodEntry>& methods) {
  if (!wish.what.empty() && wish.problem.empty())
    throw ModelError("--what is for a case of your own: give --problem and --method.");
  if (!wish.problem.empty() || !wish.methods.empty()) {
    std::optional<Problem> problem;  // loaded first, so that a mistyped name is reported first
    if (!wish.problem.empty()) problem = LoadProblem(wish.problem);
    if (!problem || wish.methods.empty() || !wish.patterns.empty())
      throw ModelError("a case of your own is a --problem with its --method, without --case.");
    std::vector<BenchCase> own;
    for (const std::string& spec : wish.methods)
      own.push_back(OwnCase(wish, *problem, spec, methods));
    return own;
  }
  std::vector<BenchCase> all;
  for (const BenchCase& c : AllBenchCases())
    if (IsKnown(c.method, methods)) all.push_back(c);
  for (BenchCase& c : PlugInCases(methods)) all.push_back(std::move(c));
  std::vector<BenchCase> chosen;
  for (const BenchCase& c : all) {
    const bool wanted =
        wish.patterns.empty() ||
        std::any_of(wish.patterns.begin(), wish.patterns.end(),
                    [&c](const std::string& pattern) { return MatchesGlob(pattern, c.Name()); });
    if (wanted) chosen.push_back(c);
  }
  if (chosen.empty() && !wish.patterns.empty()) {
    throw ModelError(fmt::format("no benchmark matches '{}': 'mbsbench bench --list' shows all.",
                                 fmt::join(wish.patterns, "', '")));
  }
  if (chosen.empty()) {
    throw ModelError(
        "none of the methods here is on the list of benchmarks: give --problem and --method.");
  }
  return chosen;
}

Problem ProblemOf(const BenchCase& c) {
  return ProblemOf(Cell{{.problem = c.problem}, c.model_file});
}

Cell CellOf(const BenchCase& c, const std::vector<MethodEntry>& methods) {
  if (c.what != kSolve) return {{.problem = c.problem, .method = c.method}, c.model_file};
  const MethodChoice method = ChooseMethod(c.method, methods);
  CellSetting wish;
  if (method.form() != Form::kAlgebraic) wish.end_time = c.end_time;
  if (method.form() == Form::kOde || method.form() == Form::kDae) wish.tolerance = kSolveTolerance;
  return CompleteCell(ProblemOf(c), method, wish, c.model_file);
}

}  // namespace mbsbench
