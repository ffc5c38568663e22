#include "reference/maximal_coordinates/forces.h"

#include <fmt/format.h>

#include "problems/model/error.h"

namespace mbsbench::extended {

namespace {

void AddAt(const Vec3& arm, const Vec3& force, Wrench& wrench) {
  wrench.force = wrench.force + force;
  wrench.moment = wrench.moment + Cross(arm, force);
}

Real Nearest(Real angle, Real to) {
  const Real turn = 2 * Pi();
  return angle + turn * Floor((to - angle) / turn + Real(1) / 2);
}

struct Stretch {
  PointMotion a, b;
  Vec3 direction;  // from a to b
  Real length = 0;
};

Stretch StretchOf(const SpringDamper& e, const Motion& motion, const std::vector<Mat3>& rotations) {
  Stretch s{MotionOfPoint(Extend(e.point_a), e.body_a, motion, rotations),
            MotionOfPoint(Extend(e.point_b), e.body_b, motion, rotations),
            {},
            0};
  const Vec3 line = s.b.position - s.a.position;
  s.length = Norm(line);
  // Ends that coincide depart along their relative velocity.
  const Vec3 velocity = s.b.velocity - s.a.velocity;
  const Real speed = Norm(velocity);
  if (!IsZero(s.length)) {
    s.direction = (1 / s.length) * line;
  } else if (!IsZero(speed)) {
    s.direction = (1 / speed) * velocity;
  }
  return s;
}

// A bushing's displacement and rotation vector and their rates, in the axes of its frame A.
struct Distortion {
  PointMotion a, b;  // of the frames' origins
  Vec3 axes[3];      // of frame A, inertial axes
  Vec3 displacement, rate, rotation, turning;

  Vec3 InA(const Vec3& v) const { return {Dot(axes[0], v), Dot(axes[1], v), Dot(axes[2], v)}; }
};

Distortion DistortionOf(const Bushing& e, const Motion& motion,
                        const std::vector<Mat3>& rotations) {
  Distortion s{MotionOfPoint(Extend(e.frame_a.position), e.body_a, motion, rotations),
               MotionOfPoint(Extend(e.frame_b.position), e.body_b, motion, rotations),
               {},
               {},
               {},
               {},
               {}};
  const Mat3 a = RotationOf(Extend(e.frame_a.orientation)),
             b = RotationOf(Extend(e.frame_b.orientation));
  Vec3 columns[3];  // of A'B
  for (int k = 0; k < 3; ++k)
    s.axes[k] = Direction({a(0, k), a(1, k), a(2, k)}, e.body_a, rotations);
  for (int k = 0; k < 3; ++k)
    columns[k] = s.InA(Direction({b(0, k), b(1, k), b(2, k)}, e.body_b, rotations));
  const Vec3 d = s.b.position - s.a.position;
  s.displacement = s.InA(d);
  s.rate = s.InA(s.b.velocity - s.a.velocity - Cross(s.a.angular_velocity, d));
  s.turning = s.InA(s.b.angular_velocity - s.a.angular_velocity);
  // The antisymmetric part of A'B is sin(t) along the axis, its trace 1 + 2 cos(t).
  const Vec3 sine =
      Real(1) / 2 *
      Vec3{columns[1].z - columns[2].y, columns[2].x - columns[0].z, columns[0].y - columns[1].x};
  const Real cosine = (columns[0].x + columns[1].y + columns[2].z - 1) / 2, size = Norm(sine);
  s.rotation = IsZero(size) ? sine : (Atan2(size, cosine) / size) * sine;
  return s;
}

// From the axes of frame A to those of frame B.
Quat RelativeOrientation(const Bushing& e, const Motion& motion) {
  const auto axes = [&motion](int body, const Frame& frame) {
    const Quat q = Extend(frame.orientation);
    return body == kGround ? q : motion[static_cast<std::size_t>(body)].orientation * q;
  };
  return Conjugate(axes(e.body_a, e.frame_a)) * axes(e.body_b, e.frame_b);
}
Quat Opposite(const Quat& q) { return {-q.w, -q.x, -q.y, -q.z}; }

Vec3 Times(const Vector3& a, const Vec3& b) { return {a.x * b.x, a.y * b.y, a.z * b.z}; }

JointCoordinate SpringCoordinate(const SystemData& system, std::size_t spring, const Motion& motion,
                                 const std::vector<Mat3>& rotations,
                                 const std::vector<Real>& angles) {
  const auto j =
      static_cast<std::size_t>(system.model.forces.Of<JointSpringDamper>()[spring].joint);
  JointCoordinate c = CoordinateOf(system.joints[j], motion, rotations);
  if (system.joints[j].type == JointType::kRevolute) c.q = Nearest(c.q, angles[spring]);
  return c;
}

}  // namespace

JointCoordinate CoordinateOf(const JointData& joint, const Motion& motion,
                             const std::vector<Mat3>& rotations) {
  const Vec3 z = Direction(joint.on_parent.z, joint.parent, rotations);
  const PointMotion p = MotionOfPoint(joint.on_parent.position, joint.parent, motion, rotations);
  const PointMotion c = MotionOfPoint(joint.on_child.position, joint.child, motion, rotations);
  if (joint.type == JointType::kPrismatic) {
    const Vec3 d = c.position - p.position;
    return {Dot(d, z), Dot(c.velocity - p.velocity, z) + Dot(d, Cross(p.angular_velocity, z))};
  }
  const Vec3 x = Direction(joint.on_parent.x, joint.parent, rotations);
  const Vec3 y = Direction(joint.on_parent.y, joint.parent, rotations);
  const Vec3 turned = Direction(joint.on_child.x, joint.child, rotations);
  return {Atan2(Dot(turned, y), Dot(turned, x)), Dot(c.angular_velocity - p.angular_velocity, z)};
}

std::vector<Wrench> ForcesOn(const SystemData& system, const Motion& motion,
                             const std::vector<Mat3>& rotations, const std::vector<Real>& angles) {
  std::vector<Wrench> wrenches(motion.size());
  const auto on = [&wrenches](int body) -> Wrench& {
    return wrenches[static_cast<std::size_t>(body)];
  };
  for (std::size_t b = 0; b < motion.size(); ++b) {
    wrenches[b].force = system.bodies[b].mass * system.gravity;
  }
  for (const SpringDamper& e : system.model.forces.Of<SpringDamper>()) {
    const Stretch s = StretchOf(e, motion, rotations);
    const Real pull = Real(e.stiffness) * (s.length - Real(e.free_length)) +
                      Real(e.damping) * Dot(s.direction, s.b.velocity - s.a.velocity);
    if (e.body_a != kGround) AddAt(s.a.arm, pull * s.direction, on(e.body_a));
    if (e.body_b != kGround) AddAt(s.b.arm, -pull * s.direction, on(e.body_b));
  }
  // A torque about the z axis of the parent's frame, or a force along it.
  const auto exert = [&](const JointData& joint, bool turns, const Real& effort) {
    const Vec3 action = effort * Direction(joint.on_parent.z, joint.parent, rotations);
    if (turns) {
      on(joint.child).moment = on(joint.child).moment + action;
      if (joint.parent != kGround) on(joint.parent).moment = on(joint.parent).moment - action;
      return;
    }
    // Both ends of the force lie on one line, through the child's joint point.
    const PointMotion p = MotionOfPoint(joint.on_child.position, joint.child, motion, rotations);
    AddAt(p.arm, action, on(joint.child));
    if (joint.parent != kGround) {
      AddAt(p.position - motion[static_cast<std::size_t>(joint.parent)].position, -action,
            on(joint.parent));
    }
  };
  for (std::size_t i = 0; i < system.model.forces.Of<JointSpringDamper>().size(); ++i) {
    const JointSpringDamper& e = system.model.forces.Of<JointSpringDamper>()[i];
    const JointData& joint = system.joints[static_cast<std::size_t>(e.joint)];
    const JointCoordinate c = SpringCoordinate(system, i, motion, rotations, angles);
    exert(joint, joint.type == JointType::kRevolute,
          -Real(e.stiffness) * (c.q - Real(e.free_coordinate)) - Real(e.damping) * c.u);
  }
  for (std::size_t i = 0; i < system.efforts.size(); ++i) {
    const Motor& motor = system.model.forces.Of<Motor>()[i];
    exert(system.joints[static_cast<std::size_t>(motor.joint)], motor.turns, system.efforts[i]);
  }
  for (const AppliedForce& e : system.model.forces.Of<AppliedForce>()) {
    const Mat3& r = rotations[static_cast<std::size_t>(e.body)];
    const Vec3 force = Extend(e.force), moment = Extend(e.moment);
    AddAt(r * Extend(e.point), e.in_body_axes ? r * force : force, on(e.body));
    on(e.body).moment = on(e.body).moment + (e.in_body_axes ? r * moment : moment);
  }
  for (const GroundSpring& e : system.model.forces.Of<GroundSpring>()) {
    const PointMotion p = MotionOfPoint(Extend(e.point), e.body, motion, rotations);
    const Vec3 n = Extend(e.direction);
    const Real resistance = Real(e.stiffness) * (Dot(p.position, n) - Real(e.free_position)) +
                            Real(e.damping) * Dot(p.velocity, n);
    AddAt(p.arm, -resistance * n, on(e.body));
  }
  for (const Bushing& e : system.model.forces.Of<Bushing>()) {
    const Distortion s = DistortionOf(e, motion, rotations);
    const Vec3 f = Times(e.stiffness, s.displacement) + Times(e.damping, s.rate);
    const Vec3 m = Times(e.turn_stiffness, s.rotation) + Times(e.turn_damping, s.turning);
    const Vec3 pull = f.x * s.axes[0] + f.y * s.axes[1] + f.z * s.axes[2];
    const Vec3 twist = m.x * s.axes[0] + m.y * s.axes[1] + m.z * s.axes[2];
    if (e.body_a != kGround) {
      Wrench& a = on(e.body_a);
      AddAt(s.b.position - motion[static_cast<std::size_t>(e.body_a)].position, pull, a);
      a.moment = a.moment + twist;
    }
    if (e.body_b != kGround) {
      AddAt(s.b.arm, -pull, on(e.body_b));
      on(e.body_b).moment = on(e.body_b).moment - twist;
    }
  }
  return wrenches;
}

std::vector<Real> SpringCoordinates(const SystemData& system, const Motion& motion,
                                    const std::vector<Real>& angles) {
  std::vector<Real> coordinates;
  if (system.model.forces.Of<JointSpringDamper>().empty()) return coordinates;
  const std::vector<Mat3> rotations = RotationsOf(motion);
  for (std::size_t i = 0; i < system.model.forces.Of<JointSpringDamper>().size(); ++i) {
    coordinates.push_back(SpringCoordinate(system, i, motion, rotations, angles).q);
  }
  return coordinates;
}

Real EnergyOf(const SystemData& system, const Motion& motion, const std::vector<Real>& angles) {
  const std::vector<Mat3> rotations = RotationsOf(motion);
  Real energy = 0;
  for (std::size_t b = 0; b < motion.size(); ++b) {
    const BodyData& body = system.bodies[b];
    const Vec3 omega = TransposeTimes(rotations[b], motion[b].angular_velocity);
    energy += (body.mass * Dot(motion[b].velocity, motion[b].velocity) +
               Dot(omega, body.inertia * omega)) /
                  2 -
              body.mass * Dot(system.gravity, motion[b].position);
  }
  for (const SpringDamper& e : system.model.forces.Of<SpringDamper>()) {
    const Real stretch = StretchOf(e, motion, rotations).length - Real(e.free_length);
    energy += Real(e.stiffness) * stretch * stretch / 2;
  }
  for (const GroundSpring& e : system.model.forces.Of<GroundSpring>()) {
    const PointMotion p = MotionOfPoint(Extend(e.point), e.body, motion, rotations);
    const Real stretch = Dot(p.position, Extend(e.direction)) - Real(e.free_position);
    energy += Real(e.stiffness) * stretch * stretch / 2;
  }
  for (const Bushing& e : system.model.forces.Of<Bushing>()) {
    const Distortion s = DistortionOf(e, motion, rotations);
    energy += Dot(s.displacement, Times(e.stiffness, s.displacement)) / 2;
    if (e.HasPotential()) energy += Real(e.turn_stiffness.x) * Dot(s.rotation, s.rotation) / 2;
  }
  for (std::size_t i = 0; i < system.model.forces.Of<JointSpringDamper>().size(); ++i) {
    const JointSpringDamper& e = system.model.forces.Of<JointSpringDamper>()[i];
    const Real stretch =
        SpringCoordinate(system, i, motion, rotations, angles).q - Real(e.free_coordinate);
    energy += Real(e.stiffness) * stretch * stretch / 2;
  }
  return energy;
}

LawLimits::LawLimits(const System& system, const Motion& start) {
  for (const Bushing& e : system.forces.Of<Bushing>()) {
    if (!e.Turns()) continue;
    const Quat q = RelativeOrientation(e, start);
    rotations_.push_back({&e, q.w < 0 ? Opposite(q) : q});
  }
}

void LawLimits::Follow(Real t, const Motion& motion) {
  // Steps shrink before the jump and do not pass it.
  const Real least = Real(1e-9);
  for (Rotation& one : rotations_) {
    const Quat &last = one.relative, q = RelativeOrientation(*one.bushing, motion);
    const Real same = q.w * last.w + q.x * last.x + q.y * last.y + q.z * last.z;
    one.relative = same < 0 ? Opposite(q) : q;
    if (one.relative.w > least) continue;
    throw ModelError(fmt::format(
        "the rotation of bushing '{}' reaches pi at t = {:.6g} s, where its law ends: end the "
        "motion before.",
        one.bushing->name, static_cast<double>(t)));
  }
}

}  // namespace mbsbench::extended
