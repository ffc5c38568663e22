#include "problems/model/force_outputs.h"

#include <cmath>
#include <utility>

namespace mbsbench {

namespace {

std::size_t At(int i) { return static_cast<std::size_t>(i); }

struct PointMotion {
  Vector3 position, velocity;  // inertial axes [m], [m/s]
};
PointMotion MotionOf(int body, const Vector3& point, const std::vector<BodyState>& bodies) {
  if (body == kGround) return {point, {}};
  const BodyState& b = bodies[At(body)];
  const Vector3 arm = Rotate(b.orientation, point);
  return {b.position + arm, b.velocity + Cross(b.angular_velocity, arm)};
}

// A bushing's displacement and rotation vector with their rates, in the axes of its frame A.
struct Distortion {
  Quaternion axes;  // frame A -> inertial
  Vector3 displacement, rate, rotation, turning;
};
Distortion DistortionOf(const Bushing& e, const std::vector<BodyState>& bodies) {
  const auto body = [&bodies](int b) { return b == kGround ? BodyState{} : bodies[At(b)]; };
  const PointMotion a = MotionOf(e.body_a, e.frame_a.position, bodies),
                    b = MotionOf(e.body_b, e.frame_b.position, bodies);
  const BodyState on_a = body(e.body_a), on_b = body(e.body_b);
  const Quaternion axes = on_a.orientation * e.frame_a.orientation, to_a = Conjugate(axes);
  const Quaternion turn = to_a * (on_b.orientation * e.frame_b.orientation);
  const Vector3 part{turn.x, turn.y, turn.z}, line = b.position - a.position;
  const double sine = Norm(part);  // of half the angle
  const double scale = sine == 0 ? 2 : 2 * std::atan2(sine, std::abs(turn.w)) / sine;
  return {axes, Rotate(to_a, line),
          Rotate(to_a, b.velocity - a.velocity - Cross(on_a.angular_velocity, line)),
          (turn.w < 0 ? -scale : scale) * part,
          Rotate(to_a, on_b.angular_velocity - on_a.angular_velocity)};
}
Vector3 Times(const Vector3& a, const Vector3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

// The potentials of laws on bodies, and of those on coordinates of joints.

double PotentialOf(const SpringDamper& e, const std::vector<BodyState>& bodies) {
  const double stretch = LengthOf(e, bodies) - e.free_length;
  return 0.5 * e.stiffness * stretch * stretch;
}
double PotentialOf(const AppliedForce&, const std::vector<BodyState>&) { return 0; }
double PotentialOf(const GroundSpring& e, const std::vector<BodyState>& bodies) {
  const double stretch =
      Dot(e.direction, MotionOf(e.body, e.point, bodies).position) - e.free_position;
  return 0.5 * e.stiffness * stretch * stretch;
}
double PotentialOf(const Bushing& e, const std::vector<BodyState>& bodies) {
  const Distortion s = DistortionOf(e, bodies);
  double potential = 0.5 * Dot(s.displacement, Times(e.stiffness, s.displacement));
  if (e.HasPotential()) potential += 0.5 * e.turn_stiffness.x * Dot(s.rotation, s.rotation);
  return potential;
}
double PotentialOf(const JointSpringDamper& e, double q) {
  return 0.5 * e.stiffness * (q - e.free_coordinate) * (q - e.free_coordinate);
}

// What the laws on bodies exert.

// The tension is k (l - free_length) + c l', positive when it pulls.
ForceOutputs OutputsOf(const SpringDamper& e) {
  return {e.name, {"length_m", "tension_N"}, [&e](const StateAtTime& at, auto& values) {
            const PointMotion a = MotionOf(e.body_a, e.point_a, at.bodies),
                              b = MotionOf(e.body_b, e.point_b, at.bodies);
            const Vector3 line = b.position - a.position, velocity = b.velocity - a.velocity;
            const double length = Norm(line);
            const double rate = length != 0 ? Dot(line, velocity) / length : Norm(velocity);
            values.insert(values.end(),
                          {length, e.stiffness * (length - e.free_length) + e.damping * rate});
          }};
}
ForceOutputs OutputsOf(const AppliedForce& e) { return {e.name, {}, {}}; }
ForceOutputs OutputsOf(const GroundSpring& e) {
  return {e.name, {"force_N"}, [&e](const StateAtTime& at, auto& values) {
            const PointMotion p = MotionOf(e.body, e.point, at.bodies);
            values.push_back(-e.stiffness * (Dot(e.direction, p.position) - e.free_position) -
                             e.damping * Dot(e.direction, p.velocity));
          }};
}
// On the second body, the force at the origin of its frame.
ForceOutputs OutputsOf(const Bushing& e) {
  return {e.name,
          {"force_x_N", "force_y_N", "force_z_N", "torque_x_N_m", "torque_y_N_m", "torque_z_N_m"},
          [&e](const StateAtTime& at, auto& values) {
            const Distortion s = DistortionOf(e, at.bodies);
            const Vector3 f =
                -Rotate(s.axes, Times(e.stiffness, s.displacement) + Times(e.damping, s.rate));
            const Vector3 m = -Rotate(
                s.axes, Times(e.turn_stiffness, s.rotation) + Times(e.turn_damping, s.turning));
            values.insert(values.end(), {f.x, f.y, f.z, m.x, m.y, m.z});
          }};
}

// The generalised forces of laws on joints.

double EffortOf(const JointSpringDamper& e, double, double q, double rate) {
  return -e.stiffness * (q - e.free_coordinate) - e.damping * rate;
}
double EffortOf(const Motor& e, double time, double, double) { return e.effort.At(time); }

// Which coordinate of its joint a law acts on, and its places in JointState.
struct Place {
  int coordinate;
  std::size_t q, u;
};
template <class Law>
Place PlaceOf(const Law& e, const System& system, const JointOffsets& at) {
  const int k = e.CoordinateOf(system.joints[At(e.joint)].type);
  return {k, At(at.q[At(e.joint)] + k), At(at.u[At(e.joint)] + k)};
}

}  // namespace

std::vector<ForceOutputs> ForceOutputsOf(const System& system) {
  const JointOffsets at = OffsetsOf(system);
  std::vector<ForceOutputs> all;
  system.forces.ForEach([&]<class Law>(const Law& e) {
    ForceOutputs outputs;
    if constexpr (ActsOnJoint<Law>) {
      const Place place = PlaceOf(e, system, at);
      const bool is_length = IsLength(system.joints[At(e.joint)].type, place.coordinate);
      outputs = {
          e.name,
          {is_length ? "effort_N" : "effort_N_m"},
          [&e, place](const StateAtTime& now, auto& values) {
            values.push_back(EffortOf(e, now.time, now.joints.q[place.q], now.joints.u[place.u]));
          }};
    } else {
      outputs = OutputsOf(e);
    }
    if (!outputs.names.empty()) all.push_back(std::move(outputs));
  });
  return all;
}

double PotentialOf(const System& system, const std::vector<BodyState>& bodies,
                   const JointState& joints) {
  JointOffsets at;
  if (system.forces.AnyOnJoints()) at = OffsetsOf(system);
  double potential = 0;
  system.forces.ForEach([&]<class Law>(const Law& e) {
    if constexpr (ActsOnJoint<Law>) {
      if constexpr (Law::HasPotential())
        potential += PotentialOf(e, joints.q[PlaceOf(e, system, at).q]);
    } else {
      potential += PotentialOf(e, bodies);
    }
  });
  return potential;
}

double LengthOf(const SpringDamper& spring, const std::vector<BodyState>& bodies) {
  return Norm(MotionOf(spring.body_b, spring.point_b, bodies).position -
              MotionOf(spring.body_a, spring.point_a, bodies).position);
}

}  // namespace mbsbench
