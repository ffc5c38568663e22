#include "harness/bench/cases.h"

#include <fmt/format.h>

#include <algorithm>

#include "harness/runner/plan/plan.h"
#include "problems/catalog/catalog.h"
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

// The name of one evaluation; a form without one is solved.
std::string EvaluationOf(const MethodChoice& method) {
  const Form form = method.form();
  return form == Form::kOde ? kAccelerations : form == Form::kDae ? kResidualAndJacobian : kSolve;
}

// A problem on which methods are evaluated, and the end times of short solves by an ODE and a DAE [s]; 0: none.
struct CommonProblem {
  const char* problem;
  double ode = 0, dae = 0;
};
constexpr char kChain[] = "chainN:bodies=10";
constexpr CommonProblem kCommonProblems[] = {
    {kChain}, {"tree12", 0.2, 0.05}, {"fourbar", 0.5, 0.2}};
constexpr double kStepperEnd = 0.02;  // of a solve by a time stepper [s]
// Large systems, for the methods that evaluate batches.
constexpr const char* kLargeProblems[] = {"treeN:bodies=127", "ladder:bodies=200,loops=50"};
constexpr char kDriven[] = "governor";  // for steady states

// The variants of the methods of that origin that support the system: the default ones, or all.
std::vector<MethodChoice> VariantsFor(const System& system, Origin origin, bool all,
                                      const std::vector<MethodEntry>& methods) {
  std::vector<MethodChoice> variants;
  for (const MethodEntry& entry : methods) {
    if (entry.origin != origin) continue;
    for (const MethodChoice& variant : VariantsOf(entry)) {
      if ((all || IsDefaultVariant(variant)) && Supports(variant, system, "").supported)
        variants.push_back(variant);
    }
  }
  return variants;
}

void AddCases(const CommonProblem& common, bool is_tree, const MethodChoice& method,
              std::vector<BenchCase>& cases) {
  const bool is_dae = method.form() == Form::kDae;
  if (method.form() == Form::kAlgebraic) return;
  if (method.form() == Form::kTimeStepper) {
    if (common.ode == 0) cases.push_back({common.problem, method.spec, kSolve, kStepperEnd});
    return;
  }
  cases.push_back({common.problem, method.spec, EvaluationOf(method)});
  const bool in_batches = method.entry->prepare_batch && IsDefaultVariant(method);
  if (common.ode > 0 && (in_batches || is_dae))
    cases.push_back({common.problem, method.spec, kSolve, is_dae ? common.dae : common.ode});
  if (!in_batches || !is_tree) return;
  for (const char* what : {kAccelerationsAndReactions, kBatch})
    cases.push_back({common.problem, method.spec, what});
}

}  // namespace

std::vector<BenchCase> AllBenchCases(const std::vector<MethodEntry>& methods) {
  std::vector<BenchCase> cases;
  for (const CommonProblem& common : kCommonProblems) {
    const System system = MakeProblem(common.problem).system;
    for (const MethodChoice& method :
         VariantsFor(system, Origin::kOurs, common.problem == std::string(kChain), methods))
      AddCases(common, system.loop_joints.empty(), method, cases);
  }
  for (const char* problem : kLargeProblems) {
    for (const MethodChoice& method :
         VariantsFor(MakeProblem(problem).system, Origin::kOurs, false, methods))
      if (method.entry->prepare_batch) cases.push_back({problem, method.spec, kAccelerations});
  }
  for (const MethodChoice& method :
       VariantsFor(MakeProblem(kDriven).system, Origin::kOurs, false, methods))
    if (method.form() == Form::kAlgebraic) cases.push_back({kDriven, method.spec, kSolve});
  return cases;
}

std::string BenchCase::Name() const { return problem + " " + method + " " + what; }

namespace {

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

// Each variant of a plug-in's methods is evaluated, or solved, on every problem of our own cases and on the pendulum.
std::vector<BenchCase> PlugInCases(const std::vector<MethodEntry>& methods) {
  if (std::ranges::find(methods, Origin::kPlugIn, &MethodEntry::origin) == methods.end()) return {};
  std::vector<std::string> problems{"pendulum"};
  for (const CommonProblem& common : kCommonProblems) problems.emplace_back(common.problem);
  problems.insert(problems.end(), std::begin(kLargeProblems), std::end(kLargeProblems));
  problems.emplace_back(kDriven);
  std::vector<BenchCase> cases;
  for (const std::string& name : problems) {
    const Problem problem = LoadProblem(name);
    for (const MethodChoice& method : VariantsFor(problem.system, Origin::kPlugIn, true, methods))
      cases.push_back(CaseOf(problem, method, EvaluationOf(method)));
  }
  return cases;
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
  std::vector<BenchCase> all = AllBenchCases(methods);
  for (BenchCase& c : PlugInCases(methods)) all.push_back(std::move(c));
  std::vector<BenchCase> chosen;
  for (const BenchCase& c : all) {
    const auto matches = [&c](const std::string& glob) { return MatchesGlob(glob, c.Name()); };
    if (wish.patterns.empty() || std::ranges::any_of(wish.patterns, matches)) chosen.push_back(c);
  }
  if (chosen.empty() && !wish.patterns.empty()) {
    throw ModelError(fmt::format("no benchmark matches '{}': 'mbsbench bench --list' shows all.",
                                 fmt::join(wish.patterns, "', '")));
  }
  if (chosen.empty()) {
    throw ModelError(
        "none of the methods here supports a problem of the benchmarks: give --problem and "
        "--method.");
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
