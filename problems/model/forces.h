// Which kinds of forces a system has. Their laws are evaluated by methods/kinematics and, separately, by reference.
#pragma once

#include "problems/model/system.h"

namespace mbsbench {

// Whether there are spring-dampers between bodies, applied forces or ground springs.
bool HasForceElements(const System& system);

// Whether there are dampers, applied forces, drivers or a rope flight: what changes the energy.
bool HasNonConservativeForces(const System& system);

}  // namespace mbsbench
