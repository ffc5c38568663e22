#pragma once

#include "methods/interface/operation_count.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench::equivalent_particles {

// For Attia's equations, eliminated from the tips to the root as in `index1`, without entries that are
// zero at the state; no count for systems with loops, drivers, force elements or springs in joints.
CountedOperations CountOperations(const System& system, const JointState& state);

}  // namespace mbsbench::equivalent_particles
