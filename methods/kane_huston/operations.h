#pragma once

#include "methods/interface/operation_count.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench::kane_huston {

// For Kane's equations and their solution; no count for systems with force elements or springs in
// joints.
CountedOperations CountOperations(const System& system, const JointState& state);

}  // namespace mbsbench::kane_huston
