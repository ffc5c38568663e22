#include "harness/bench/kernel.h"

#include <cmath>

#include "harness/control_kernel.h"
#include "harness/runner/evaluation_kernel.h"
#include "harness/runner/wall_clock.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

constexpr double kBatchSeconds =
    1e-3;  // shorter batches cannot be separated from the cost of reading the clock

Ending EndingOf(const Status& status, const System& system) {
  if (status.ok()) return {};
  return {status.code == Status::Code::kSingular ? Outcome::kSingular : Outcome::kDiverged,
          status.what + PlaceOf(status, system)};
}

class Evaluations : public Kernel {
 public:
  Evaluations(const PreparedCell& prepared, Evaluated what)
      : system_(prepared.problem.system), kernel_(prepared, what) {}
  // Two states alternate, so a unit is one evaluation at each.
  void Run(std::int64_t units) override { kernel_.Run(2 * units); }
  int unit_size() const override { return 2; }
  Ending ending() const override { return EndingOf(kernel_.status(), system_); }

 private:
  System system_;
  EvaluationKernel kernel_;
};

// kBatchStates states at once; each counts.
class Batches : public Kernel {
 public:
  explicit Batches(const PreparedCell& prepared)
      : system_(prepared.problem.system),
        single_(prepared, Evaluated::kAccelerations),
        batch_(BatchKernel::Make(prepared, single_)) {
    if (!batch_)
      throw ModelError("method '" + prepared.method.spec + "' evaluates one state of problem '" +
                       prepared.problem.name + "' at a time.");
  }
  void Run(std::int64_t units) override { batch_->Run(2 * units); }
  int unit_size() const override { return 2 * static_cast<int>(kBatchStates); }
  Ending ending() const override {
    return EndingOf(single_.status().ok() ? batch_->status() : single_.status(), system_);
  }

 private:
  System system_;
  EvaluationKernel single_;
  std::optional<BatchKernel> batch_;
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
      if (formulation_->event_count() > 0) formulation_ = prepared_.MakeFormulation();
      const IntegrationReport report = Integrate(*formulation_, prepared_.initial, settings_);
      Accuracy finished;  // whether it got to the end, not how well
      finished.error = ErrorMeasure{.end = 0};
      ending_ = Classify(report, finished, settings_.end_time, prepared_.problem.system);
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
  if (bench_case.what == "batch of accelerations") return std::make_unique<Batches>(prepared);
  return std::make_unique<Evaluations>(prepared, EvaluatedIn(bench_case, prepared));
}

std::unique_ptr<Kernel> MakeControlKernel() { return std::make_unique<Control>(); }

[[gnu::noinline]] void mbsbench_measured_kernel(Kernel* kernel, std::int64_t units) {
  kernel->Run(units);
  asm volatile("");  // no tail call, which would leave this function before the work begins
}

LeastTimes TimeKernel(Kernel& kernel, double milliseconds) {
  LeastTimes least{INFINITY, INFINITY, 0};
  kernel.Run(1);
  std::int64_t batch = 1;
  const double start = ProcessCpuSeconds();
  while (kernel.ending().outcome == Outcome::kOk &&
         (ProcessCpuSeconds() - start < 1e-3 * milliseconds || !std::isfinite(least.cpu_seconds))) {
    const double wall = WallSeconds(), cpu = ProcessCpuSeconds();
    kernel.Run(batch);
    const double cpu_seconds = ProcessCpuSeconds() - cpu, wall_seconds = WallSeconds() - wall;
    const std::int64_t count = batch * kernel.unit_size();
    least.count += count;
    if (cpu_seconds < kBatchSeconds) {
      batch *= 2;
      continue;
    }
    least.cpu_seconds = std::min(least.cpu_seconds, cpu_seconds / static_cast<double>(count));
    least.wall_seconds = std::min(least.wall_seconds, wall_seconds / static_cast<double>(count));
  }
  return least;
}

}  // namespace mbsbench
