#pragma once

#include "methods/interface/operation_count.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench::steady {

// For f and the values of its sparse Jacobian, with the timed kernels.
CountedOperations CountOperations(const System& system, const JointState& state);

}  // namespace mbsbench::steady
