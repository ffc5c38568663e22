#include "problems/test_systems/rounded_linkage.h"

#include <array>
#include <cmath>

#include "problems/model/kinematics.h"
#include "problems/model/same_mechanism.h"

namespace mbsbench {

namespace {

constexpr double kRod = 0.4, kBar = 0.6, kRodMass = 0.8, kBarMass = 1.2, kRodInertia = 0.01;
constexpr double kGravity = 9.81, kAngle = 0.5, kRate = 0.8;

double Rounded(double x, int decimals) {
  const double unit = std::pow(10, decimals);
  return std::round(x * unit) / unit;
}

void Round(Frame& frame, int decimals) {
  Vector3& p = frame.position;
  Quaternion& q = frame.orientation;
  for (double* x : {&p.x, &p.y, &p.z, &q.w, &q.x, &q.y, &q.z}) *x = Rounded(*x, decimals);
  q = Normalised(q);
}

}  // namespace

Problem RoundedLinkage(int decimals, JointType closing) {
  const Quaternion y_axis = AxisAngle({1, 0, 0}, -M_PI / 2);  // z of the pins along y
  const auto pin = [&](const char* name, int parent, const Vector3& on_parent, int child,
                       const Vector3& on_child) {
    Joint joint;
    joint.name = name;
    joint.type = JointType::kRevolute;
    joint.parent = parent;
    joint.child = child;
    joint.parent_frame = {on_parent, y_axis};
    joint.child_frame = {on_child, y_axis};
    return joint;
  };
  Problem p;
  p.name = "rounded-linkage";
  System& s = p.system;
  s.gravity = {0, 0, -kGravity};
  const auto rod = [](const char* name) {
    Body body;
    body.name = name;
    body.mass = kRodMass;
    body.inertia = Diagonal(kRodInertia, kRodInertia, 0.0005);
    return body;
  };
  s.bodies = {rod("left"), rod("bar"), rod("right")};
  s.bodies[1].mass = kBarMass;
  s.bodies[1].inertia = Diagonal(0.0005, 0.036, 0.036);
  const Vector3 half{0, 0, kRod / 2};
  s.joints = {pin("a", kGround, {}, 0, -1 * half), pin("c", 0, half, 1, {-kBar / 2, 0, 0}),
              pin("b", kGround, {kBar, 0, 0}, 2, -1 * half)};
  s.loop_joints = {pin("d", 1, {kBar / 2, 0, 0}, 2, half)};
  s.loop_joints.back().type = closing;
  const std::array<Quaternion, 3> of_bodies{
      AxisAngle({1, 0, 0}, -0.3), AxisAngle({0.6, 0.8, 0}, 1.1), AxisAngle({0, 0.6, 0.8}, -0.7)};
  s = Turned(std::move(s), AxisAngle({0.48, 0.6, 0.64}, 0.8), of_bodies);
  if (decimals < 17) {
    for (auto* joints : {&s.joints, &s.loop_joints}) {
      for (Joint& joint : *joints)
        Round(joint.parent_frame, decimals), Round(joint.child_frame, decimals);
    }
  }
  p.initial = {{{kAngle, -kAngle, kAngle}, {kRate, -kRate, kRate}}, {1, 2}};
  p.length = kBar;
  p.end_time = 0.3;
  p.sample_times = {0, 0.15, 0.3};
  return p;
}

Problem LockedLinkage(double tilt, JointType closing) {
  Problem p = RoundedLinkage(17, closing);
  p.initial.joints.u.assign(3, 0.0);
  Quaternion& pin = p.system.joints[1].parent_frame.orientation;
  pin = pin * AxisAngle({0.6, 0.8, 0}, tilt);
  const std::vector<BodyState> bodies = ForwardKinematics(p.system, p.initial.joints);
  Joint& joint = p.system.loop_joints[0];
  const BodyState &parent = bodies[static_cast<std::size_t>(joint.parent)],
                  &child = bodies[static_cast<std::size_t>(joint.child)];
  const Vector3 point = parent.position + Rotate(parent.orientation, joint.parent_frame.position);
  const Quaternion back = Conjugate(child.orientation);
  joint.child_frame.position = Rotate(back, point - child.position);
  joint.child_frame.orientation = back * parent.orientation * joint.parent_frame.orientation;
  return p;
}

double AccelerationOfRoundedLinkage() {
  const double arm = kRod / 2;
  return (2 * kRodMass * arm + kBarMass * kRod) * kGravity * std::sin(kAngle) /
         (2 * (kRodInertia + kRodMass * arm * arm) + kBarMass * kRod * kRod);
}

}  // namespace mbsbench
