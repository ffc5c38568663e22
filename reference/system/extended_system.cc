#include "reference/system/extended_system.h"

namespace mbsbench::extended {

namespace {

FrameData ExtendedFrame(const Frame& frame) {
  FrameData e;
  e.position = Extend(frame.position);
  e.orientation = Normalised(Extend(frame.orientation));
  const Mat3 r = RotationOf(e.orientation);
  e.x = {r(0, 0), r(1, 0), r(2, 0)};
  e.y = {r(0, 1), r(1, 1), r(2, 1)};
  e.z = {r(0, 2), r(1, 2), r(2, 2)};
  return e;
}

struct RealFunctions {
  static Real Sin(Real x) { return extended::Sin(x); }
  static Real Cos(Real x) { return extended::Cos(x); }
  static Real Asin(Real x) { return extended::Asin(x); }
  static Real Sqrt(Real x) { return extended::Sqrt(x); }
};

// Between the last knot that is not later and the next one.
Real Interpolate(const std::vector<EffortOverTime::Knot>& table, Real t) {
  std::size_t begin = 0, end = table.size();  // knots before `begin` are not later than t
  while (begin < end) {
    const std::size_t middle = begin + (end - begin) / 2;
    (Real(table[middle].time) > t ? end : begin) =
        Real(table[middle].time) > t ? middle : middle + 1;
  }
  if (begin == 0) return table.front().value;
  if (begin == table.size()) return table.back().value;
  const auto &last = table[begin - 1], &next = table[begin];
  const Real share = (t - Real(last.time)) / (Real(next.time) - Real(last.time));
  return (1 - share) * Real(last.value) + share * Real(next.value);
}

std::vector<JointData> ExtendedJoints(const std::vector<Joint>& joints) {
  std::vector<JointData> extended_joints;
  for (const Joint& joint : joints) {
    extended_joints.push_back({joint.type, joint.parent, joint.child,
                               ExtendedFrame(joint.parent_frame), ExtendedFrame(joint.child_frame),
                               joint.length});
  }
  return extended_joints;
}

}  // namespace

SystemData::SystemData(const System& system)
    : model(system),
      tree(TopologyOf(system)),
      joints(ExtendedJoints(system.joints)),
      loop_joints(ExtendedJoints(system.loop_joints)),
      gravity(Extend(system.gravity)) {
  for (const Body& body : system.bodies) {
    bodies.push_back({body.mass, Extend(body.inertia)});
  }
  for (const Driver& d : system.drivers) {
    JointData& joint = joints[static_cast<std::size_t>(d.joint)];
    joint.driven = true;
    joint.starts_anywhere = StartsAnywhere(d.motion);
  }
  SetTime(0);
}

void SystemData::SetTime(Real t) {
  for (const Driver& d : model.drivers) {
    joints[static_cast<std::size_t>(d.joint)].motion =
        mbsbench::MotionAt<Real, RealFunctions>(d.motion, t);
  }
  efforts.clear();
  for (const Motor& motor : model.forces.Of<Motor>()) {
    const EffortOverTime& effort = motor.effort;
    efforts.push_back(effort.table.empty()
                          ? mbsbench::MotionAt<Real, RealFunctions>(effort.function, t).position
                          : Interpolate(effort.table, t));
  }
}

void SystemData::PlaceDriven(std::vector<Real>& q, std::vector<Real>& u) {
  SetTime(0);
  const JointOffsets at = OffsetsOf(model);
  for (std::size_t j = 0; j < joints.size(); ++j) {
    if (!joints[j].driven) continue;
    if (!joints[j].starts_anywhere)
      q[static_cast<std::size_t>(at.q[j])] = joints[j].motion.position;
    u[static_cast<std::size_t>(at.u[j])] = joints[j].motion.rate;
  }
}

std::vector<Real> Pack(const Motion& motion) {
  std::vector<Real> y;
  y.reserve(kNumbersPerBody * motion.size());
  for (const BodyMotion& b : motion) {
    y.insert(y.end(), {b.position.x, b.position.y, b.position.z,                            //
                       b.orientation.w, b.orientation.x, b.orientation.y, b.orientation.z,  //
                       b.velocity.x, b.velocity.y, b.velocity.z,                            //
                       b.angular_velocity.x, b.angular_velocity.y, b.angular_velocity.z});
  }
  return y;
}

void Unpack(const std::vector<Real>& numbers, Motion& motion) {
  motion.resize(numbers.size() / kNumbersPerBody);
  const Real* y = numbers.data();
  for (BodyMotion& b : motion) {
    b = {{y[0], y[1], y[2]}, {y[3], y[4], y[5], y[6]}, {y[7], y[8], y[9]}, {y[10], y[11], y[12]}};
    y += kNumbersPerBody;
  }
}

PointMotion MotionOfPoint(const Vec3& point, int body, const Motion& motion,
                          const std::vector<Mat3>& rotations) {
  if (body == kGround) return {point, point, {}, {}, {}};
  const BodyMotion& b = motion[static_cast<std::size_t>(body)];
  const Vec3 arm = rotations[static_cast<std::size_t>(body)] * point;
  const Vec3 turning = Cross(b.angular_velocity, arm);
  return {arm, b.position + arm, b.velocity + turning, Cross(b.angular_velocity, turning),
          b.angular_velocity};
}

Real UnitOfRates(const Motion& motion, const Scales& scales) {
  Real fastest = 1 / scales.time;
  for (const BodyMotion& body : motion)
    fastest = Max(fastest, Max(Norm(body.angular_velocity), Norm(body.velocity) / scales.length));
  return fastest;
}

std::vector<Mat3> RotationsOf(const Motion& motion) {
  std::vector<Mat3> rotations;
  rotations.reserve(motion.size());
  for (const BodyMotion& body : motion) rotations.push_back(RotationOf(body.orientation));
  return rotations;
}

BodyState Round(const BodyMotion& body) {
  return {extended::Round(body.position), extended::Round(body.orientation),
          extended::Round(body.velocity), extended::Round(body.angular_velocity)};
}

std::vector<BodyState> Round(const Motion& motion) {
  std::vector<BodyState> states;
  for (const BodyMotion& body : motion) states.push_back(Round(body));
  return states;
}

}  // namespace mbsbench::extended
