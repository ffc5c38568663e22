#include "methods/kinematics/force_elements.h"

#include "methods/kinematics/spring_law.h"

namespace mbsbench {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

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

// The wrench of each law that acts on bodies.

void AddWrench(const SpringDamper& e, std::span<const BodyState> bodies,
               std::span<Wrench> wrenches) {
  const PointMotion a = MotionOf(e.point_a, e.body_a, bodies);
  const PointMotion b = MotionOf(e.point_b, e.body_b, bodies);
  const Line line = LineBetween(a, b);
  const double push =
      line.length != 0 ? SpringForce(e, line.length, line.rate) : -e.damping * line.rate;
  const Vector3 force = push * line.unit;
  if (e.body_a != kGround) Add(-force, a.arm, wrenches[At(e.body_a)]);
  if (e.body_b != kGround) Add(force, b.arm, wrenches[At(e.body_b)]);
}

void AddWrench(const AppliedForce& e, std::span<const BodyState> bodies,
               std::span<Wrench> wrenches) {
  const Quaternion& q = bodies[At(e.body)].orientation;
  Wrench& wrench = wrenches[At(e.body)];
  Add(e.in_body_axes ? Rotate(q, e.force) : e.force, Rotate(q, e.point), wrench);
  wrench.moment = wrench.moment + (e.in_body_axes ? Rotate(q, e.moment) : e.moment);
}

void AddWrench(const GroundSpring& e, std::span<const BodyState> bodies,
               std::span<Wrench> wrenches) {
  const PointMotion p = MotionOf(e.point, e.body, bodies);
  const double push = SpringForce(e, Dot(e.direction, p.position), Dot(e.direction, p.velocity));
  Add(push * e.direction, p.arm, wrenches[At(e.body)]);
}

// A bushing's frame A, displacement and rotation, with their rates, in the axes of that frame.
struct Distortion {
  Quaternion axes;  // frame A -> inertial
  Vector3 displacement, rate, rotation, turning;
};
Distortion DistortionOf(const Bushing& e, const PointMotion& a, const PointMotion& b,
                        std::span<const BodyState> bodies) {
  const BodyState on_a = e.body_a == kGround ? BodyState{} : bodies[At(e.body_a)],
                  on_b = e.body_b == kGround ? BodyState{} : bodies[At(e.body_b)];
  const Quaternion axes = on_a.orientation * Normalised(e.frame_a.orientation);
  const Quaternion to_a = Conjugate(axes);
  const Vector3 line = b.position - a.position;
  const Vector3 rate = b.velocity - a.velocity - Cross(on_a.angular_velocity, line);
  const Quaternion turn = to_a * (on_b.orientation * Normalised(e.frame_b.orientation));
  const Vector3 part{turn.x, turn.y, turn.z};
  const double sine = Norm(part);  // of half the angle
  const double angle_per_part =
      sine == 0 ? 2 : (turn.w < 0 ? -2 : 2) * std::atan2(sine, std::abs(turn.w)) / sine;
  return {axes, Rotate(to_a, line), Rotate(to_a, rate), angle_per_part * part,
          Rotate(to_a, on_b.angular_velocity - on_a.angular_velocity)};
}

Vector3 Times(const Vector3& a, const Vector3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

void AddWrench(const Bushing& e, std::span<const BodyState> bodies, std::span<Wrench> wrenches) {
  const PointMotion a = MotionOf(e.frame_a.position, e.body_a, bodies);
  const PointMotion b = MotionOf(e.frame_b.position, e.body_b, bodies);
  const Distortion s = DistortionOf(e, a, b, bodies);
  const Vector3 force =
      -Rotate(s.axes, Times(e.stiffness, s.displacement) + Times(e.damping, s.rate));
  const Vector3 moment =
      -Rotate(s.axes, Times(e.turn_stiffness, s.rotation) + Times(e.turn_damping, s.turning));
  if (e.body_b != kGround) {
    Wrench& on_b = wrenches[At(e.body_b)];
    Add(force, b.arm, on_b);
    on_b.moment = on_b.moment + moment;
  }
  if (e.body_a != kGround) {  // the opposite, at the same point
    Wrench& on_a = wrenches[At(e.body_a)];
    Add(-force, b.position - bodies[At(e.body_a)].position, on_a);
    on_a.moment = on_a.moment - moment;
  }
}

// The power of each law that changes the energy.

double PowerOf(const SpringDamper& e, std::span<const BodyState> bodies) {
  const double rate =
      LineBetween(MotionOf(e.point_a, e.body_a, bodies), MotionOf(e.point_b, e.body_b, bodies))
          .rate;
  return -e.damping * rate * rate;
}

double PowerOf(const AppliedForce& e, std::span<const BodyState> bodies) {
  const BodyState& b = bodies[At(e.body)];
  const Vector3 velocity = b.velocity + Cross(b.angular_velocity, Rotate(b.orientation, e.point));
  return Dot(e.in_body_axes ? Rotate(b.orientation, e.force) : e.force, velocity) +
         Dot(e.in_body_axes ? Rotate(b.orientation, e.moment) : e.moment, b.angular_velocity);
}

double PowerOf(const GroundSpring& e, std::span<const BodyState> bodies) {
  const double rate = Dot(e.direction, MotionOf(e.point, e.body, bodies).velocity);
  return -e.damping * rate * rate;
}

// That of the dampers, and of moments without potential.
double PowerOf(const Bushing& e, std::span<const BodyState> bodies) {
  const Distortion s = DistortionOf(e, MotionOf(e.frame_a.position, e.body_a, bodies),
                                    MotionOf(e.frame_b.position, e.body_b, bodies), bodies);
  double power =
      -Dot(s.rate, Times(e.damping, s.rate)) - Dot(s.turning, Times(e.turn_damping, s.turning));
  if (!e.HasPotential()) power -= Dot(s.turning, Times(e.turn_stiffness, s.rotation));
  return power;
}

double PowerOf(const JointSpringDamper& e, double, double rate) { return -e.damping * rate * rate; }
double PowerOf(const Motor& e, double t, double rate) { return e.effort.At(t) * rate; }

}  // namespace

void AddForceElements(const System& system, std::span<const BodyState> bodies,
                      std::span<Wrench> wrenches) {
  system.forces.ForEach([&]<class Law>(const Law& element) {
    if constexpr (!ActsOnJoint<Law>) AddWrench(element, bodies, wrenches);
  });
}

double NonConservativePower(const System& system, double t, std::span<const BodyState> bodies,
                            const JointState* joints) {
  double power = 0;
  const JointOffsets at = joints == nullptr ? JointOffsets{} : OffsetsOf(system);
  system.forces.ForEach([&]<class Law>(const Law& element) {
    if (!ChangesEnergy(element)) return;
    if constexpr (!ActsOnJoint<Law>) {
      power += PowerOf(element, bodies);
    } else if (joints != nullptr) {
      const int k = element.CoordinateOf(system.joints[At(element.joint)].type);
      power += PowerOf(element, t, joints->u[At(at.u[At(element.joint)] + k)]);
    }
  });
  return power;
}

}  // namespace mbsbench
