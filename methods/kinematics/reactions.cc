#include "methods/kinematics/reactions.h"

#include <algorithm>

#include "methods/kinematics/no_tree_joint.h"
#include "problems/model/topology.h"

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

std::vector<JointReaction> PassedThroughTree(const System& system,
                                             std::span<const BodyState> bodies,
                                             std::vector<Wrench> needed) {
  const Topology tree = TopologyOf(system);
  std::vector<JointReaction> passed(system.joints.size());
  for (auto b = tree.order.rbegin(); b != tree.order.rend(); ++b) {
    const int j = tree.joint[At(*b)];
    const Joint& joint = system.joints[At(j)];
    if (joint.type == JointType::kFree) continue;  // nothing passes
    const Vector3 arm = ArmOfChild(joint, bodies);
    const Vector3 force = needed[At(*b)].force;
    const Vector3 torque = needed[At(*b)].moment - Cross(arm, force);
    if (joint.parent != kGround) {
      Wrench& parent = needed[At(joint.parent)];
      const Vector3 parent_arm = bodies[At(*b)].position + arm - bodies[At(joint.parent)].position;
      parent.force = parent.force + force;
      parent.moment = parent.moment + torque + Cross(parent_arm, force);
    }
    passed[At(j)].force = force;
    passed[At(j)].torque = torque;
  }
  return passed;
}

std::vector<Wrench> NeededWrenches(const System& system, std::span<const BodyState> bodies,
                                   std::span<const BodyAcceleration> accelerations,
                                   std::span<const Wrench> applied) {
  std::vector<Wrench> needed(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = system.bodies[b];
    const Quaternion &q = bodies[b].orientation, to_body = Conjugate(q);
    const auto times_inertia = [&](const Vector3& v) {
      return Rotate(q, body.inertia * Rotate(to_body, v));
    };
    const Vector3& omega = bodies[b].angular_velocity;
    needed[b] = {body.mass * (accelerations[b].acceleration - system.gravity) - applied[b].force,
                 times_inertia(accelerations[b].angular_acceleration) +
                     Cross(omega, times_inertia(omega)) - applied[b].moment};
  }
  return needed;
}

void TakeOutFreeDirections(const System& system, std::span<const BodyState> bodies,
                           std::span<JointReaction> reactions) {
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const Joint& joint = system.joints[j];
    JointReaction& r = reactions[j];
    const auto across = [&](const Vector3& v) {
      const Vector3 axis = Rotate(bodies[At(joint.child)].orientation,
                                  Rotate(joint.child_frame.orientation, {0, 0, 1}));
      return v - Dot(v, axis) * axis;
    };
    switch (joint.type) {
      case JointType::kBall: r.torque = {}; break;
      case JointType::kRevolute: r.torque = across(r.torque); break;
      case JointType::kPrismatic: r.force = across(r.force); break;
      case JointType::kFixed: break;
      case JointType::kFree: r.force = r.torque = {}; break;
      case JointType::kDistance:
      case JointType::kUniversal: ThrowNoTreeJoint(joint.type);
    }
  }
}

void MarkUndetermined(const System& system, std::span<const Joint> loop_joints,
                      std::span<const BodyState> bodies, std::span<const JointReaction> null_vector,
                      double no_change, std::span<JointReaction> reactions) {
  std::vector<Wrench> exerted(bodies.size());
  AddLoopReactions(loop_joints, bodies, null_vector, exerted);
  std::vector<JointReaction> changes = PassedThroughTree(system, bodies, std::move(exerted));
  changes.insert(changes.end(), null_vector.begin(), null_vector.end());
  const auto size = [](const JointReaction& r) { return Norm(r.force) + Norm(r.torque); };
  double largest = 0;
  for (const JointReaction& change : changes) largest = std::max(largest, size(change));
  for (std::size_t j = 0; j < changes.size(); ++j) {
    if (size(changes[j]) > no_change * largest) reactions[j].unique = false;
  }
}

}  // namespace mbsbench
