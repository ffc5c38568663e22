// The same mechanism stated in other numbers: in other units, or in axes that are turned. It moves as
// before; what changes is how each number is rounded.
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

// Not for rope flights. An arcsine is an angle in any unit, so a slider that one moves is none.
System InUnits(System system, const Units& units);
JointState InUnits(const System& system, JointState state, const Units& units);

// The inertial axes turned by `turn`, the gravity and all that stands on the ground with them, and the
// axes of each body by its own turn (none: as they are). Joint coordinates stay. Not for rope flights.
System Turned(System system, const Quaternion& turn, std::span<const Quaternion> of_bodies = {});

}  // namespace mbsbench
