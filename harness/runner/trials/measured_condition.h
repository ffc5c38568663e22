// Measures the number of correct digits of the accelerations of a method at a state, for any method, including engines and
// plug-ins.
//
// The method is prepared again and evaluated with all data changed at random by one unit in the last place and stated in
// other units and axes. This changes every rounding between the data and the accelerations. The scatter of the results is the
// effect of round-off, in the equations of the problem and in their solution by the method.
#pragma once

#include <span>
#include <string>

#include "harness/metrics/acceleration_error.h"
#include "harness/runner/cells/trial.h"

namespace mbsbench {

// Accelerations with this AccelerationError have no correct digit.
inline constexpr double kNoDigitRight = 0.1;
// The factor by which the largest distance of a few random changes may underestimate the effect of round-off: mutated models
// with 1.5 measured digits had no correct digit.
inline constexpr double kFallsShort = 10;

struct MeasuredCondition {
  double scatter = 0;   // largest AccelerationError between evaluations; NaN: not measured
  std::string why_not;  // sentence where it is not measured
  // The method evaluates this state and refuses at least half of the states that differ in the last place.
  bool is_alone = false;

  bool measured() const { return why_not.empty(); }
  // Relative change of the accelerations per relative change of the data.
  double number() const;
  // Correct decimal digits of the largest acceleration, 0 to 16.
  double digits_left() const;
  // Whether even the first digit is uncertain.
  bool no_digit_left() const;
  // The reason of an outcome ill_conditioned; `when`: "at the initial state".
  std::string Sentence(const std::string& when) const;
};
ConditionRecord RecordOf(const MeasuredCondition& condition);

// At the initial state, where the method gave `observation`. Masses, inertias, joint frames, stiffnesses, coordinates and rates
// are changed, each number by itself; zeros stay zero. Digits that are lost next to a large number (a light body on a heavy
// one, an arm far from the origin) would be lost in every evaluation, and zeros would hide the loss. Therefore lengths and
// masses are in other units each time, the inertial axes are turned every second time, and the axes of the bodies, each by its
// own turn, every fourth time. The method is prepared again for each change.
MeasuredCondition MeasureCondition(const PreparedCell& prepared, const Observation& observation);

// Whether a copy of the system would take much memory and the catalogue can restore the original.
bool IsMeasuredInPlace(const PreparedCell& prepared);
// MeasureCondition for such a system, whose data and state it changes in place. The rest of the problem is unchanged.
// `scale`: of the initial state.
MeasuredCondition MeasureConditionInPlace(PreparedCell& prepared, const AccelerationScale& scale,
                                          const Observation& observation);

// At y, by changes of y, with the formulation as it is.
MeasuredCondition MeasureCondition(const Problem& problem, Formulation& formulation, double t,
                                   std::span<const double> y);

}  // namespace mbsbench
