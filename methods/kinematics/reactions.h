// Reactions of joints from known accelerations and, in loops, known multipliers: Newton-Euler body by
// body, from the tips to the root, fixed joints inside merged groups included.
#pragma once

#include <span>
#include <vector>

#include "methods/interface/observation.h"
#include "methods/kinematics/force_elements.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

// Adds to `wrenches` (per body, about the mass centre, inertial axes) what loop joints exert: on their
// children `on_children`, about the origin of the child's joint frame, and the opposite on the parents
// at the same point of space.
void AddLoopReactions(std::span<const Joint> loop_joints, std::span<const BodyState> bodies,
                      std::span<const JointReaction> on_children, std::span<Wrench> wrenches);

// What passes through the tree joints where each body needs the wrench `needed` from its joints:
// torques about the origin of the child's joint frame, springs and drivers included. Loop joints are
// not looked at.
std::vector<JointReaction> PassedThroughTree(const System& system,
                                             std::span<const BodyState> bodies,
                                             std::vector<Wrench> needed);

// What each body needs beside gravity and `applied`, the wrenches of force elements and loop joints.
std::vector<Wrench> NeededWrenches(const System& system, std::span<const BodyState> bodies,
                                   std::span<const BodyAcceleration> accelerations,
                                   std::span<const Wrench> applied);

// Along free directions a constraint exerts nothing: what passes there is the joint's spring or driver,
// and is taken out.
void TakeOutFreeDirections(const System& system, std::span<const BodyState> bodies,
                           std::span<JointReaction> reactions);

// Marks the reactions (tree joints, then loop joints) that change by more than the share `no_change`
// of the largest change when `null_vector` is added: what loop joints exert on their children without
// moving anything. It passes through the tree as in statics.
void MarkUndetermined(const System& system, std::span<const Joint> loop_joints,
                      std::span<const BodyState> bodies, std::span<const JointReaction> null_vector,
                      double no_change, std::span<JointReaction> reactions);

}  // namespace mbsbench
