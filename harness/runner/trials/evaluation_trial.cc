#include "harness/runner/trials/evaluation_trial.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "harness/control_kernel.h"
#include "harness/runner/cells/wall_clock.h"
#include "harness/runner/trials/evaluation_kernel.h"

namespace mbsbench {

namespace {

constexpr double kEvaluationSeconds = 0.15;

// The cost of reading the clock is significant in shorter batches [s].
constexpr double kShortestBatch = 1e-3;

// Times of one evaluation, by batches of an even number of evaluations because states alternate. It takes kEvaluationSeconds of
// CPU time, and longer until one batch is long enough; a failure ends it.
template <class Kernel>
LeastTimes TimeEvaluations(Kernel& kernel) {
  LeastTimes least;
  std::int64_t batch = 2;
  const double start = ProcessCpuSeconds();
  while (kernel.status().ok() &&
         (ProcessCpuSeconds() - start < kEvaluationSeconds || !std::isfinite(least.cpu_seconds))) {
    const double wall = WallSeconds(), cpu = ProcessCpuSeconds();
    kernel.RunFresh(batch);
    const double cpu_seconds = ProcessCpuSeconds() - cpu, wall_seconds = WallSeconds() - wall;
    least.units += batch;
    if (cpu_seconds < kShortestBatch) {
      batch *= 2;
      continue;
    }
    least.cpu_seconds = std::min(least.cpu_seconds, cpu_seconds / static_cast<double>(batch));
    least.wall_seconds = std::min(least.wall_seconds, wall_seconds / static_cast<double>(batch));
  }
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
