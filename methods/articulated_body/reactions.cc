#include "methods/articulated_body/reactions.h"

#include "methods/interface/force_elements.h"
#include "problems/model/topology.h"

namespace mbsbench::articulated_body {

namespace {

// v without its part along the unit vector e.
Vector3 Across(const Vector3& v, const Vector3& e) { return v - Dot(v, e) * e; }

}  // namespace

std::vector<JointReaction> Reactions(const System& system, const std::vector<BodyState>& bodies,
                                     const std::vector<BodyAcceleration>& accelerations,
                                     const LoopClosure* loops) {
  const Topology tree = TopologyOf(system);
  std::vector<Wrench> applied(system.bodies.size());
  AddForceElements(system, bodies, applied);

  // What acts on each body through its joint: force, and moment about the mass centre.
  std::vector<Wrench> needed(system.bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = system.bodies[b];
    const BodyAcceleration& a = accelerations[b];
    const Quaternion to_body = Conjugate(bodies[b].orientation);
    const auto times_inertia = [&](const Vector3& v) {
      return Rotate(bodies[b].orientation, body.inertia * Rotate(to_body, v));
    };
    const Vector3& omega = bodies[b].angular_velocity;
    needed[b].force = body.mass * (a.acceleration - system.gravity) - applied[b].force;
    needed[b].moment = times_inertia(a.angular_acceleration) + Cross(omega, times_inertia(omega)) -
                       applied[b].moment;
  }

  for (int l = 0; loops != nullptr && l < loops->loop_count(); ++l) {
    const JointReaction on_child = loops->ReactionOf(l);
    const auto exert = [&](int body, double sign) {
      if (body == kGround) return;
      const auto b = static_cast<std::size_t>(body);
      const Vector3 arm = loops->point(l) - bodies[b].position;
      needed[b].force = needed[b].force - sign * on_child.force;
      needed[b].moment = needed[b].moment - sign * (on_child.torque + Cross(arm, on_child.force));
    };
    const Joint& joint = system.loop_joints[static_cast<std::size_t>(l)];
    exert(joint.child, 1);
    exert(joint.parent, -1);
  }

  std::vector<JointReaction> reactions(system.joints.size());
  for (std::size_t k = tree.order.size(); k-- > 0;) {
    const auto b = static_cast<std::size_t>(tree.order[k]);
    const auto j = static_cast<std::size_t>(tree.joint[b]);
    const Joint& joint = system.joints[j];
    if (joint.type == JointType::kFree) continue;  // nothing passes
    const Vector3 arm = Rotate(bodies[b].orientation, joint.child_frame.position);
    const Vector3 force = needed[b].force;
    const Vector3 torque = needed[b].moment - Cross(arm, force);  // about the child frame's origin
    if (joint.parent != kGround) {
      const auto p = static_cast<std::size_t>(joint.parent);
      const Vector3 parent_arm = bodies[b].position + arm - bodies[p].position;
      needed[p].force = needed[p].force + force;
      needed[p].moment = needed[p].moment + torque + Cross(parent_arm, force);
    }
    // Along free directions a constraint exerts nothing: what is there is the joint's spring.
    const Vector3 axis =
        Rotate(bodies[b].orientation, Rotate(joint.child_frame.orientation, {0, 0, 1}));
    reactions[j].force = joint.type == JointType::kPrismatic ? Across(force, axis) : force;
    reactions[j].torque = joint.type == JointType::kBall       ? Vector3{}
                          : joint.type == JointType::kRevolute ? Across(torque, axis)
                                                               : torque;
  }
  if (loops != nullptr) loops->CompleteReactions(bodies, reactions);
  return reactions;
}

}  // namespace mbsbench::articulated_body
