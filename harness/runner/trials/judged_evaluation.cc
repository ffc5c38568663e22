#include "harness/runner/trials/judged_evaluation.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/metrics/acceleration_error.h"
#include "harness/runner/trials/acceleration_trial.h"
#include "problems/model/force_outputs.h"
#include "reference/reference.h"

namespace mbsbench {

namespace {

// The evaluation in 113 bits takes about a second for this number of bodies.
constexpr std::size_t kMostBodiesForTruth = 2000;
// Errors up to kRight are accepted. A larger error that exceeds the scatter by kBeyondScatter is not round-off. Without a
// scatter, errors up to kAlwaysWrong are accepted.
constexpr double kRight = 1e-9, kBeyondScatter = 1e3, kAlwaysWrong = 1e-6;

// Ends of a damper coincide where their distance is less than this part of the lengths that it comes from.
constexpr double kCoincide = 0x1p-46;

// The largest error that round-off explains.
double Explained(const MeasuredCondition& condition) {
  return std::max(kRight, condition.measured() ? kBeyondScatter * condition.scatter : kAlwaysWrong);
}

void SetErrors(const PreparedCell& prepared, const AccelerationScale& scale,
               JudgedEvaluation& judged) {
  const Problem& problem = prepared.problem;
  if (problem.system.bodies.size() > kMostBodiesForTruth) {
    judged.why_no_error = fmt::format("{} bodies take too long", problem.system.bodies.size());
    return;
  }
  ReferenceDynamics truth;
  try {
    truth = ReferenceAccelerations(problem.system, prepared.initial.joints);
  } catch (const NoAccelerations& none) {
    judged.why_no_error = none.what();
    judged.ending = NothingDetermines(none.what());
    return;
  } catch (const ModelError& refused) {
    judged.why_no_error = refused.what();
    return;
  }
  judged.error =
      AccelerationError(AccelerationNumbers(problem.system, judged.observation.accelerations),
                        AccelerationNumbers(problem.system, BodyAccelerationsOf(truth)), scale);
  judged.forces = ForceErrorsOf(problem.system, judged.observation, truth, scale, kVanishing);
}

// The verdict on the forces of a method whose accelerations are right.
Ending VerdictOnForces(const JudgedEvaluation& judged) {
  if (!ForcesAreFinite(judged.observation))
    return {Outcome::kWrongEquations, "the reactions or the efforts of drivers are not finite"};
  const double explained = Explained(judged.condition);
  for (const auto& [what, of] : {std::pair{"unique reactions", &judged.forces.reactions},
                                 {"efforts of drivers", &judged.forces.efforts}}) {
    if (of->error <= explained) continue;
    return {Outcome::kWrongEquations,
            fmt::format("the {} differ from those in 113 bits by {:.3g} of their size{}, which "
                        "round-off does not explain (it explains {:.3g})",
                        what, of->error, of->where, explained)};
  }
  return {};
}

// Whether the direction of its damper is lost to round-off. A spring with a free length would have none either, and its motion
// would hang on it.
bool LosesItsDirection(const SpringDamper& e, const std::vector<BodyState>& bodies) {
  if (e.damping == 0 || (e.stiffness != 0 && e.free_length != 0)) return false;
  double size = Norm(e.point_a) + Norm(e.point_b);
  for (const BodyState& body : bodies) size = std::max(size, Norm(body.position));
  return LengthOf(e, bodies) <= kCoincide * size;
}

}  // namespace

Ending VerdictOn(const MeasuredCondition& condition, std::optional<double> error,
                 const std::string& where) {
  if (condition.no_digit_left()) return {Outcome::kIllConditioned, condition.Sentence(where)};
  if (!error) return {};
  const double explained = Explained(condition);
  if (!(*error <= explained) && condition.is_alone) {
    return {Outcome::kIllConditioned,
            fmt::format("no digit of the accelerations is certain {}: they differ from those in "
                        "113 bits by {:.2g} of their size, and the method refuses at least half of "
                        "the states that differ in the last place",
                        where, *error)};
  }
  if (!(*error <= explained)) {
    return {Outcome::kWrongEquations,
            fmt::format("the accelerations differ from those in 113 bits by {:.3g} of their size, "
                        "which round-off does not explain (it explains {:.3g}): the method solves "
                        "other equations {}",
                        *error, explained, where)};
  }
  if (*error > kNoDigitRight) {
    return {Outcome::kIllConditioned,
            fmt::format("no digit of the accelerations is left {}: they differ from those in 113 "
                        "bits by {:.2g} of their size",
                        where, *error)};
  }
  return {};
}

Ending NothingDetermines(const std::string& why) {
  return {Outcome::kSingular,
          "the method gives accelerations where the state determines none: " + why};
}

JudgedEvaluation JudgeInitialState(const PreparedCell& prepared, Detail detail) {
  PreparedCell own = prepared;
  return JudgeInitialStateInPlace(own, detail);
}

JudgedEvaluation JudgeInitialStateInPlace(PreparedCell& prepared, Detail detail) {
  const bool in_place = IsMeasuredInPlace(prepared);
  const AccelerationScale scale = AccelerationScaleOf(prepared.problem, prepared.initial.bodies);
  JudgedEvaluation judged;
  judged.observation = in_place ? ObserveInitialStateInPlace(prepared, detail)
                                : ObserveAt(prepared, prepared.initial, detail);
  judged.observation.bodies = std::vector<BodyState>();  // the initial state is known
  SetErrors(prepared, scale, judged);
  // Last, because it may change the data and the state.
  judged.condition = in_place ? MeasureConditionInPlace(prepared, scale, judged.observation)
                              : MeasureCondition(prepared, judged.observation);
  if (judged.ending.outcome == Outcome::kOk)
    judged.ending = VerdictOn(judged.condition, judged.error);
  if (judged.ending.outcome == Outcome::kOk) judged.ending = VerdictOnForces(judged);
  return judged;
}

JudgedStart JudgeStart(const PreparedCell& prepared) {
  try {
    const JudgedEvaluation judged = JudgeInitialState(prepared, Detail::kAccelerations);
    return {judged.ending, judged.condition};
  } catch (const EvaluationFailed& failed) {
    return {{}, {NAN, failed.what(), false}};
  }
}

JudgedStart OfMotion(const PreparedCell& prepared, const JudgedStart& start) {
  if (start.ending.outcome != Outcome::kIllConditioned) return start;
  PreparedCell rest = prepared;
  rest.cell.problem.clear();  // no longer that of the catalogue
  std::string lost;
  for (SpringDamper& e : rest.problem.system.forces.Of<SpringDamper>()) {
    if (!LosesItsDirection(e, prepared.initial.bodies)) continue;
    e.damping = 0;
    lost = e.name;
  }
  if (lost.empty()) return start;
  return {JudgeStart(rest).ending,
          {NAN,
           fmt::format("the ends of spring-damper '{}' coincide at the initial state, and the last "
                       "digit decides the direction of its damper there, but not the motion",
                       lost),
           false}};
}

StartRecord RecordOf(const JudgedStart& start) {
  return {std::string(Name(start.ending.outcome)), start.ending.reason, start.condition.scatter,
          start.condition.why_not, start.condition.is_alone};
}

JudgedStart JudgedStartFrom(const StartRecord& record) {
  // In a record both an infinite and an unmeasured scatter are unknown; `why_not` distinguishes them.
  return {
      {OutcomeNamed(record.outcome), record.reason},
      {std::isfinite(record.scatter) ? record.scatter : INFINITY, record.why_not, record.is_alone}};
}

}  // namespace mbsbench
