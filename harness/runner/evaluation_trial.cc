#include "harness/runner/evaluation_trial.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "harness/control_kernel.h"
#include "harness/runner/evaluation_kernel.h"

namespace mbsbench {

namespace {

// An evaluation trial takes the least of many batches.
constexpr double kBatchSeconds = 2e-3, kEvaluationSeconds = 0.15;

template <class Kernel>
double SecondsPerEvaluation(Kernel& kernel, std::int64_t& evaluations) {
  // An even number, because states alternate.
  std::int64_t batch = 2;
  double least = INFINITY;
  const double start = ProcessCpuSeconds();
  for (double spent = 0; spent < kEvaluationSeconds;) {
    const double begin = ProcessCpuSeconds();
    kernel.Run(batch);
    const double end = ProcessCpuSeconds();
    evaluations += batch;
    if (end - begin < kBatchSeconds / 2) {
      batch *= 2;  // too short to be timed
    } else {
      least = std::min(least, (end - begin) / static_cast<double>(batch));
    }
    spent = end - start;
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

std::string_view Name(Evaluated what) {
  switch (what) {
    case Evaluated::kAccelerations: return "accelerations";
    case Evaluated::kAccelerationsAndReactions: return "accelerations and reactions";
    case Evaluated::kResidual: return "residual";
    case Evaluated::kResidualAndJacobian: return "residual and Jacobian";
    case Evaluated::kStep: return "step";
  }
  return "";
}

std::vector<Evaluated> EvaluationsOf(Form form) {
  switch (form) {
    case Form::kOde: return {Evaluated::kAccelerations};
    case Form::kDae: return {Evaluated::kResidual, Evaluated::kResidualAndJacobian};
    case Form::kAlgebraic: return {Evaluated::kResidualAndJacobian};
    case Form::kTimeStepper: return {Evaluated::kStep};
  }
  return {};
}

TrialResult EvaluationTrial(const PreparedCell& prepared, Evaluated what) {
  const Problem& problem = prepared.problem;
  const double control_before = ControlKernelSeconds();
  EvaluationKernel kernel(prepared, what);
  TrialResult result;
  std::int64_t evaluations = 0;
  const double seconds = kernel.status().ok() ? SecondsPerEvaluation(kernel, evaluations) : NAN;
  if (const Status& status = kernel.status(); !status.ok()) {
    result.ending = {OutcomeOf(status), status.what + PlaceOf(status, problem.system)};
    return result;
  }
  if (!kernel.IsFinite()) {
    result.ending = {Outcome::kDiverged, "what it evaluates at a consistent state is not finite"};
    return result;
  }
  const std::size_t bodies = problem.system.bodies.size();
  result.cpu_seconds = seconds;
  result.record.what = Name(what);
  result.record.control_seconds = std::min(control_before, ControlKernelSeconds());
  EvaluationRecord& record = result.record.evaluation.emplace();
  record.nanoseconds_per_body = 1e9 * seconds / static_cast<double>(bodies);
  record.bodies = static_cast<std::int64_t>(bodies);
  record.evaluations = evaluations;
  if (what == Evaluated::kStep) record.newton_iterations = kernel.NewtonIterationsPerStep();
  AddOperations(prepared, what, record);
  if (what != Evaluated::kAccelerations) return result;
  if (std::optional<BatchKernel> batch = BatchKernel::Make(prepared, kernel)) {
    std::int64_t batches = 0;
    const double batch_seconds = SecondsPerEvaluation(*batch, batches);
    if (batch->status().ok()) {
      record.batched = {kBatchStates,
                        1e9 * batch_seconds / static_cast<double>(kBatchStates * bodies)};
    }
  }
  return result;
}

}  // namespace mbsbench
