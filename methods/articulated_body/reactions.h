// Reactions of all tree joints from known accelerations, fixed joints inside merged groups
// included: Newton-Euler body by body, from the tips to the root.
#pragma once

#include <vector>

#include "methods/interface/observation.h"
#include "problems/model/system.h"

namespace mbsbench::articulated_body {

std::vector<JointReaction> Reactions(const System& system, const std::vector<BodyState>& bodies,
                                     const std::vector<BodyAcceleration>& accelerations);

}  // namespace mbsbench::articulated_body
