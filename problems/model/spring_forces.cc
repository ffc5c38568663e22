#include "problems/model/spring_forces.h"

#include <cmath>

namespace mbsbench {

namespace {

struct PointMotion {
  Vector3 position, velocity;  // inertial axes [m], [m/s]
};
PointMotion MotionOf(int body, const Vector3& point, const std::vector<BodyState>& bodies) {
  if (body == kGround) return {point, {}};
  const BodyState& b = bodies[static_cast<std::size_t>(body)];
  const Vector3 arm = Rotate(b.orientation, point);
  return {b.position + arm, b.velocity + Cross(b.angular_velocity, arm)};
}

}  // namespace

SpringState SpringStateOf(const SpringDamper& spring, const std::vector<BodyState>& bodies) {
  const PointMotion a = MotionOf(spring.body_a, spring.point_a, bodies);
  const PointMotion b = MotionOf(spring.body_b, spring.point_b, bodies);
  const Vector3 line = b.position - a.position, velocity = b.velocity - a.velocity;
  const double length = Norm(line);
  const double rate = length != 0 ? Dot(line, velocity) / length : Norm(velocity);
  return {length, spring.stiffness * (length - spring.free_length) + spring.damping * rate};
}

double EffortOf(const JointSpringDamper& spring, const System& system, const JointState& joints) {
  const JointOffsets at = OffsetsOf(system);
  const auto j = static_cast<std::size_t>(spring.joint);
  return -spring.stiffness *
             (joints.q[static_cast<std::size_t>(at.q[j])] - spring.free_coordinate) -
         spring.damping * joints.u[static_cast<std::size_t>(at.u[j])];
}

BushingAction ActionOf(const Bushing& bushing, const std::vector<BodyState>& bodies) {
  const PointMotion a = MotionOf(bushing.body_a, bushing.frame_a.position, bodies);
  const PointMotion b = MotionOf(bushing.body_b, bushing.frame_b.position, bodies);
  const auto body = [&bodies](int index) {
    return index == kGround ? BodyState{} : bodies[static_cast<std::size_t>(index)];
  };
  const BodyState on_a = body(bushing.body_a), on_b = body(bushing.body_b);
  const Quaternion axes = on_a.orientation * bushing.frame_a.orientation, to_a = Conjugate(axes);
  const Quaternion relative = to_a * (on_b.orientation * bushing.frame_b.orientation);
  const Vector3 part{relative.x, relative.y, relative.z}, line = b.position - a.position;
  const double half = std::atan2(Norm(part), std::abs(relative.w));
  const double scale = Norm(part) == 0 ? 0 : 2 * half / Norm(part);
  const auto resist = [&](const Vector3& k, const Vector3& by, const Vector3& c,
                          const Vector3& inertial_rate) {
    const Vector3 rate = Rotate(to_a, inertial_rate);
    return Rotate(
        axes, {-k.x * by.x - c.x * rate.x, -k.y * by.y - c.y * rate.y, -k.z * by.z - c.z * rate.z});
  };
  return {resist(bushing.stiffness, Rotate(to_a, line), bushing.damping,
                 b.velocity - a.velocity - Cross(on_a.angular_velocity, line)),
          resist(bushing.turn_stiffness, (relative.w < 0 ? -scale : scale) * part,
                 bushing.turn_damping, on_b.angular_velocity - on_a.angular_velocity),
          relative};
}

double ForceOf(const GroundSpring& spring, const std::vector<BodyState>& bodies) {
  const PointMotion p = MotionOf(spring.body, spring.point, bodies);
  return -spring.stiffness * (Dot(spring.direction, p.position) - spring.free_position) -
         spring.damping * Dot(spring.direction, p.velocity);
}

}  // namespace mbsbench
