#include "methods/kinematics/joint_reactions.h"

#include "methods/kinematics/joint_laws.h"
#include "methods/kinematics/tree_joint.h"
#include "problems/model/topology.h"

namespace mbsbench {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

// v without its component along the unit vector e.
Vector3 Across(const Vector3& v, const Vector3& e) { return v - Dot(v, e) * e; }

// The axis of a joint that has one, inertial axes.
Vector3 AxisOf(const Joint& joint, std::span<const BodyState> bodies) {
  return Rotate(bodies[At(joint.child)].orientation,
                Rotate(joint.child_frame.orientation, {0, 0, 1}));
}

}  // namespace

std::vector<Wrench> NeededWrenches(const System& system, std::span<const BodyState> bodies,
                                   std::span<const BodyAcceleration> accelerations,
                                   std::span<const Wrench> applied) {
  std::vector<Wrench> needed(bodies.size());
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
  return needed;
}

std::vector<JointReaction> PassedThroughJoints(const System& system,
                                               std::span<const BodyState> bodies,
                                               std::vector<Wrench> needed) {
  const Topology tree = TopologyOf(system);
  std::vector<JointReaction> passed(system.joints.size());
  for (auto body = tree.order.rbegin(); body != tree.order.rend(); ++body) {
    const std::size_t b = At(*body), j = At(tree.joint[At(*body)]);
    const Joint& joint = system.joints[j];
    const Vector3 arm = Rotate(bodies[b].orientation, joint.child_frame.position);
    const Vector3 force = needed[b].force;
    const Vector3 torque = needed[b].moment - Cross(arm, force);  // about the child frame's origin
    if (joint.parent != kGround) {
      const std::size_t p = At(joint.parent);
      const Vector3 parent_arm = bodies[b].position + arm - bodies[p].position;
      needed[p].force = needed[p].force + force;
      needed[p].moment = needed[p].moment + torque + Cross(parent_arm, force);
    }
    passed[j].force = force;
    passed[j].torque = torque;
  }
  return passed;
}

void RemoveFreeDirections(const System& system, std::span<const BodyState> bodies,
                          std::span<JointReaction> reactions) {
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const Joint& joint = system.joints[j];
    JointReaction& r = reactions[j];
    ForJoint(joint.type, [&](auto type) {
      if constexpr (type.kOneAxis) {
        Vector3& free = type.kTurns == 1 ? r.torque : r.force;
        free = Across(free, AxisOf(joint, bodies));
      } else {
        static_assert(type.kTurns == 0 || type.kTurnsFreely);
        static_assert(type.kSlides == 0 || type.kSlides == 3);
        if (type.kTurnsFreely) r.torque = {};
        if (type.kSlides == 3) r.force = {};
      }
    });
  }
}

std::vector<double> AlongDrivenAxes(const System& system, std::span<const BodyState> bodies,
                                    std::span<const JointReaction> passed) {
  std::vector<double> along;
  for (const Driver& d : system.drivers) {
    const Joint& joint = system.joints[At(d.joint)];
    const JointReaction& all = passed[At(d.joint)];
    along.push_back(Dot(TurnsAboutZ(joint.type) ? all.torque : all.force, AxisOf(joint, bodies)));
  }
  return along;
}

std::vector<double> DriverEfforts(const System& system, double t, const JointState& joints,
                                  std::span<const double> along_axes) {
  const JointOffsets at = OffsetsOf(system);
  const std::vector<JointLaw> laws = JointLawsOf(system);
  std::vector<double> efforts;
  for (const Driver& d : system.drivers) {
    const std::size_t j = At(d.joint);
    const double q = joints.q[At(at.q[j])], u = joints.u[At(at.u[j])];
    double effort = along_axes[efforts.size()];
    for (const JointLaw& law : laws) {
      if (law.joint == d.joint) effort -= law.At(t, q, u);
    }
    efforts.push_back(effort);
  }
  return efforts;
}

}  // namespace mbsbench
