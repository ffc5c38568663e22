#include "reference/joint_coordinates/joint_forces.h"

namespace mbsbench::extended {

std::vector<Action> ActionsOf(const JointMotion& motion) {
  const System& model = motion.system().model;
  std::vector<Action> actions;
  for (const SpringDamper& e : model.forces.Of<SpringDamper>()) {
    const CarriedPoint a = motion.PointOf(e.body_a, Extend(e.point_a)),
                       b = motion.PointOf(e.body_b, Extend(e.point_b));
    const Vec3 line = b.position - a.position;
    const Real length = Norm(line);
    const Vec3 parting = b.velocity - a.velocity;
    // Its limit where the ends coincide.
    const Vec3 direction = IsZero(length) ? parting : line;
    const Real size = Norm(direction);
    const Vec3 along = IsZero(size) ? Vec3{} : (1 / size) * direction;
    const Real tension =
        Real(e.stiffness) * (length - Real(e.free_length)) + Real(e.damping) * Dot(along, parting);
    if (e.body_a != kGround) actions.push_back({e.body_a, a.position, tension * along, {}});
    if (e.body_b != kGround) actions.push_back({e.body_b, b.position, -tension * along, {}});
  }
  for (const AppliedForce& e : model.forces.Of<AppliedForce>()) {
    Vec3 force = Extend(e.force), moment = Extend(e.moment);
    if (e.in_body_axes) {
      force = motion.body(e.body).rotation * force;
      moment = motion.body(e.body).rotation * moment;
    }
    actions.push_back({e.body, motion.PointOf(e.body, Extend(e.point)).position, force, moment});
  }
  for (const GroundSpring& e : model.forces.Of<GroundSpring>()) {
    const CarriedPoint p = motion.PointOf(e.body, Extend(e.point));
    const Vec3 n = Extend(e.direction);
    const Real depth = Real(e.free_position) - Dot(n, p.position);
    const Real push = Real(e.stiffness) * depth - Real(e.damping) * Dot(n, p.velocity);
    actions.push_back({e.body, p.position, push * n, {}});
  }
  for (const Bushing& e : model.forces.Of<Bushing>()) {
    const CarriedPoint a = motion.PointOf(e.body_a, Extend(e.frame_a.position)),
                       b = motion.PointOf(e.body_b, Extend(e.frame_b.position));
    const Quat axes = motion.OrientationOf(e.body_a) * Extend(e.frame_a.orientation);
    const Mat3 to_inertial = RotationOf(axes);
    const Vec3 apart = b.position - a.position;
    const Vec3 d = TransposeTimes(to_inertial, apart);
    const Vec3 parting = TransposeTimes(
        to_inertial, b.velocity - a.velocity - Cross(motion.AngularVelocityOf(e.body_a), apart));
    const Vec3 turning = TransposeTimes(
        to_inertial, motion.AngularVelocityOf(e.body_b) - motion.AngularVelocityOf(e.body_a));
    // The rotation vector along the vector part of the relative quaternion, whose length does not matter.
    Quat turn = Conjugate(axes) * (motion.OrientationOf(e.body_b) * Extend(e.frame_b.orientation));
    if (turn.w < 0) turn = {-turn.w, -turn.x, -turn.y, -turn.z};
    const Vec3 part{turn.x, turn.y, turn.z};
    const Real sine = Norm(part);
    const Vec3 rotation = IsZero(sine) ? part : (2 * Atan2(sine, turn.w) / sine) * part;
    const auto resists = [](const Vector3& k, const Vec3& by, const Vector3& c, const Vec3& rate) {
      return Vec3{-k.x * by.x - c.x * rate.x, -k.y * by.y - c.y * rate.y,
                  -k.z * by.z - c.z * rate.z};
    };
    const Vec3 force = to_inertial * resists(e.stiffness, d, e.damping, parting);
    const Vec3 moment = to_inertial * resists(e.turn_stiffness, rotation, e.turn_damping, turning);
    if (e.body_a != kGround) actions.push_back({e.body_a, b.position, -force, -moment});
    if (e.body_b != kGround) actions.push_back({e.body_b, b.position, force, moment});
  }
  return actions;
}

std::vector<Real> GeneralisedForces(const JointMotion& motion, const std::vector<Real>& q,
                                    const std::vector<Real>& u,
                                    const std::vector<Action>& actions) {
  std::vector<Real> generalised(motion.rates());
  for (const Action& action : actions) {
    motion.ForRatesOf(action.body, [&](std::size_t k) {
      const Screw& screw = motion.screws()[k];
      generalised[k] += Dot(screw.VelocityAt(action.point), action.force);
      if (screw.turns) generalised[k] += Dot(screw.axis, action.moment);
    });
  }
  const JointOffsets at = OffsetsOf(motion.system().model);
  for (const JointSpringDamper& e : motion.system().model.forces.Of<JointSpringDamper>()) {
    const auto k = static_cast<std::size_t>(at.u[static_cast<std::size_t>(e.joint)]);
    const auto i = static_cast<std::size_t>(at.q[static_cast<std::size_t>(e.joint)]);
    generalised[k] += Real(e.stiffness) * (Real(e.free_coordinate) - q[i]) - Real(e.damping) * u[k];
  }
  for (std::size_t m = 0; m < motion.system().efforts.size(); ++m) {
    const Motor& motor = motion.system().model.forces.Of<Motor>()[m];
    const auto joint = static_cast<std::size_t>(motor.joint);
    const int place = motor.CoordinateOf(motion.system().joints[joint].type);
    generalised[static_cast<std::size_t>(at.u[joint] + place)] += motion.system().efforts[m];
  }
  return generalised;
}

}  // namespace mbsbench::extended
