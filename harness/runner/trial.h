// One trial of one cell, carried out in this process. The runner carries each out in a process of
// its own (child.h, supervisor.h); `solve` and `accelerations` in the process that the user
// started.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>

#include "harness/runner/cell.h"
#include "harness/runner/outcome.h"
#include "methods/interface/solved_condition.h"
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
};
PreparedCell PrepareCell(const Cell& cell, const std::vector<MethodEntry>& methods);

struct TrialResult {
  Ending ending;
  std::optional<double> cpu_seconds, wall_seconds;
  Json record = Json::object();  // TrialDocument
};
Json ToJson(const TrialResult& result);
// What every trial with an integration records, and what its judge found.
Json CommonRecord(const Cell& cell, const IntegrationReport& report);
void AddAccuracy(const Accuracy& accuracy, const System& system, Json& record);
// Throws what JSON throws, or std::invalid_argument, where `json` is no result.
TrialResult TrialResultFrom(const Json& json);

// Integrates once, observing and judging every sample. `visit` sees each sample as well, in `detail` at
// least.
// `start`: what is known of the initial state; null: it is judged first.
using SampleVisitor = std::function<void(double time, const Observation& observation)>;
struct JudgedStart;
TrialResult AccuracyTrial(const PreparedCell& prepared, const SampleVisitor& visit = {},
                          const JudgedStart* start = nullptr, Detail detail = Detail::kMotion);

// Prepares once and times that many rounds. A round integrates and does nothing else, again and again until it
// is long enough to be timed: the least CPU time of one integration.
std::vector<TrialResult> TimeTrial(const PreparedCell& prepared, int rounds = 1);
// As one result, so that a process can hand it over, and back; of anything else no rounds.
TrialResult Together(const std::vector<TrialResult>& rounds);
std::vector<TrialResult> RoundsFrom(const TrialResult& together);

// Time of one evaluation, alternating between two states; of a time stepper that of one step. Reactions are those of
// EvaluatesReactions.
enum class Evaluated {
  kAccelerations,
  kAccelerationsAndReactions,
  kResidual,
  kResidualAndJacobian,
  kStep
};
std::string_view Name(Evaluated what);  // as in DOCUMENTS.md
std::vector<Evaluated> EvaluationsOf(Form form);
TrialResult EvaluationTrial(const PreparedCell& prepared, Evaluated what);

// Accelerations by this method at the initial state and at `random_states` random ones (seeded):
// the record holds "states", one array of six numbers per body per state, or null with the reason
// in "reasons" where the method cannot evaluate that state; and in "conditions" per state how well
// conditioned is what the method solves there, null where it states none; "condition_of" says what, "order" how many rows the largest matrix has;
// "scatters" per state how far round-off scatters the accelerations, null where that is not measured;
// "start" how far round-off scatters the accelerations of the initial state: { "scatter", "why_not" }.
TrialResult AccelerationTrial(const PreparedCell& prepared, int random_states, std::uint64_t seed);

// The same by the reference's equations in 113 bits, for the problem alone; with "length" and "natural_acceleration", by which
// AccelerationError measures.
TrialResult ReferenceAccelerationTrial(const Problem& problem, int random_states,
                                       std::uint64_t seed);

// Why a state could not be evaluated.
class EvaluationFailed : public ModelError {
 public:
  explicit EvaluationFailed(Ending ending)
      : ModelError(ending.reason), ending_(std::move(ending)) {}
  const Ending& ending() const { return ending_; }

 private:
  Ending ending_;
};

// Accelerations and reactions at one state. Throws EvaluationFailed naming the joint or body where the method cannot.
// `condition`: where to put how well conditioned is what was solved.
Observation ObserveAt(const PreparedCell& prepared, const SystemState& state, Detail detail,
                      SolvedCondition* condition = nullptr);

}  // namespace mbsbench
