// The accelerations, reactions and efforts of a problem's initial state by one method, with a verdict on them.
#pragma once

#include <optional>
#include <string>

#include "harness/metrics/force_errors.h"
#include "harness/runner/trials/measured_condition.h"

namespace mbsbench {

struct JudgedEvaluation {
  // ok, singular (the reference finds no accelerations), ill_conditioned or wrong_equations
  Ending ending;
  Observation observation;  // without `bodies`, which are those of the initial state
  MeasuredCondition condition;
  // AccelerationError against the equations of the reference in 113 bits; empty, with the reason, if the system is too large or
  // the reference refuses it.
  std::optional<double> error;
  std::string why_no_error;
  ForceErrors forces;  // against the same equations; 0 if they are not known
};

// The verdict on accelerations at a state that does not determine any. `why`: NoAccelerations of the reference.
Ending NothingDetermines(const std::string& why);

// `detail`: of the observation, accelerations or more. Throws ModelError if the method does not support the system,
// EvaluationFailed if it cannot evaluate the state. Large systems are restored from the catalogue by `cell.problem`: clear it if the
// problem was changed.
JudgedEvaluation JudgeInitialState(const PreparedCell& prepared, Detail detail);
// JudgeInitialState in the memory of one large system, if IsMeasuredInPlace; it changes the system's data and state.
JudgedEvaluation JudgeInitialStateInPlace(PreparedCell& prepared, Detail detail);

// The verdict on a method at the initial state, before it integrates. It depends on problem and method only.
struct JudgedStart {
  Ending
      ending;  // as above; also ok if the method cannot evaluate the state, which the integration reports
  MeasuredCondition condition;
};
StartRecord RecordOf(const JudgedStart& start);
JudgedStart JudgedStartFrom(const StartRecord& record);
JudgedStart JudgeStart(const PreparedCell& prepared);
// `start` as a verdict on the motion that begins there. Where the ends of a damper coincide to round-off, its direction at that
// instant hangs on the last digit, but not the motion, which gives the direction at once: an ill-conditioned state is then judged
// without such dampers, and its condition is not known.
JudgedStart OfMotion(const PreparedCell& prepared, const JudgedStart& start);

// The verdict on accelerations with this condition and this error; `where` they are evaluated, for the sentence.
Ending VerdictOn(const MeasuredCondition& condition, std::optional<double> error,
                 const std::string& where = "at the initial state");

}  // namespace mbsbench
