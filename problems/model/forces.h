// Kinds of forces of a system. methods/kinematics and, independently, reference evaluate them.
#pragma once

#include "problems/model/system.h"

namespace mbsbench {

// Whether there are spring-dampers between bodies, applied forces or ground springs.
bool HasForceElements(const System& system);

// Whether anything changes the energy: dampers, applied forces, drivers or a rope flight.
bool HasNonConservativeForces(const System& system);

}  // namespace mbsbench
