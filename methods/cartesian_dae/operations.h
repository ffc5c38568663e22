#pragma once

#include "methods/interface/operation_count.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench::cartesian {

// Of `index1`: the readable equations, and what KLU does with their matrix on its actual pattern, in the
// pivots that are kept. No value on systems with loops, drivers, force elements or springs in joints.
CountedOperations CountOperations(const System& system, const JointState& state);

}  // namespace mbsbench::cartesian
