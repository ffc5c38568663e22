#include "methods/articulated_body/reactions.h"

#include "methods/kinematics/force_elements.h"
#include "problems/model/topology.h"

namespace mbsbench::articulated_body {

namespace {

// v without its part along the unit vector e.
Vector3 Across(const Vector3& v, const Vector3& e) { return v - Dot(v, e) * e; }

// Of a revolute or prismatic joint.
Vector3 AxisOf(const Joint& joint, const std::vector<BodyState>& bodies) {
  return Rotate(bodies[static_cast<std::size_t>(joint.child)].orientation,
                Rotate(joint.child_frame.orientation, {0, 0, 1}));
}

// All that acts on the children through the tree joints, springs and drivers included; torques about
// the origin of the child's joint frame.
std::vector<JointReaction> PassedThroughJoints(const System& system,
                                               const std::vector<BodyState>& bodies,
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

  std::vector<JointReaction> passed(system.joints.size());
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
    passed[j].force = force;
    passed[j].torque = torque;
  }
  return passed;
}

}  // namespace

std::vector<JointReaction> Reactions(const System& system, const std::vector<BodyState>& bodies,
                                     const std::vector<BodyAcceleration>& accelerations,
                                     const LoopClosure* loops) {
  std::vector<JointReaction> reactions = PassedThroughJoints(system, bodies, accelerations, loops);
  // Along free directions a constraint exerts nothing: what is there is the joint's spring or driver.
  for (std::size_t j = 0; j < reactions.size(); ++j) {
    const Joint& joint = system.joints[j];
    JointReaction& r = reactions[j];
    if (joint.type == JointType::kBall) r.torque = {};
    if (joint.type == JointType::kRevolute) r.torque = Across(r.torque, AxisOf(joint, bodies));
    if (joint.type == JointType::kPrismatic) r.force = Across(r.force, AxisOf(joint, bodies));
  }
  if (loops != nullptr) loops->CompleteReactions(bodies, reactions);
  return reactions;
}

double DriverPower(const System& system, const JointState& joints,
                   const std::vector<BodyState>& bodies,
                   const std::vector<BodyAcceleration>& accelerations, const LoopClosure* loops) {
  const std::vector<JointReaction> passed =
      PassedThroughJoints(system, bodies, accelerations, loops);
  const JointOffsets at = OffsetsOf(system);
  double power = 0;
  for (const Driver& d : system.drivers) {
    const auto j = static_cast<std::size_t>(d.joint);
    const Joint& joint = system.joints[j];
    const double q = joints.q[static_cast<std::size_t>(at.q[j])];
    const double u = joints.u[static_cast<std::size_t>(at.u[j])];
    double drive = Dot(joint.type == JointType::kRevolute ? passed[j].torque : passed[j].force,
                       AxisOf(joint, bodies));
    for (const JointSpringDamper& e : system.joint_spring_dampers) {
      if (e.joint == d.joint) drive -= JointSpringForce(e, q, u);
    }
    power += drive * u;
  }
  return power;
}

}  // namespace mbsbench::articulated_body
