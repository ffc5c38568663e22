// The forces of loop joints, and the reactions that they leave undetermined.
#pragma once

#include <span>

#include "methods/interface/observation.h"
#include "methods/kinematics/force_elements.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

// Adds the forces of loop joints to `wrenches` (per body, about the mass centre, inertial axes):
// `on_children` on their children, about the origin of the child's joint frame, and the opposite on
// the parents at the same point of space.
void AddLoopReactions(std::span<const Joint> loop_joints, std::span<const BodyState> bodies,
                      std::span<const JointReaction> on_children, std::span<Wrench> wrenches);

// Marks the components of reactions (tree joints, then loop joints) that change by more than the fraction
// `no_change` of the largest change when `null_vector` is added: forces of loop joints on their
// children that move nothing. They are transmitted through the tree as in statics.
void MarkUndetermined(const System& system, std::span<const Joint> loop_joints,
                      std::span<const BodyState> bodies, std::span<const JointReaction> null_vector,
                      double no_change, std::span<JointReaction> reactions);

}  // namespace mbsbench
