// mbsbench_evaluation_cost: what one evaluation costs, by Google Benchmark. From unit quaternions and
// rates of every joint to all joint accelerations (a DAE: its residual, and residual with Jacobian; a
// time stepper: a step). "accelerations-and-reactions" also gives the forces and moments of all joints in inertial axes, for
// methods whose equations contain them; "observation" gives these and the motion of all bodies, and may allocate. Two states alternate.
//
// Per line, each the least over repetitions:
//   ns_per_body          CPU time of one evaluation per body
//   multiple_of_peak_time   ns_per_body in units of 546 operations at the core's scalar peak, which is
//                        measured with it: the time of an articulated-body sweep over ball joints
//                        without any stall. The goal for linear methods is 1.7.
//   work_bytes_per_body  memory that an evaluation writes to, without its result; from 1,000 bodies on,
//                        because it is counted in pages
//   operations_per_body  multiplications, additions, divisions and square roots, if a method counts them
//   error                of the evaluation against 113 bits, up to 1,023 bodies
// "batched" evaluates several states at once, one per SIMD lane; its times are per state. Methods that
// offer several threads are shown with them on the trees, by the wall clock and not by CPU time.
#include <benchmark/benchmark.h>
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstring>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "harness/control_kernel.h"
#include "harness/evaluation_cost/written_memory.h"
#include "harness/plugins/plugins.h"
#include "harness/runner/trials/acceleration_trial.h"
#include "harness/runner/trials/agreement.h"
#include "harness/runner/trials/evaluation_kernel.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"
#include "problems/model/error.h"

namespace mbsbench {
namespace {

// A plain articulated-body sweep takes 300 multiplications, 245 additions and a division per ball-joint body.
constexpr double kOperationsPerBallBody = 546;
constexpr std::size_t kMostBodiesJudged = 1023, kLeastBodiesForPages = 1000;
// Batches of larger systems would take gigabytes.
constexpr int kMostBodiesBatched = 200'000;
// A size is left out if the previous size predicts that one evaluation takes longer than this.
constexpr double kMostSeconds = 0.5;
constexpr int kRepetitions = 5;
constexpr double kRepetitionSeconds = 0.02;
constexpr std::uint64_t kSeed = 1;

struct Family {
  const char* name;
  std::vector<int> sizes;
};
const std::vector<Family> kFamilies{{"chainN3d", {10, 100, 1'000, 10'000, 100'000, 1'000'000}},
                                    {"revoluteN", {10, 100, 1'000, 10'000, 100'000}},
                                    {"treeN", {15, 127, 1'023, 8'191, 131'071}},
                                    {"branchN", {12, 100, 1'000, 10'000, 100'000}}};

struct Case {
  std::string family;
  int bodies = 0;
  std::string method;
  enum class Kind { kEvaluation, kObservation, kBatch };
  Kind kind = Kind::kEvaluation;
  Evaluated what = Evaluated::kAccelerations;
  bool threads = false;

  std::string problem() const { return fmt::format("{}:bodies={}", family, bodies); }
  std::string label() const {
    if (kind == Kind::kBatch) return "batched";
    std::string label(kind == Kind::kObservation ? "observation" : Name(what));
    std::replace(label.begin(), label.end(), ' ', '-');
    return label;
  }
  std::string name() const { return fmt::format("{}/{}/{}", problem(), method, label()); }
  // Cases that differ in size only.
  std::string series() const { return fmt::format("{}/{}/{}", family, method, label()); }
};

// A prepared case, which the benchmark runs several times.
struct Subject {
  std::string name, refusal;
  PreparedCell cell;
  std::unique_ptr<EvaluationKernel> kernel;
  std::optional<BatchKernel> batch;
  Observation observation;
  double work_bytes = NAN, error = NAN, operations = NAN;
};

class Bench {
 public:
  explicit Bench(std::vector<MethodEntry> methods) : methods_(std::move(methods)) {}

  // Adds what methods cannot solve to `unsupported`.
  std::vector<Case> Cases(std::vector<std::string>& unsupported) const {
    std::vector<Case> cases;
    for (const Family& family : kFamilies) {
      std::vector<MethodChoice> choices;
      const Problem smallest = MakeProblem(Case{family.name, family.sizes.front(), ""}.problem());
      for (const MethodEntry& entry : methods_) {
        for (const MethodChoice& choice : VariantsOf(entry)) {
          if (choice.form() == Form::kAlgebraic) continue;
          if (Supports(choice, smallest.system, "").supported) {
            choices.push_back(choice);
          } else {
            unsupported.push_back(choice.spec + " on " + family.name);
          }
        }
      }
      for (int bodies : family.sizes) {
        for (const MethodChoice& choice : choices) {
          for (Evaluated what : EvaluationsOf(choice.form())) {
            cases.push_back({family.name, bodies, choice.spec, Case::Kind::kEvaluation, what});
          }
          if (choice.form() == Form::kOde) {
            cases.push_back({family.name, bodies, choice.spec, Case::Kind::kEvaluation,
                             Evaluated::kAccelerationsAndReactions});
          }
          cases.push_back({family.name, bodies, choice.spec, Case::Kind::kObservation});
          if (choice.entry->prepare_batch && bodies <= kMostBodiesBatched) {
            cases.push_back({family.name, bodies, choice.spec, Case::Kind::kBatch});
          }
        }
        if (std::strcmp(family.name, "treeN") != 0) continue;
        for (const MethodEntry& entry : methods_) {
          for (const MethodOption& option : entry.options) {
            if (option.group != "threads") continue;
            cases.push_back({family.name, bodies, entry.key + ":" + option.name,
                             Case::Kind::kEvaluation, Evaluated::kAccelerations, true});
          }
        }
      }
    }
    return cases;
  }

  void Run(const Case& c, benchmark::State& state) {
    Subject& subject = SubjectOf(c);
    if (!subject.refusal.empty()) {
      state.SkipWithError(subject.refusal.c_str());
      return;
    }
    const double peak_before = ScalarGigaflops();
    Status status;
    const auto now = [&c] {
      const std::chrono::duration<double> wall =
          std::chrono::steady_clock::now().time_since_epoch();
      return c.threads ? wall.count() : ProcessCpuSeconds();
    };
    const double start = now();
    for (auto _ : state) {
      const Status s = EvaluateBoth(c.kind, subject);
      if (!s.ok()) status = s;
    }
    const double states = c.kind == Case::Kind::kBatch ? 2.0 * kBatchStates : 2.0;
    const double seconds = (now() - start) / (states * static_cast<double>(state.iterations()));
    if (!status.ok()) {
      state.SkipWithError(status.what);
      return;
    }
    seconds_[c.series()] = {c.bodies, seconds};
    const double peak = 1e9 * std::max(peak_before, ScalarGigaflops());
    const double per_body = seconds / c.bodies;
    state.counters["ns_per_body"] = 1e9 * per_body;
    state.counters["multiple_of_peak_time"] = per_body * peak / kOperationsPerBallBody;
    // All counters on all lines: a CSV has one set of columns. NaN: not measured.
    state.counters["work_bytes_per_body"] = subject.work_bytes / c.bodies;
    state.counters["operations_per_body"] = subject.operations / c.bodies;
    state.counters["error"] = subject.error;
  }

 private:
  // At both states.
  static Status EvaluateBoth(Case::Kind kind, Subject& subject) {
    if (kind == Case::Kind::kEvaluation) {
      subject.kernel->Run(2);
      return subject.kernel->status();
    }
    if (kind == Case::Kind::kBatch) {
      subject.batch->Run(2);
      return subject.batch->status();
    }
    Status status;
    for (std::size_t i : {0u, 1u}) {
      const Status s = subject.kernel->formulation().Observe(
          0, subject.kernel->point(i).y, Detail::kReactions, subject.observation);
      if (!s.ok()) status = s;
    }
    return status;
  }

  Subject& SubjectOf(const Case& c) {
    if (subject_.name == c.name()) return subject_;
    subject_ = {};
    subject_.name = c.name();
    subject_.refusal = Expected(c);
    if (!subject_.refusal.empty()) return subject_;
    try {
      Prepare(c);
    } catch (const std::exception& error) {
      subject_.refusal = error.what();
    }
    return subject_;
  }

  // Why a case would take too long, predicted from the previous size; empty: it would not.
  std::string Expected(const Case& c) const {
    const auto before = seconds_.find(c.series());
    if (before == seconds_.end()) return {};
    const auto& [bodies, seconds] = before->second;
    const double exponent = ChooseMethod(c.method, methods_).cost_exponent();
    const double expected = seconds * std::pow(static_cast<double>(c.bodies) / bodies, exponent);
    if (expected <= kMostSeconds) return {};
    return fmt::format("one evaluation would take about {:.1f} s", expected);
  }

  void Prepare(const Case& c) {
    subject_.cell = PrepareCell({c.problem(), c.method, "", {}, {}, {}}, methods_);
    subject_.kernel = std::make_unique<EvaluationKernel>(subject_.cell, c.what);
    EvaluationKernel& kernel = *subject_.kernel;
    const Problem& problem = subject_.cell.problem;
    if (c.what == Evaluated::kAccelerationsAndReactions && !kernel.equations_contain_reactions()) {
      subject_.refusal = "the equations contain no reactions";
      return;
    }
    if (c.kind == Case::Kind::kBatch && kernel.status().ok()) {
      subject_.batch = BatchKernel::Make(subject_.cell, kernel);
      if (!subject_.batch) {
        subject_.refusal = "this variant evaluates one state at a time";
        return;
      }
    }
    Status status = kernel.status();
    if (status.ok() && c.kind != Case::Kind::kObservation) status = EvaluateBoth(c.kind, subject_);
    if (!status.ok()) {
      subject_.refusal = status.what;
      return;
    }
    const std::size_t bodies = problem.system.bodies.size();
    if (c.kind != Case::Kind::kEvaluation) return;
    // The memory is measured in a copy of the process, which has no copies of the threads.
    if (c.threads) return;
    if (bodies >= kLeastBodiesForPages) {
      if (const auto bytes = BytesWrittenBy([&kernel] { kernel.Run(1); })) {
        const std::size_t result = kernel.result_bytes();
        subject_.work_bytes = static_cast<double>(*bytes) - static_cast<double>(result);
      }
    }
    if (c.what == Evaluated::kResidual || c.what == Evaluated::kAccelerationsAndReactions) return;
    const MethodChoice& method = subject_.cell.method;
    if (const auto& count = method.entry->count_operations; count && bodies <= kMostBodiesJudged) {
      if (const auto n = count(problem.system, method.options, subject_.cell.initial.joints)) {
        subject_.operations =
            static_cast<double>(n->multiplications + n->additions + n->divisions + n->square_roots);
      }
    }
    if (c.what == Evaluated::kAccelerations && bodies <= kMostBodiesJudged) {
      if (truth_of_ != problem.name) {
        truth_ = ReferenceAccelerationTrial(problem, 1, kSeed);
        truth_of_ = problem.name;
      }
      const AgreementRecord agreement =
          Compare({c.method}, {AccelerationTrial(subject_.cell, 1, kSeed)}, truth_);
      subject_.error = agreement.methods[0].error.value_or(NAN);
    }
  }

  std::vector<MethodEntry> methods_;
  // By series: the largest size so far and how long an evaluation took.
  std::map<std::string, std::pair<int, double>> seconds_;
  Subject subject_;
  TrialResult truth_;
  std::string truth_of_;
};

double Least(const std::vector<double>& values) {
  return *std::min_element(values.begin(), values.end());
}

int Main(int argc, char** argv) {
  std::vector<MethodEntry> methods = AllMethods();
  // Our own options are removed from the arguments; the rest is for Google Benchmark.
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--plugin") == 0 && i + 1 < argc) {
      PluginParts parts = LoadPlugin(argv[++i]);
      for (MethodEntry& entry : parts.methods) methods.push_back(std::move(entry));
      for (ProblemFamily& family : parts.problems) AddProblems(std::move(family));
    } else {
      argv[kept++] = argv[i];
    }
  }
  argc = kept;
  argv[argc] = nullptr;
  benchmark::Initialize(&argc, argv);
  if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
  benchmark::AddCustomContext("scalar_peak_gigaflops", fmt::format("{:.2f}", ScalarGigaflops()));
  benchmark::AddCustomContext(
      "note",
      "Debian's libbenchmark announces itself as a debug build (***WARNING*** Library was built as "
      "DEBUG); only its own loop is, the formulations have the flags of this build");
  Bench bench(std::move(methods));
  std::vector<std::string> unsupported;
  const std::vector<Case> cases = bench.Cases(unsupported);
  benchmark::AddCustomContext("unsupported", fmt::format("{}", fmt::join(unsupported, ", ")));
  for (const Case& c : cases) {
    benchmark::RegisterBenchmark(c.name().c_str(),
                                 [&bench, c](benchmark::State& state) { bench.Run(c, state); })
        ->Repetitions(kRepetitions)
        ->MinTime(kRepetitionSeconds)
        ->ComputeStatistics("least", Least)
        ->DisplayAggregatesOnly()
        ->Unit(benchmark::kMicrosecond);
  }
  benchmark::RunSpecifiedBenchmarks();
  return 0;
}

}  // namespace
}  // namespace mbsbench

int main(int argc, char** argv) {
  try {
    return mbsbench::Main(argc, argv);
  } catch (const mbsbench::ModelError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return 2;
  }
}
