#include "harness/bench/kernel.h"

#include <benchmark/benchmark.h>

#include "harness/control_kernel.h"
#include "harness/runner/trials/evaluation_kernel.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

// `in_batches`: kBatchStates states at once; each counts.
class Evaluations : public Kernel {
 public:
  Evaluations(const PreparedCell& prepared, Evaluated what, bool in_batches)
      : system_(prepared.problem.system),
        kernel_(prepared, what),
        batch_(in_batches ? BatchKernel::Make(prepared, kernel_) : std::nullopt),
        size_(in_batches ? 2 * static_cast<int>(kBatchStates) : 2) {
    if (in_batches && !batch_)
      throw ModelError("method '" + prepared.method.spec + "' evaluates one state of problem '" +
                       prepared.problem.name + "' at a time.");
  }
  // Two states alternate, so a unit is one evaluation at each.
  void Run(std::int64_t units) override {
    batch_ ? batch_->Run(2 * units) : kernel_.Run(2 * units);
  }
  int unit_size() const override { return size_; }
  Ending ending() const override {
    return EndingOf(batch_ && kernel_.status().ok() ? batch_->status() : kernel_.status(), system_);
  }

 private:
  System system_;
  EvaluationKernel kernel_;
  std::optional<BatchKernel> batch_;
  int size_;
};

class Solves : public Kernel {
 public:
  explicit Solves(PreparedCell prepared)
      : prepared_(std::move(prepared)),
        settings_(prepared_.Settings()),
        formulation_(prepared_.MakeFormulation()) {}
  void Run(std::int64_t units) override {
    for (std::int64_t i = 0; i < units && ending_.outcome == Outcome::kOk; ++i) {
      // An event changes the formulation.
      if (formulation_->events() != nullptr) formulation_ = prepared_.MakeFormulation();
      const IntegrationReport report = Integrate(*formulation_, prepared_.initial, settings_);
      ending_ = Classify(report, prepared_.problem.system);
    }
  }
  Ending ending() const override { return ending_; }

 private:
  PreparedCell prepared_;
  IntegrationSettings settings_;
  std::unique_ptr<Formulation> formulation_;
  Ending ending_;
};

class Control : public Kernel {
 public:
  void Run(std::int64_t units) override {
    for (std::int64_t i = 0; i < units; ++i) ControlKernelSeconds();
  }
  Ending ending() const override { return {}; }
};

}  // namespace

Evaluated EvaluatedIn(const BenchCase& bench_case, const PreparedCell& prepared) {
  if (bench_case.what == Name(Evaluated::kAccelerationsAndReactions))
    return Evaluated::kAccelerationsAndReactions;
  return prepared.method.form() == Form::kOde ? Evaluated::kAccelerations
                                              : Evaluated::kResidualAndJacobian;
}

std::unique_ptr<Kernel> MakeKernel(const BenchCase& bench_case,
                                   const std::vector<MethodEntry>& methods) {
  PreparedCell prepared = PrepareCell(CellOf(bench_case, methods), methods);
  if (bench_case.what == "solve") return std::make_unique<Solves>(std::move(prepared));
  return std::make_unique<Evaluations>(prepared, EvaluatedIn(bench_case, prepared),
                                       bench_case.what == "batch of accelerations");
}

std::unique_ptr<Kernel> MakeControlKernel() { return std::make_unique<Control>(); }

[[gnu::noinline]] void mbsbench_measured_kernel(Kernel* kernel, std::int64_t units) {
  kernel->Run(units);
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

LeastTimes TimeKernel(Kernel& kernel, double milliseconds) {
  kernel.Run(1);  // fills the caches
  const auto repeat = [&kernel](benchmark::State& state) {
    for (auto _ : state) kernel.Run(1);
  };
  benchmark::RegisterBenchmark("kernel", repeat)
      ->MeasureProcessCPUTime()
      ->Repetitions(kRepetitions)
      ->MinTime(1e-3 * milliseconds / kRepetitions);
  LeastOfRepetitions repetitions;
  benchmark::RunSpecifiedBenchmarks(&repetitions);
  benchmark::ClearRegisteredBenchmarks();
  LeastTimes least = repetitions.least();
  least.cpu_seconds /= kernel.unit_size();
  least.wall_seconds /= kernel.unit_size();
  least.units *= kernel.unit_size();
  return least;
}

}  // namespace mbsbench
