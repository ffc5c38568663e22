#pragma once

#include "methods/interface/operation_count.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench::composite_body {

// For H and C, the factorisation and the solution; no count for systems with loops, force elements or
// springs in joints.
CountedOperations CountOperations(const System& system, const JointState& state);

}  // namespace mbsbench::composite_body
