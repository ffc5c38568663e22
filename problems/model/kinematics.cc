#include "problems/model/kinematics.h"

#include <array>
#include <cmath>

#include "problems/model/force_outputs.h"
#include "problems/model/topology.h"
#include "problems/model/worse.h"

namespace mbsbench {

namespace {

constexpr std::array<Vector3, 3> kUnit{{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

double Component(const Vector3& v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

// Motion of a joint frame: the frame itself and the body-fixed point in its origin, inertial axes.
struct FrameMotion {
  Vector3 position;
  Quaternion orientation;  // joint axes -> inertial
  Vector3 velocity;
  Vector3 angular_velocity;
};

FrameMotion MotionOf(const Frame& frame, int body, const std::vector<BodyState>& bodies) {
  if (body == kGround) return {frame.position, frame.orientation, {}, {}};
  const BodyState& b = bodies[static_cast<std::size_t>(body)];
  const Vector3 arm = Rotate(b.orientation, frame.position);
  return {b.position + arm, b.orientation * frame.orientation,
          b.velocity + Cross(b.angular_velocity, arm), b.angular_velocity};
}

// The state of the body with this motion of its joint frame.
BodyState BodyFrom(const FrameMotion& frame_motion, const Frame& frame) {
  BodyState body;
  body.orientation = Normalised(frame_motion.orientation * Conjugate(frame.orientation));
  body.angular_velocity = frame_motion.angular_velocity;
  const Vector3 arm = Rotate(body.orientation, frame.position);
  body.position = frame_motion.position - arm;
  body.velocity = frame_motion.velocity - Cross(body.angular_velocity, arm);
  return body;
}

}  // namespace

std::vector<BodyState> ForwardKinematics(const System& system, const JointState& joints) {
  const Topology tree = TopologyOf(system);
  const JointOffsets at = OffsetsOf(system);
  std::vector<BodyState> bodies(system.bodies.size());
  for (int b : tree.order) {
    const auto j = static_cast<std::size_t>(tree.joint[static_cast<std::size_t>(b)]);
    const Joint& joint = system.joints[j];
    const double* q = joints.q.data() + at.q[j];
    const double* u = joints.u.data() + at.u[j];
    FrameMotion c = MotionOf(joint.parent_frame, joint.parent, bodies);  // P, turned into C below
    for (const JointAxis& motion : AxesOf(joint.type)) {
      const Vector3 along = kUnit[static_cast<std::size_t>(motion.axis)];
      const Vector3 axis = Rotate(c.orientation, along);
      if (motion.turns) {
        c.orientation = c.orientation * AxisAngle(along, *q);
        c.angular_velocity = c.angular_velocity + *u * axis;
      } else {
        c.velocity = c.velocity + Cross(c.angular_velocity, *q * axis) + *u * axis;
        c.position = c.position + *q * axis;
      }
      ++q, ++u;
    }
    if (TurnsFreely(joint.type)) {
      c.orientation = Normalised(c.orientation * Quaternion{q[0], q[1], q[2], q[3]});
      c.angular_velocity = c.angular_velocity + Rotate(c.orientation, {u[0], u[1], u[2]});
    }
    bodies[static_cast<std::size_t>(b)] = BodyFrom(c, joint.child_frame);
  }
  return bodies;
}

JointState JointStateOf(const System& system, const std::vector<BodyState>& bodies) {
  const JointOffsets at = OffsetsOf(system);
  JointState state;
  state.q.resize(static_cast<std::size_t>(at.q.back()));
  state.u.resize(static_cast<std::size_t>(at.u.back()));
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const Joint& joint = system.joints[j];
    const FrameMotion p = MotionOf(joint.parent_frame, joint.parent, bodies);
    const FrameMotion c = MotionOf(joint.child_frame, joint.child, bodies);
    const Quaternion to_p = Conjugate(p.orientation), to_c = Conjugate(c.orientation);
    const Quaternion relative = Normalised(to_p * c.orientation);
    const Vector3 arm = c.position - p.position;
    const Vector3 displacement = Rotate(to_p, arm);
    const Vector3 rate = Rotate(to_p, c.velocity - p.velocity - Cross(p.angular_velocity, arm));
    const Vector3 spin = c.angular_velocity - p.angular_velocity;
    double* q = state.q.data() + at.q[j];
    double* u = state.u.data() + at.u[j];
    Quaternion turn = relative;  // of C in the frame that the angles so far have turned
    Vector3 turn_rate = Rotate(to_p, spin);
    const std::span<const JointAxis> axes = AxesOf(joint.type);
    for (std::size_t k = 0; k < axes.size(); ++k) {
      const int axis = axes[k].axis;
      if (!axes[k].turns) {
        *q++ = Component(displacement, axis);
        *u++ = Component(rate, axis);
        continue;
      }
      const Vector3 about = kUnit[static_cast<std::size_t>(axis)];
      double angle = 0;
      if (k + 1 == axes.size()) {
        const double part = Component({turn.x, turn.y, turn.z}, axis);
        angle = std::remainder(2 * std::atan2(part, turn.w), 2 * M_PI);
      } else {  // the next axis is rotated by this angle
        const Vector3 next = kUnit[static_cast<std::size_t>(axes[k + 1].axis)];
        const Vector3 turned = Rotate(turn, next);
        angle = std::atan2(Dot(Cross(about, next), turned), Dot(next, turned));
      }
      *q++ = angle;
      *u++ = Component(turn_rate, axis);
      const Quaternion back = AxisAngle(about, -angle);
      turn = back * turn;
      turn_rate = Rotate(back, turn_rate);
    }
    if (TurnsFreely(joint.type)) {
      const Vector3 spin_c = Rotate(to_c, spin);
      q[0] = relative.w, q[1] = relative.x, q[2] = relative.y, q[3] = relative.z;
      u[0] = spin_c.x, u[1] = spin_c.y, u[2] = spin_c.z;
    }
  }
  return state;
}

void AppendConstraintRows(const Joint& joint, const std::vector<BodyState>& bodies,
                          ConstraintRows& rows) {
  const auto append = [&rows](double position, double velocity, bool is_length) {
    rows.position.push_back(position);
    rows.velocity.push_back(velocity);
    rows.is_length.push_back(is_length);
  };
  const FrameMotion p = MotionOf(joint.parent_frame, joint.parent, bodies);
  const FrameMotion c = MotionOf(joint.child_frame, joint.child, bodies);
  const Vector3 arm = c.position - p.position;
  if (joint.type == JointType::kDistance) {
    const double distance = Norm(arm);
    append(distance - joint.length, Dot(arm, c.velocity - p.velocity) / distance, true);
    return;
  }
  const Quaternion to_p = Conjugate(p.orientation);
  const Vector3 d = Rotate(to_p, arm);
  const Vector3 v = Rotate(to_p, c.velocity - p.velocity - Cross(p.angular_velocity, arm));
  bool slides[3] = {};
  int turns = 0;
  for (const JointAxis& motion : AxesOf(joint.type)) {
    if (motion.turns) {
      ++turns;
    } else {
      slides[motion.axis] = true;
    }
  }
  for (int axis = 0; axis < 3; ++axis) {
    if (!slides[axis]) append(Component(d, axis), Component(v, axis), true);
  }
  if (TurnsFreely(joint.type)) return;
  const Matrix3 r = DirectionCosineMatrix(to_p * c.orientation);
  const Vector3 spin = Rotate(to_p, c.angular_velocity - p.angular_velocity);
  if (turns == 2) {  // x_C . z_P; spin x x_C is the rate of x_C in P
    append(r(2, 0), spin.x * r(1, 0) - spin.y * r(0, 0), false);
    return;
  }
  // Dot products of axes that should be perpendicular: for a small rotation phi of C in P they are
  // phi itself.
  append(-r(1, 2), spin.x, false);
  append(r(0, 2), spin.y, false);
  if (turns == 0) append(r(1, 0), spin.z, false);
}

ConstraintResidual ConstraintResiduals(const System& system, const std::vector<BodyState>& bodies,
                                       double length, double time) {
  ConstraintRows rows;
  for (const Joint& joint : system.joints) AppendConstraintRows(joint, bodies, rows);
  for (const Joint& joint : system.loop_joints) AppendConstraintRows(joint, bodies, rows);
  ConstraintResidual worst;
  for (std::size_t i = 0; i < rows.position.size(); ++i) {
    const double scale = rows.is_length[i] ? length : 1;
    worst.position = Worse(worst.position, std::abs(rows.position[i]) / scale);
    worst.velocity = Worse(worst.velocity, std::abs(rows.velocity[i]) * time / scale);
  }
  return worst;
}

Energy EnergyOf(const System& system, const std::vector<BodyState>& bodies) {
  if (system.forces.Of<JointSpringDamper>().empty()) return EnergyOf(system, bodies, {});
  return EnergyOf(system, bodies, JointStateOf(system, bodies));
}

Energy EnergyOf(const System& system, const std::vector<BodyState>& bodies,
                const JointState& joints) {
  Energy energy;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = system.bodies[b];
    const BodyState& s = bodies[b];
    const Vector3 omega = Rotate(Conjugate(s.orientation), s.angular_velocity);
    energy.kinetic +=
        0.5 * body.mass * Dot(s.velocity, s.velocity) + 0.5 * Dot(omega, body.inertia * omega);
    energy.potential -= body.mass * Dot(system.gravity, s.position);
  }
  energy.potential += PotentialOf(system, bodies, joints);
  return energy;
}

Momentum MomentumOf(const System& system, const std::vector<BodyState>& bodies) {
  Momentum total;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Body& body = system.bodies[b];
    const BodyState& s = bodies[b];
    const Vector3 linear = body.mass * s.velocity;
    const Vector3 omega = Rotate(Conjugate(s.orientation), s.angular_velocity);
    total.linear = total.linear + linear;
    total.angular =
        total.angular + Cross(s.position, linear) + Rotate(s.orientation, body.inertia * omega);
  }
  return total;
}

}  // namespace mbsbench
