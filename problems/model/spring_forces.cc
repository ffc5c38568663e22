#include "problems/model/spring_forces.h"

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

double ForceOf(const GroundSpring& spring, const std::vector<BodyState>& bodies) {
  const PointMotion p = MotionOf(spring.body, spring.point, bodies);
  return -spring.stiffness * (Dot(spring.direction, p.position) - spring.free_position) -
         spring.damping * Dot(spring.direction, p.velocity);
}

}  // namespace mbsbench
