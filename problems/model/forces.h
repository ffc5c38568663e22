// What the forces of a system do to its energy.
#pragma once

#include "problems/model/system.h"

namespace mbsbench {

// Whether anything changes the energy: dampers, applied forces, motors, drivers or a rope flight.
bool HasNonConservativeForces(const System& system);

}  // namespace mbsbench
