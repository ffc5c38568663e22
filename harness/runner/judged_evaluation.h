// The accelerations of a problem's initial state by one method, with a verdict on them.
#pragma once

#include <optional>
#include <string>

#include "harness/runner/measured_condition.h"

namespace mbsbench {

struct JudgedEvaluation {
  // ok, singular (the reference finds no accelerations), ill_conditioned or wrong_equations
  Ending ending;
  Observation observation;  // without `bodies`, which are those of the initial state
  MeasuredCondition condition;
  // AccelerationError against the reference's equations in 113 bits; empty, and why, where the system is too large
  // or the reference refuses it.
  std::optional<double> error;
  std::string why_no_error;
};

// Of accelerations at a state that has none. `why`: NoAccelerations of the reference.
Ending NothingDetermines(const std::string& why);

// `detail`: of the observation, accelerations or more. Throws ModelError where the method does not support the system, EvaluationFailed where it cannot
// evaluate the state.
JudgedEvaluation JudgeInitialState(const PreparedCell& prepared, Detail detail);
// The same in the memory of one large system, where IsMeasuredInPlace: its data and its state are not what they were afterwards.
JudgedEvaluation JudgeInitialStateInPlace(PreparedCell& prepared, Detail detail);

// What is known of a method at the initial state before it integrates: depends on problem and method alone.
struct JudgedStart {
  Ending
      ending;  // as above; ok also where the method cannot evaluate the state, which the integration reports
  MeasuredCondition condition;
};
StartRecord RecordOf(const JudgedStart& start);
JudgedStart JudgedStartFrom(const StartRecord& record);
JudgedStart JudgeStart(const PreparedCell& prepared);

// What is said of accelerations with this condition and this error; `where` they are taken, for the sentence.
Ending VerdictOn(const MeasuredCondition& condition, std::optional<double> error,
                 const std::string& where = "at the initial state");

}  // namespace mbsbench
