// Reactions of all joints from known accelerations, fixed joints inside merged groups included:
// Newton-Euler body by body, from the tips to the root. Those of loop joints are known before.
#pragma once

#include <vector>

#include "methods/interface/loop_closure.h"
#include "methods/interface/observation.h"
#include "problems/model/system.h"

namespace mbsbench::articulated_body {

std::vector<JointReaction> Reactions(const System& system, const std::vector<BodyState>& bodies,
                                     const std::vector<BodyAcceleration>& accelerations,
                                     const LoopClosure* loops);

}  // namespace mbsbench::articulated_body
