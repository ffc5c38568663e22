// A mechanism in other units or in rotated axes. The motion is the same; only the rounding of
// the numbers changes.
#pragma once

#include <span>

#include "problems/model/geometry.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

// Factors by which lengths, masses and times are multiplied.
struct Units {
  double length = 1, mass = 1, time = 1;
};

// Not for rope flights. Not for sliders that an arcsine moves, whose value is an angle in any unit.
System InUnits(System system, const Units& units);
JointState InUnits(const System& system, JointState state, const Units& units);

// Rotates the inertial axes by `turn`, with the gravity and everything attached to the ground, and the
// axes of each body by its own rotation (empty: unchanged). Joint coordinates do not change. Not for
// rope flights.
System Turned(System system, const Quaternion& turn, std::span<const Quaternion> of_bodies = {});

}  // namespace mbsbench
