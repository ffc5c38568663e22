// Reactions of all joints from known accelerations, fixed joints inside merged groups included:
// Newton-Euler body by body, from the tips to the root. Those of loop joints are known before.
#pragma once

#include <vector>

#include "methods/interface/observation.h"
#include "methods/numerics/loop_closure.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench::articulated_body {

std::vector<JointReaction> Reactions(const System& system, const std::vector<BodyState>& bodies,
                                     const std::vector<BodyAcceleration>& accelerations,
                                     const LoopClosure* loops);

// Power of the drivers [W]. A driver exerts what passes its joint along the axis, less what the
// joint's springs exert there; no part of it is a reaction.
double DriverPower(const System& system, const JointState& joints,
                   const std::vector<BodyState>& bodies,
                   const std::vector<BodyAcceleration>& accelerations, const LoopClosure* loops);

}  // namespace mbsbench::articulated_body
