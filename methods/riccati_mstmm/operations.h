#pragma once

#include "methods/interface/operation_count.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

// Of the sweeps of `general`; no value on systems with loops, force elements or springs in joints.
CountedOperations CountRiccatiOperations(const System& system, const JointState& state);

}  // namespace mbsbench
