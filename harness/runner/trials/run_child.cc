#include "harness/runner/trials/run_child.h"

#include <stdexcept>

#include "harness/records/json_codec.h"
#include "harness/runner/trials/acceleration_trial.h"
#include "harness/runner/trials/accuracy_trial.h"
#include "harness/runner/trials/cell_budget.h"
#include "harness/runner/trials/evaluation_kernel.h"
#include "harness/runner/trials/judged_evaluation.h"
#include "harness/runner/trials/time_trial.h"

namespace mbsbench {

namespace {

TrialResult RunRequest(const TrialRequest& request, const std::vector<MethodEntry>& methods) {
  if (request.kind == "reference accelerations") {
    return ReferenceAccelerationTrial(ProblemOf(request.cell), request.random_states, request.seed);
  }
  const PreparedCell prepared = PrepareCell(request.cell, methods);
  if (request.kind == "accuracy") {
    if (!request.start) return AccuracyTrial(prepared);
    const JudgedStart judged = JudgedStartFrom(*request.start);
    return AccuracyTrial(prepared, {}, &judged);
  }
  if (request.kind == "budget") return BudgetTrial(prepared);
  if (request.kind == "time") return TimeTrial(prepared);
  if (request.kind == "evaluation") return EvaluationTrial(prepared, request.what);
  if (request.kind == "accelerations")
    return AccelerationTrial(prepared, request.random_states, request.seed);
  throw std::invalid_argument("no trial is of kind '" + request.kind + "'");
}

}  // namespace

int RunChild(const std::string& request, const std::vector<MethodEntry>& methods) {
  return SendResult([&] {
    TrialRequest read;
    if (!Read(Json::parse(request), read)) throw std::invalid_argument("the request is damaged");
    return RunRequest(read, methods);
  });
}

}  // namespace mbsbench
