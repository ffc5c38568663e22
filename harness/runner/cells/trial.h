// One trial of one cell in the present process. The runner starts a process for each trial (child.h, supervisor.h); `solve` and
// `accelerations` run it in the process that the user started.
#pragma once

#include <memory>

#include "harness/records/trial_record.h"
#include "harness/runner/cells/cell.h"
#include "harness/runner/cells/outcome.h"
#include "problems/model/error.h"

namespace mbsbench {

// A cell with its problem, initial state and method.
struct PreparedCell {
  Cell cell;
  Problem problem;
  SystemState initial;
  MethodChoice method;

  IntegrationSettings Settings() const;
  // Throws ModelError if the method does not support the system. With `lends` it refers to the system in this object, if the method
  // supports that.
  std::unique_ptr<Formulation> MakeFormulation(bool lends = false) const;
};
PreparedCell PrepareCell(const Cell& cell, const std::vector<MethodEntry>& methods);

// The record of an integration.
TrialRecord RecordOf(const Cell& cell, const IntegrationReport& report);

struct TrialResult {
  Ending ending;
  MaybeNumber cpu_seconds = {}, wall_seconds = {};
  TrialRecord record = {};
  // The result of a process that is not a trial. After a pipe it also holds the record of a trial.
  Json answer = nullptr;
};
Json ToJson(const TrialResult& result);
// Throws an exception of JSON, or std::invalid_argument, if `json` is not a result.
TrialResult TrialResultFrom(const Json& json);

// Why a state could not be evaluated.
struct EvaluationFailed : ModelError {
  explicit EvaluationFailed(Ending of_state)
      : ModelError(of_state.reason), ending(std::move(of_state)) {}
  Ending ending;
};

// The outcome of a trial whose method failed with this status.
Outcome OutcomeOf(const Status& failure);
// The outcome with reason and place; ok without a failure.
Ending EndingOf(const Status& status, const System& system);

}  // namespace mbsbench
