// Marks the components of reactions that are not unique.
#pragma once

#include <span>

#include "methods/interface/observation.h"
#include "problems/model/system.h"

namespace mbsbench {

// Marks the components that multipliers that move nothing change by more than the fraction `no_change` of the largest
// change. Moments are divided by the reach of the largest body.
void MarkChanged(const System& system, std::span<const JointReaction> changes, double no_change,
                 std::span<JointReaction> reactions);

}  // namespace mbsbench
