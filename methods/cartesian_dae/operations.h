#pragma once

#include "methods/interface/operation_count.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench::cartesian {

// For `index1`: the printed equations, and the work of KLU on the actual pattern of their matrix with
// the kept pivots. No count for systems with loops, drivers, force elements or springs in joints.
CountedOperations CountOperations(const System& system, const JointState& state);

}  // namespace mbsbench::cartesian
