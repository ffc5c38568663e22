#include "methods/kinematics/force_elements.h"

namespace mbsbench {

namespace {

struct PointMotion {
  Vector3 arm;  // from the mass centre; ground: from the inertial origin
  Vector3 position, velocity;
};

PointMotion MotionOf(const Vector3& point, int body, std::span<const BodyState> bodies) {
  if (body == kGround) return {point, point, {}};
  const BodyState& b = bodies[static_cast<std::size_t>(body)];
  const Vector3 arm = Rotate(b.orientation, point);
  return {arm, b.position + arm, b.velocity + Cross(b.angular_velocity, arm)};
}

// The line of a spring-damper, from a to b. Where the ends coincide, a damper acts along their relative velocity, the limit of its
// direction, and only a spring without free length has a limit of its force: none.
struct Line {
  Vector3 unit;
  double length, rate;
};
Line LineBetween(const PointMotion& a, const PointMotion& b) {
  const Vector3 line = b.position - a.position, velocity = b.velocity - a.velocity;
  const double length = Norm(line);
  if (length != 0) {  // or is no number
    const Vector3 unit = (1 / length) * line;
    return {unit, length, Dot(unit, velocity)};
  }
  const double rate = Norm(velocity);
  return {rate > 0 ? (1 / rate) * velocity : Vector3{}, 0, rate};
}

void Add(const Vector3& force, const Vector3& arm, Wrench& wrench) {
  wrench.force = wrench.force + force;
  wrench.moment = wrench.moment + Cross(arm, force);
}

}  // namespace

void AddForceElements(const System& system, std::span<const BodyState> bodies,
                      std::span<Wrench> wrenches) {
  for (const SpringDamper& e : system.spring_dampers) {
    const PointMotion a = MotionOf(e.point_a, e.body_a, bodies);
    const PointMotion b = MotionOf(e.point_b, e.body_b, bodies);
    const Line line = LineBetween(a, b);
    double pull = e.damping * line.rate;
    if (line.length != 0) pull = e.stiffness * (line.length - e.free_length) + pull;
    const Vector3 force = pull * line.unit;
    if (e.body_a != kGround) Add(force, a.arm, wrenches[static_cast<std::size_t>(e.body_a)]);
    if (e.body_b != kGround) Add(-force, b.arm, wrenches[static_cast<std::size_t>(e.body_b)]);
  }
  for (const AppliedForce& e : system.applied_forces) {
    const auto body = static_cast<std::size_t>(e.body);
    const Quaternion& q = bodies[body].orientation;
    Add(e.in_body_axes ? Rotate(q, e.force) : e.force, Rotate(q, e.point), wrenches[body]);
    wrenches[body].moment =
        wrenches[body].moment + (e.in_body_axes ? Rotate(q, e.moment) : e.moment);
  }
  for (const GroundSpring& e : system.ground_springs) {
    const PointMotion p = MotionOf(e.point, e.body, bodies);
    const double push = -e.stiffness * (Dot(e.direction, p.position) - e.free_position) -
                        e.damping * Dot(e.direction, p.velocity);
    Add(push * e.direction, p.arm, wrenches[static_cast<std::size_t>(e.body)]);
  }
}

double NonConservativePower(const System& system, std::span<const BodyState> bodies,
                            const JointState* joints) {
  double power = 0;
  for (const SpringDamper& e : system.spring_dampers) {
    if (e.damping == 0) continue;
    const PointMotion a = MotionOf(e.point_a, e.body_a, bodies);
    const PointMotion b = MotionOf(e.point_b, e.body_b, bodies);
    const double rate = LineBetween(a, b).rate;
    power -= e.damping * rate * rate;
  }
  for (const AppliedForce& e : system.applied_forces) {
    const BodyState& b = bodies[static_cast<std::size_t>(e.body)];
    const Vector3 velocity = b.velocity + Cross(b.angular_velocity, Rotate(b.orientation, e.point));
    power += Dot(e.in_body_axes ? Rotate(b.orientation, e.force) : e.force, velocity) +
             Dot(e.in_body_axes ? Rotate(b.orientation, e.moment) : e.moment, b.angular_velocity);
  }
  for (const GroundSpring& e : system.ground_springs) {
    if (e.damping == 0) continue;
    const double rate = Dot(e.direction, MotionOf(e.point, e.body, bodies).velocity);
    power -= e.damping * rate * rate;
  }
  if (joints != nullptr) {
    const JointOffsets at = OffsetsOf(system);
    for (const JointSpringDamper& e : system.joint_spring_dampers) {
      const double rate =
          joints->u[static_cast<std::size_t>(at.u[static_cast<std::size_t>(e.joint)])];
      power -= e.damping * rate * rate;
    }
  }
  return power;
}

}  // namespace mbsbench
