#include "problems/model/same_mechanism.h"

#include <algorithm>

#include "problems/model/eigen.h"

namespace mbsbench {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

void ChangeUnitsOf(DriverMotion& motion, double length, double time) {
  motion.rate *= length / time;
  motion.amplitude *= length, motion.mean *= length;
  motion.angular_frequency /= time;
  double unit = length;
  for (double& a : motion.coefficients) a *= unit, unit /= time;
  motion.from *= length, motion.to *= length;
  motion.begin *= time, motion.duration *= time;
  // An arcsine is an angle, also where it moves a slider.
  for (DriverMotion& term : motion.terms)
    ChangeUnitsOf(term, motion.kind == MotionKind::kArcsine ? 1 : length, time);
}

}  // namespace

System InUnits(System system, const Units& units) {
  const auto [l, m, t] = units;
  const double force = m * l / (t * t), stiffness = m / (t * t), damping = m / t;
  for (Body& body : system.bodies) {
    body.mass *= m;
    for (double& entry : body.inertia.entries) entry *= m * l * l;
  }
  for (auto* joints : {&system.joints, &system.loop_joints}) {
    for (Joint& joint : *joints) {
      joint.parent_frame.position = l * joint.parent_frame.position;
      joint.child_frame.position = l * joint.child_frame.position;
      joint.length *= l;
    }
  }
  for (SpringDamper& e : system.spring_dampers) {
    e.point_a = l * e.point_a, e.point_b = l * e.point_b;
    e.stiffness *= stiffness, e.damping *= damping, e.free_length *= l;
  }
  const auto turns = [&system](int joint) { return !IsLength(system.joints[At(joint)].type, 0); };
  for (JointSpringDamper& e : system.joint_spring_dampers) {
    e.stiffness *= stiffness * (turns(e.joint) ? l * l : 1);
    e.damping *= damping * (turns(e.joint) ? l * l : 1);
    e.free_coordinate *= turns(e.joint) ? 1 : l;
  }
  for (AppliedForce& e : system.applied_forces)
    e.point = l * e.point, e.force = force * e.force, e.moment = force * l * e.moment;
  for (GroundSpring& e : system.ground_springs)
    e.point = l * e.point, e.stiffness *= stiffness, e.damping *= damping, e.free_position *= l;
  system.gravity = l / (t * t) * system.gravity;
  for (Driver& driver : system.drivers)
    ChangeUnitsOf(driver.motion, turns(driver.joint) ? 1 : l, t);
  return system;
}

JointState InUnits(const System& system, JointState state, const Units& units) {
  const JointOffsets at = OffsetsOf(system);
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    for (int k = 0; IsLength(system.joints[j].type, k); ++k) {
      state.q[At(at.q[j] + k)] *= units.length;
      state.u[At(at.u[j] + k)] *= units.length;
    }
  }
  for (double& rate : state.u) rate /= units.time;
  return state;
}

System Turned(System system, const Quaternion& turn, std::span<const Quaternion> of_bodies) {
  const auto turn_of = [&](int body) {
    if (body == kGround) return turn;
    return of_bodies.empty() ? Quaternion{} : of_bodies[At(body)];
  };
  const auto rotate = [&](int body, Vector3& v) { v = Rotate(turn_of(body), v); };
  const auto rotate_frame = [&](int body, Frame& frame) {
    rotate(body, frame.position);
    frame.orientation = turn_of(body) * frame.orientation;
  };
  for (std::size_t b = 0; b < of_bodies.size(); ++b) {
    const Eigen::Matrix3d axes = ToEigen(DirectionCosineMatrix(of_bodies[b]));
    SymmetricMatrix3& inertia = system.bodies[b].inertia;
    const Eigen::Matrix3d turned = axes * ToEigen(inertia) * axes.transpose();
    for (int i = 0; i < 3; ++i) {
      for (int k = 0; k <= i; ++k) inertia(i, k) = turned(i, k);
    }
  }
  for (auto* joints : {&system.joints, &system.loop_joints}) {
    for (Joint& joint : *joints) {
      rotate_frame(joint.parent, joint.parent_frame);
      rotate_frame(joint.child, joint.child_frame);
    }
  }
  for (SpringDamper& e : system.spring_dampers)
    rotate(e.body_a, e.point_a), rotate(e.body_b, e.point_b);
  for (AppliedForce& e : system.applied_forces) {
    const int axes = e.in_body_axes ? e.body : kGround;
    rotate(e.body, e.point), rotate(axes, e.force), rotate(axes, e.moment);
  }
  for (GroundSpring& e : system.ground_springs)
    rotate(e.body, e.point), rotate(kGround, e.direction);
  rotate(kGround, system.gravity);
  return system;
}

}  // namespace mbsbench
