#pragma once

#include "methods/interface/operation_count.h"
#include "methods/transfer_elements/plane.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

// For the variant `general`: the sweeps of the printed equations, and the dense LU factors of the overall
// transfer equation, counted by its order. `plane` if the 7 x 7 form is used, else null. No count for
// systems with loops, drivers, force elements or springs in joints.
CountedOperations CountClassicalOperations(const System& system, const Plane* plane,
                                           const JointState& state);

}  // namespace mbsbench
