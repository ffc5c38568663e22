#pragma once

#include "methods/interface/operation_count.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench::articulated_body {

// Of the sweep's three passes; no value on systems with loops, force elements or springs in joints.
CountedOperations CountOperations(const System& system, const JointState& state);

}  // namespace mbsbench::articulated_body
