#include "methods/kane_huston/reactions.h"

namespace mbsbench::kane_huston {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

// Force at the mass centre and moment about it that accelerate the body as told, less what gravity
// and the force elements give.
Wrench MissingWrench(const Body& body, const BodyState& state, const BodyAcceleration& acceleration,
                     const Wrench& given, const Vector3& gravity) {
  const auto inertia_times = [&](const Vector3& v) {
    return Rotate(state.orientation, body.inertia * Rotate(Conjugate(state.orientation), v));
  };
  const Vector3& omega = state.angular_velocity;
  return {body.mass * (acceleration.acceleration - gravity) - given.force,
          inertia_times(acceleration.angular_acceleration) + Cross(omega, inertia_times(omega)) -
              given.moment};
}

}  // namespace

std::vector<JointReaction> TreeReactions(const System& system, const Topology& tree,
                                         std::span<const BodyState> bodies,
                                         std::span<const BodyAcceleration> accelerations,
                                         std::span<const Wrench> wrenches,
                                         const JointState& joints) {
  // What the joint of each body transmits to its subtree, at the body's mass centre.
  std::vector<Wrench> transmitted(bodies.size());
  for (std::size_t b = 0; b < bodies.size(); ++b)
    transmitted[b] =
        MissingWrench(system.bodies[b], bodies[b], accelerations[b], wrenches[b], system.gravity);
  for (auto b = tree.order.rbegin(); b != tree.order.rend(); ++b) {
    const int parent = tree.parent[At(*b)];
    if (parent == kGround) continue;
    const Wrench& own = transmitted[At(*b)];
    const Vector3 arm = bodies[At(*b)].position - bodies[At(parent)].position;
    transmitted[At(parent)].force = transmitted[At(parent)].force + own.force;
    transmitted[At(parent)].moment =
        transmitted[At(parent)].moment + own.moment + Cross(arm, own.force);
  }

  std::vector<JointReaction> reactions(system.joints.size());
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const Joint& joint = system.joints[j];
    const BodyState& child = bodies[At(joint.child)];
    const Wrench& at_centre = transmitted[At(joint.child)];
    const Vector3 arm = Rotate(child.orientation, joint.child_frame.position);
    reactions[j].force = at_centre.force;
    reactions[j].torque = at_centre.moment - Cross(arm, at_centre.force);
  }
  const JointOffsets at = OffsetsOf(system);
  for (const JointSpringDamper& e : system.joint_spring_dampers) {
    const Joint& joint = system.joints[At(e.joint)];
    const double force =
        JointSpringForce(e, joints.q[At(at.q[At(e.joint)])], joints.u[At(at.u[At(e.joint)])]);
    const Vector3 axis =
        Rotate(bodies[At(joint.child)].orientation * joint.child_frame.orientation, {0, 0, force});
    JointReaction& reaction = reactions[At(e.joint)];
    Vector3& along = joint.type == JointType::kPrismatic ? reaction.force : reaction.torque;
    along = along - axis;
  }
  return reactions;
}

double TakeOutDrivers(const System& system, std::span<const BodyState> bodies,
                      const JointState& joints, std::vector<JointReaction>& reactions) {
  const JointOffsets at = OffsetsOf(system);
  double power = 0;
  for (const Driver& driver : system.drivers) {
    const Joint& joint = system.joints[At(driver.joint)];
    const Vector3 axis =
        Rotate(bodies[At(joint.child)].orientation * joint.child_frame.orientation, {0, 0, 1});
    JointReaction& reaction = reactions[At(driver.joint)];
    Vector3& along = joint.type == JointType::kPrismatic ? reaction.force : reaction.torque;
    const double exerted = Dot(along, axis);
    along = along - exerted * axis;
    power += exerted * joints.u[At(at.u[At(driver.joint)])];
  }
  return power;
}

}  // namespace mbsbench::kane_huston
