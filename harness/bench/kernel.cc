#include "harness/bench/kernel.h"

#include <benchmark/benchmark.h>

#include <memory>

#include "harness/control_kernel.h"
#include "harness/runner/trials/evaluation_kernel.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

// Two states alternate, so a unit is one evaluation at each. `in_batches`: kBatchStates states at once; each counts.
Kernel Evaluations(const PreparedCell& prepared, Evaluated what, bool in_batches) {
  const auto single = std::make_shared<EvaluationKernel>(prepared, what);
  const auto ending_of = [system = prepared.problem.system](const Status& status) {
    return EndingOf(status, system);
  };
  if (!in_batches)
    return {[single](std::int64_t units) { single->Run(2 * units); },
            [single, ending_of] { return ending_of(single->status()); }, 2};
  std::optional<BatchKernel> made = BatchKernel::Make(prepared, *single);
  if (!made)
    throw ModelError("method '" + prepared.method.spec + "' evaluates one state of problem '" +
                     prepared.problem.name + "' at a time.");
  const auto batch = std::make_shared<BatchKernel>(*std::move(made));
  return {[batch](std::int64_t units) { batch->Run(2 * units); },
          [single, batch, ending_of] {
            return ending_of(single->status().ok() ? batch->status() : single->status());
          },
          2 * static_cast<int>(kBatchStates)};
}

Kernel Solves(const PreparedCell& prepared) {
  struct Solved {
    PreparedCell cell;
    std::unique_ptr<Formulation> formulation = cell.MakeFormulation();
    IntegrationSettings settings = cell.Settings();
    Ending ending = {};
  };
  const auto solved = std::make_shared<Solved>(prepared);
  const auto run = [solved](std::int64_t units) {
    auto& [cell, formulation, settings, ending] = *solved;
    for (std::int64_t i = 0; i < units && ending.outcome == Outcome::kOk; ++i) {
      // An event changes the formulation.
      if (formulation->events() != nullptr) formulation = cell.MakeFormulation();
      ending = Classify(Integrate(*formulation, cell.initial, settings), cell.problem.system);
    }
  };
  return {run, [solved] { return solved->ending; }};
}

}  // namespace

Evaluated EvaluatedIn(const BenchCase& bench_case, const PreparedCell& prepared) {
  if (bench_case.what == Name(Evaluated::kAccelerationsAndReactions))
    return Evaluated::kAccelerationsAndReactions;
  return prepared.method.form() == Form::kOde ? Evaluated::kAccelerations
                                              : Evaluated::kResidualAndJacobian;
}

Kernel MakeKernel(const BenchCase& bench_case, const std::vector<MethodEntry>& methods) {
  const PreparedCell prepared = PrepareCell(CellOf(bench_case, methods), methods);
  if (bench_case.what == "solve") return Solves(prepared);
  return Evaluations(prepared, EvaluatedIn(bench_case, prepared),
                     bench_case.what == "batch of accelerations");
}

Kernel MakeControlKernel() {
  const auto run = [](std::int64_t units) {
    for (std::int64_t i = 0; i < units; ++i) ControlKernelSeconds();
  };
  return {run, [] { return Ending(); }};
}

[[gnu::noinline]] void mbsbench_measured_kernel(const Kernel* kernel, std::int64_t units) {
  kernel->run(units);
  asm volatile("");  // no tail call, which would leave this function before the work begins
}

namespace {

constexpr int kRepetitions = 25;

// The least times of an iteration over all repetitions.
class LeastOfRepetitions : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& run : runs) {
      if (run.run_type != Run::RT_Iteration) continue;
      const auto iterations = static_cast<double>(run.iterations);
      least_.units += run.iterations;
      least_.cpu_seconds = std::min(least_.cpu_seconds, run.cpu_accumulated_time / iterations);
      least_.wall_seconds = std::min(least_.wall_seconds, run.real_accumulated_time / iterations);
    }
  }
  const LeastTimes& least() const { return least_; }

 private:
  LeastTimes least_;
};

}  // namespace

LeastTimes TimeKernel(const Kernel& kernel, double milliseconds) {
  kernel.run(1);  // fills the caches
  const auto repeat = [&kernel](benchmark::State& state) {
    for (auto _ : state) kernel.run(1);
  };
  benchmark::RegisterBenchmark("kernel", repeat)
      ->MeasureProcessCPUTime()
      ->Repetitions(kRepetitions)
      ->MinTime(1e-3 * milliseconds / kRepetitions);
  LeastOfRepetitions repetitions;
  benchmark::RunSpecifiedBenchmarks(&repetitions);
  benchmark::ClearRegisteredBenchmarks();
  LeastTimes least = repetitions.least();
  least.cpu_seconds /= kernel.unit_size;
  least.wall_seconds /= kernel.unit_size;
  least.units *= kernel.unit_size;
  return least;
}

}  // namespace mbsbench
