#include "harness/runner/trials/evaluation_trial.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "harness/control_kernel.h"
#include "harness/runner/trials/evaluation_kernel.h"
#include "harness/runner/trials/least_times.h"

namespace mbsbench {

namespace {

constexpr double kEvaluationSeconds = 0.15;

// Times of one evaluation. States alternate, so a unit is one evaluation at each state.
template <class Kernel>
LeastTimes TimeEvaluations(Kernel& kernel) {
  LeastTimes least = TimeBatches(kEvaluationSeconds, [&kernel](std::int64_t units) {
    kernel.RunFresh(2 * units);
    return kernel.status().ok();
  });
  least.cpu_seconds /= 2;
  least.wall_seconds /= 2;
  least.units *= 2;
  return least;
}

void AddOperations(const PreparedCell& prepared, Evaluated what, EvaluationRecord& record) {
  const auto& count = prepared.method.entry->count_operations;
  if (!count || what == Evaluated::kResidual || what == Evaluated::kAccelerationsAndReactions)
    return;
  const CountedOperations counted =
      count(prepared.problem.system, prepared.method.options, prepared.initial.joints);
  record.operations_of = counted ? counted.what : counted.why_not;
  if (counted)
    record.operations = {counted->multiplications, counted->additions, counted->divisions,
                         counted->square_roots};
}

}  // namespace

TrialResult EvaluationTrial(const PreparedCell& prepared, Evaluated what) {
  const Problem& problem = prepared.problem;
  const double control_before = ControlKernelSeconds();
  EvaluationKernel kernel(prepared, what);
  TrialResult result;
  LeastTimes least;
  if (kernel.status().ok()) least = TimeEvaluations(kernel);
  result.ending = EndingOf(kernel.status(), problem.system);
  if (result.ending.outcome != Outcome::kOk) return result;
  if (!kernel.IsFinite()) {
    result.ending = {Outcome::kDiverged, "its values at a consistent state are not finite"};
    return result;
  }
  const std::size_t bodies = problem.system.bodies.size();
  result.cpu_seconds = least.cpu_seconds;
  result.record.what = Name(what);
  result.record.control_seconds = std::min(control_before, ControlKernelSeconds());
  EvaluationRecord& record = result.record.evaluation.emplace();
  record.nanoseconds_per_body = 1e9 * least.cpu_seconds / static_cast<double>(bodies);
  record.bodies = static_cast<std::int64_t>(bodies);
  record.evaluations = least.units;
  if (const int threads = prepared.method.threads(); threads > 1) {
    record.threads = threads;
    record.wall_nanoseconds_per_body = 1e9 * least.wall_seconds / static_cast<double>(bodies);
  }
  if (what == Evaluated::kStep) {
    record.newton_iterations = kernel.NewtonIterationsPerStep();
  } else if (const double inner = kernel.InnerIterations(); inner > 0) {
    record.inner_iterations = inner;
  }
  AddOperations(prepared, what, record);
  if (what != Evaluated::kAccelerations) return result;
  if (std::optional<BatchKernel> batch = BatchKernel::Make(prepared, kernel)) {
    const double batch_seconds = TimeEvaluations(*batch).cpu_seconds;
    if (batch->status().ok()) {
      record.batched = {kBatchStates,
                        1e9 * batch_seconds / static_cast<double>(kBatchStates * bodies)};
    }
  }
  return result;
}

}  // namespace mbsbench
