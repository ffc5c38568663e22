#include "methods/kinematics/loop_reactions.h"

#include "methods/kinematics/changed_reactions.h"
#include "methods/kinematics/joint_reactions.h"

namespace mbsbench {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

Vector3 ArmOfChild(const Joint& joint, std::span<const BodyState> bodies) {
  return Rotate(bodies[At(joint.child)].orientation, joint.child_frame.position);
}

}  // namespace

void AddLoopReactions(std::span<const Joint> loop_joints, std::span<const BodyState> bodies,
                      std::span<const JointReaction> on_children, std::span<Wrench> wrenches) {
  for (std::size_t k = 0; k < loop_joints.size(); ++k) {
    const Joint& joint = loop_joints[k];
    const Vector3 point = bodies[At(joint.child)].position + ArmOfChild(joint, bodies);
    const auto add = [&](int body, double sign) {
      if (body == kGround) return;
      Wrench& w = wrenches[At(body)];
      const Vector3 arm = point - bodies[At(body)].position;
      w.force = w.force + sign * on_children[k].force;
      w.moment = w.moment + sign * (on_children[k].torque + Cross(arm, on_children[k].force));
    };
    add(joint.child, 1);
    add(joint.parent, -1);
  }
}

void MarkUndetermined(const System& system, std::span<const Joint> loop_joints,
                      std::span<const BodyState> bodies, std::span<const JointReaction> null_vector,
                      double no_change, std::span<JointReaction> reactions) {
  std::vector<Wrench> exerted(bodies.size());
  AddLoopReactions(loop_joints, bodies, null_vector, exerted);
  std::vector<JointReaction> changes = PassedThroughJoints(system, bodies, std::move(exerted));
  changes.insert(changes.end(), null_vector.begin(), null_vector.end());
  MarkChanged(system, changes, no_change, reactions);
}

}  // namespace mbsbench
