// How many digits of its accelerations a method has at a state: measured, for any method, engines and
// plug-ins included.
//
// Evaluations are repeated, prepared anew, with all data changed at random by one unit in the last place and stated in
// other units and axes, which changes each rounding on the way from the data to the accelerations. How far the
// results scatter is what round-off does to them: in the equations of the problem and in how the method solves them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/runner/trial.h"

namespace mbsbench {

// Accelerations that are this far away, in the measure of AccelerationError, have no digit right.
inline constexpr double kNoDigitRight = 0.1;
// By how much the largest distance of a few random changes may fall short of what round-off does: where it said that 1.5 digits are
// left, mutated models had none.
inline constexpr double kFallsShort = 10;

struct MeasuredCondition {
  double scatter = 0;   // largest AccelerationError between evaluations; NaN: not measured
  std::string why_not;  // sentence where it is not measured
  // The method evaluates this state and refuses at least half of those that differ in the last place.
  bool is_alone = false;

  bool measured() const { return why_not.empty(); }
  // Relative change of the accelerations per relative change of the data.
  double number() const;
  // Correct decimal digits of the largest acceleration, 0 to 16.
  double digits_left() const;
  // Whether not even the first digit is certain.
  bool no_digit_left() const;
  // Of outcome ill_conditioned; `when`: "at the initial state".
  std::string Sentence(const std::string& when) const;
};
ConditionRecord RecordOf(const MeasuredCondition& condition);

// At the initial state, where the method gave `observation`: masses, inertias, joint frames, stiffnesses,
// coordinates and rates are changed, each number by itself; what is zero stays zero. What is lost next to a large
// number (a light body on a heavy one, an arm far from the origin) is lost in the same way whatever its last place is,
// and zeros hide it: so lengths and masses are in other units each time, the inertial axes are turned every other time,
// and those of the bodies, each by its own turn, every fourth.
// Prepares the method anew for each change.
MeasuredCondition MeasureCondition(const PreparedCell& prepared, const Observation& observation);

// Whether a copy of the system would take much memory, and one of the catalogue gives it back where it is needed unchanged.
bool IsMeasuredInPlace(const PreparedCell& prepared);
// The same of such a system, whose data and state it changes in place. Names and all else of the problem stay as they were. `natural`:
// NaturalAcceleration of the initial state.
MeasuredCondition MeasureConditionInPlace(PreparedCell& prepared, double natural,
                                          const Observation& observation);

// At y, of the formulation as it stands: y is changed.
MeasuredCondition MeasureCondition(const Problem& problem, Formulation& formulation, double t,
                                   std::span<const double> y);

}  // namespace mbsbench
