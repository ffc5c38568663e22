#include "reference/closed_forms/plane_pendulum.h"

#include "reference/numerics/elliptic.h"
#include "reference/system/initial_motion.h"

namespace mbsbench::extended {

std::optional<PlanePendulum> PlanePendulum::Of(const Problem& problem) {
  const System& s = problem.system;
  const bool single =
      s.bodies.size() == 1 && s.joints.size() == 1 && s.loop_joints.empty() && s.forces.empty();
  if (!single || s.joints[0].type != JointType::kRevolute ||
      problem.initial.joints.u != std::vector<double>{0}) {
    return {};
  }
  const SystemData system(s);
  const JointData& joint = system.joints[0];
  const auto is_z = [](const Vec3& axis) { return IsZero(axis.x) && IsZero(axis.y) && axis.z > 0; };
  if (!is_z(joint.on_parent.z) || !is_z(joint.on_child.z) || !IsZero(system.gravity.z)) return {};

  PlanePendulum p;
  p.start_ = InitialMotion(system, problem)[0];
  p.pivot_ = joint.on_parent.position;
  const Real g = Norm(system.gravity);
  p.pivot_.z = p.start_.position.z;  // swings in this plane
  const Vec3 arm = p.start_.position - p.pivot_;
  p.length_ = Norm(arm);
  if (IsZero(g) || IsZero(p.length_)) return {};
  p.down_ = (1 / g) * system.gravity;
  p.side_ = Cross({0, 0, 1}, p.down_);
  const Real moment_of_inertia =
      system.bodies[0].inertia(2, 2) + system.bodies[0].mass * p.length_ * p.length_;
  if (IsZero(moment_of_inertia)) return {};
  p.omega0_ = Sqrt(system.bodies[0].mass * g * p.length_ / moment_of_inertia);
  p.phi0_ = Atan2(Dot(arm, p.side_), Dot(arm, p.down_));
  const Real cosine = Dot(arm, p.down_) / p.length_;
  p.m_ = (1 - cosine) / 2;  // sin^2(phi0/2), exactly 1/2 from the horizontal
  p.complement_ = (1 + cosine) / 2;
  if (IsZero(p.complement_)) return {};  // upright: rests
  p.sine0_ = p.phi0_ < 0 ? -Sqrt(p.m_) : Sqrt(p.m_);
  p.quarter_period_ = QuarterPeriod(p.complement_);
  return p;
}

BodyMotion PlanePendulum::At(Real t) const {
  const Jacobi j = JacobiOf(quarter_period_ - omega0_ * t, m_, complement_);
  const Real sine = sine0_ * j.sn;  // of phi/2; its cosine is dn
  const Real rate = -2 * sine0_ * omega0_ * j.cn;
  const Real sin_phi = 2 * sine * j.dn, cos_phi = 1 - 2 * sine * sine;
  const Real phi = 2 * Asin(sine);
  BodyMotion body;
  body.position = pivot_ + length_ * (cos_phi * down_ + sin_phi * side_);
  body.velocity = length_ * rate * (cos_phi * side_ - sin_phi * down_);
  body.orientation = AxisAngle({0, 0, 1}, phi - phi0_) * start_.orientation;
  body.angular_velocity = {0, 0, rate};
  return body;
}

}  // namespace mbsbench::extended
