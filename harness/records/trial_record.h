// The record of a trial, with the parts of its kind. The process of the trial sends it over a pipe; the store keeps it.
// harness/store/DOCUMENTS.md describes its JSON.
#pragma once

#include <cstdint>
#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <vector>

#include "harness/records/accuracy_record.h"
#include "harness/records/agreement_record.h"
#include "harness/records/fields.h"
#include "harness/records/integration_record.h"
#include "harness/records/steady_record.h"

namespace mbsbench {

// Condition of the accelerations: the worse of the initial and the end state.
struct ConditionRecord {
  MaybeNumber condition = {}, digits_left = {};
  std::string condition_missing = {};  // why it was not measured

  MBSBENCH_FIELDS(condition, digits_left, (IfAny, condition_missing))
};

// The motion of a driven system relative to its drivers.
struct JointCoordinatesRecord {
  std::vector<std::string> joints = {}, units = {};
  std::vector<double> times = {};
  std::vector<std::vector<double>> values = {};  // one row per time, one value per joint

  MBSBENCH_FIELDS(joints, units, times, values)
};

// One timed round.
struct TimeRecord {
  double prepare_seconds = 0, cpu_seconds = 0, wall_seconds = 0;
  std::optional<int> repetitions = {};
  std::optional<std::int64_t> memory_bytes = {};
  MaybeNumber target = {};  // the error for which the cell was found; none: a cell of a ladder
  std::optional<int> threads = {};  // of the method, each on a processor of its own; none: one

  MBSBENCH_FIELDS(prepare_seconds, cpu_seconds, wall_seconds, repetitions, memory_bytes, target,
                  (IfAny, threads))
};

struct OperationsRecord {
  std::int64_t multiplications = 0, additions = 0, divisions = 0, square_roots = 0;

  bool operator==(const OperationsRecord&) const = default;
  MBSBENCH_FIELDS(multiplications, additions, divisions, square_roots)
};

// The evaluation of several states at once.
struct BatchedRecord {
  int states = 0;
  double nanoseconds_per_body = 0;

  MBSBENCH_FIELDS(states, nanoseconds_per_body)
};

struct EvaluationRecord {
  double nanoseconds_per_body = 0;
  std::optional<std::int64_t> bodies = {}, evaluations = {};
  MaybeNumber newton_iterations = {};          // per step
  MaybeNumber inner_iterations = {};           // inside an evaluation, where there are any
  std::optional<int> threads = {};             // as of TimeRecord
  MaybeNumber wall_nanoseconds_per_body = {};  // where there are threads
  std::optional<OperationsRecord> operations = {};
  std::string operations_of = {};  // what is counted, or why nothing is counted
  std::optional<BatchedRecord> batched = {};

  MBSBENCH_FIELDS(nanoseconds_per_body, bodies, evaluations, (IfAny, newton_iterations),
                  (IfAny, inner_iterations), (IfAny, threads), (IfAny, wall_nanoseconds_per_body),
                  (IfAny, operations), (IfAny, operations_of), (IfAny, batched))
};

struct BudgetPartRecord {
  std::string part = {};  // "round-off", "iteration", "constraint", "discretisation"
  double norm = 0, share = 0;
  bool estimated = false;
  std::string how = {};  // a remark on the estimate or on its limits

  MBSBENCH_FIELDS(part, norm, share, estimated, how)
};

// What the error of a cell consists of; with the symbols of harness/metrics/error_budget.h.
struct BudgetRecord {
  double error = 0;                          // ||y - y*||
  std::vector<BudgetPartRecord> parts = {};  // the largest first
  // ||sum of the parts - (y - y*)||: the round-off of this sum, and the second order of rotations.
  double remainder = 0;
  // From the difference to the first finer run; empty without one.
  MaybeNumber discretisation_estimate = {};
  // Ratio of the differences of successive finer runs; empty unless there are two.
  MaybeNumber observed_refinement = {};
  // The estimate equals the discretisation part within a factor of 2 and falls by at least half the order.
  bool asymptotic = false;

  double NormOf(const std::string& part) const;  // NaN without that part

  MBSBENCH_FIELDS(error, parts, remainder, discretisation_estimate, observed_refinement, asymptotic)
};

struct ProcessLimits {
  // CPU time of the process and those that it started, so that a busy machine ends nothing; then TERM, and KILL a second later. A
  // process that waits instead of computing is ended after as many seconds of wall time.
  double seconds = 60;
  std::int64_t bytes = std::int64_t{4096} << 20;  // of private writable and of resident memory

  MBSBENCH_FIELDS(seconds, bytes)
};

struct TrialRecord {
  std::optional<IntegrationRecord> integration = {};
  std::string command = {};
  MaybeNumber expected_seconds = {};  // of a trial that was skipped
  std::optional<ConditionRecord> condition = {};
  MaybeNumber recorded_cpu_seconds =
      {};  // includes the judging, so it is not the time of the method
  std::optional<AccuracyRecord> accuracy = {};
  std::optional<JointCoordinatesRecord> joint_coordinates = {};
  std::optional<SteadyStateRecord> steady_state = {};
  std::optional<SteadySurveyRecord> steady_survey = {};
  std::optional<TimeRecord> time = {};
  MaybeNumber control_seconds = {};  // of the frozen control kernel, in the same round
  std::optional<EvaluationRecord> evaluation = {};
  std::string what = {};  // what an evaluation trial evaluates
  std::optional<AgreementRecord> agreement = {};
  std::optional<BudgetRecord> budget = {};
  std::string killed_before;  // the signal from outside that ended the first process of the trial
  MaybeNumber process_seconds = {};  // CPU time of the whole process; 0 if no process was needed
  std::optional<ProcessLimits> limits = {};
  std::string problem_hash = {};  // of the problem's parameters
  // Never stored: the result of a process of an agreement check.
  std::optional<AccelerationsRecord> accelerations = {};

  // Values of the parts; empty without the part.
  const std::string& EndStateHash() const;
  MaybeNumber TimeReached() const;
  MaybeNumber LargestError() const;
  MaybeNumber NanosecondsPerBody() const;

  MBSBENCH_FIELDS((Part, integration), (IfAny, command), (IfAny, expected_seconds),
                  (Part, condition), (IfAny, recorded_cpu_seconds), (Part, accuracy),
                  (IfAny, joint_coordinates), (IfAny, steady_state), (IfAny, steady_survey),
                  (Part, time), (IfAny, control_seconds), (Part, evaluation), (IfAny, what),
                  (Part, agreement), (IfAny, budget), (IfAny, killed_before),
                  (IfAny, process_seconds), (IfAny, limits), (IfAny, problem_hash),
                  (IfAny, accelerations))
};

nlohmann::ordered_json ToJson(const TrialRecord& record);
// Fields that are absent, or of another type, stay unknown.
TrialRecord TrialRecordFrom(const nlohmann::ordered_json& json);
// Names of the fields that grow with the number of samples.
std::vector<std::string> SeriesOfRecords();

}  // namespace mbsbench
