#pragma once

#include "methods/interface/operation_count.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench::kane_huston {

// Of Kane's equations and their solution; no value on systems with force elements or springs in joints.
CountedOperations CountOperations(const System& system, const JointState& state);

}  // namespace mbsbench::kane_huston
