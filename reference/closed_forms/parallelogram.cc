#include "reference/closed_forms/parallelogram.h"

#include "reference/numerics/elliptic.h"
#include "reference/system/initial_motion.h"

namespace mbsbench::extended {

namespace {

constexpr double kSame = 1e-29;  // vectors that are equal in the problem's definition

bool Same(const Vec3& a, const Vec3& b) { return Norm(a - b) < Real(kSame); }
bool IsInertialZ(const Vec3& axis) { return Same(axis, {0, 0, 1}); }

}  // namespace

std::optional<Parallelogram> Parallelogram::Of(const Problem& problem) {
  const System& model = problem.system;
  if (model.loop_joints.empty() || !model.forces.empty()) {
    return {};
  }
  const SystemData system(model);
  std::vector<JointData> joints = system.joints;
  joints.insert(joints.end(), system.loop_joints.begin(), system.loop_joints.end());
  for (const JointData& joint : joints) {
    if (joint.type != JointType::kRevolute) return {};
  }
  const Motion start = InitialMotion(system, problem);
  const std::vector<Mat3> rotations = RotationsOf(start);
  const auto point = [&](const FrameData& frame, int body) {
    return MotionOfPoint(frame.position, body, start, rotations).position;
  };

  Parallelogram p;
  std::vector<Vec3> pins(start.size());
  for (const BodyMotion& body : start) p.parts_.push_back({body, false, {}});
  for (const JointData& joint : joints) {
    if (!IsInertialZ(Direction(joint.on_parent.z, joint.parent, rotations))) return {};
    if (joint.parent != kGround) continue;
    const auto child = static_cast<std::size_t>(joint.child);
    if (p.parts_[child].is_crank) return {};  // a second ground pin
    p.parts_[child].is_crank = true;
    pins[child] = joint.on_parent.position;
    p.parts_[child].arm = start[child].position - pins[child];
  }
  // One c for all pins between a crank and a coupler; no others.
  std::optional<Vec3> c;
  for (const JointData& joint : joints) {
    if (joint.parent == kGround) continue;
    const bool parent_turns = p.parts_[static_cast<std::size_t>(joint.parent)].is_crank;
    const bool child_turns = p.parts_[static_cast<std::size_t>(joint.child)].is_crank;
    if (parent_turns == child_turns) return {};
    const int crank = parent_turns ? joint.parent : joint.child;
    const Vec3 arm = point(parent_turns ? joint.on_parent : joint.on_child, crank) -
                     pins[static_cast<std::size_t>(crank)];
    if (c && !Same(*c, arm)) return {};
    c = arm;
  }
  if (!c) return {};

  std::optional<Real> rate;
  Real inertia = 0;
  Vec3 moment;  // S
  for (std::size_t b = 0; b < start.size(); ++b) {
    Part& part = p.parts_[b];
    const Vec3& omega = part.start.angular_velocity;
    const Real mass = system.bodies[b].mass;
    if (part.is_crank) {
      if (!Same(omega, {0, 0, rate.value_or(omega.z)})) return {};
      rate = omega.z;
      if (!IsInertialZ(rotations[b] * Vec3{0, 0, 1})) return {};
      inertia += system.bodies[b].inertia(2, 2);
    } else {
      if (!Same(omega, {})) return {};
      part.arm = *c;
    }
    const Vec3 arm{part.arm.x, part.arm.y, 0};
    inertia += mass * Dot(arm, arm);
    moment = moment + mass * arm;
  }
  const Real g = Norm(system.gravity), size = Norm(moment);
  const bool upright = Norm(Cross(moment, system.gravity)) < Real(kSame) * g * size &&
                       Dot(moment, system.gravity) < 0 && IsZero(system.gravity.z);
  if (!rate || IsZero(*rate) || !upright || !(inertia > 0)) return {};
  const Real omega0_squared = size * g / inertia;
  const Real bottom_squared = *rate * *rate + 4 * omega0_squared;
  p.bottom_rate_ = Sqrt(bottom_squared);
  p.direction_ = *rate < 0 ? -1 : 1;
  p.m_ = 4 * omega0_squared / bottom_squared;
  p.complement_ = *rate * *rate / bottom_squared;
  p.quarter_period_ = QuarterPeriod(p.complement_);
  return p;
}

Motion Parallelogram::At(Real t) const {
  const Jacobi j = JacobiOf(quarter_period_ + bottom_rate_ * t / 2, m_, complement_);
  // psi/2 = phi/2 - pi/2
  const Quat turn{j.sn, 0, 0, -direction_ * j.cn};
  const Vec3 omega{0, 0, direction_ * bottom_rate_ * j.dn};
  const Mat3 r = RotationOf(turn);
  Motion motion;
  for (const Part& part : parts_) {
    const Vec3 arm = r * part.arm;
    BodyMotion body = part.start;
    body.position = part.start.position - part.arm + arm;
    body.velocity = Cross(omega, arm);
    if (part.is_crank) {
      body.orientation = turn * part.start.orientation;
      body.angular_velocity = omega;
    }
    motion.push_back(body);
  }
  return motion;
}

}  // namespace mbsbench::extended
