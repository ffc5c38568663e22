// One trial of one cell, carried out in this process. The runner carries each out in a process of
// its own (child.h, supervisor.h); `solve` and `accelerations` in the process that the user
// started.
#pragma once

#include <memory>

#include "harness/records/trial_record.h"
#include "harness/runner/cell.h"
#include "harness/runner/outcome.h"
#include "problems/model/error.h"

namespace mbsbench {

// Names turned into what they stand for.
struct PreparedCell {
  Cell cell;
  Problem problem;
  SystemState initial;
  MethodChoice method;

  IntegrationSettings Settings() const;
  // Throws ModelError where the method does not support the system.
  std::unique_ptr<Formulation> MakeFormulation() const;
  // One that reads the system from here for as long as it lives, where the method can.
  std::unique_ptr<Formulation> LendToFormulation() const;

 private:
  std::unique_ptr<Formulation> Formulate(const GivenSystem& system) const;
};
PreparedCell PrepareCell(const Cell& cell, const std::vector<MethodEntry>& methods);

struct TrialResult {
  Ending ending;
  MaybeNumber cpu_seconds = {}, wall_seconds = {};
  TrialRecord record = {};
  std::vector<TrialResult> rounds = {};  // of a process that times several
  // Of a process that carries out something else; of one that did a trial the record again, once it came over a pipe.
  Json answer = nullptr;
};
Json ToJson(const TrialResult& result);
// Throws what JSON throws, or std::invalid_argument, where `json` is no result.
TrialResult TrialResultFrom(const Json& json);

// Why a state could not be evaluated.
class EvaluationFailed : public ModelError {
 public:
  explicit EvaluationFailed(Ending ending)
      : ModelError(ending.reason), ending_(std::move(ending)) {}
  const Ending& ending() const { return ending_; }

 private:
  Ending ending_;
};

// How a trial ends whose method failed so.
Outcome OutcomeOf(const Status& failure);
// The same with the place in words; ok where nothing failed.
Ending EndingOf(const Status& status, const System& system);

}  // namespace mbsbench
