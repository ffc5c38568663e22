#include "problems/test_systems/rounded_linkage.h"

#include <array>
#include <cmath>
#include <span>

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

Problem LinkageOn(std::span<const Vector3> pins, int decimals, JointType closing) {
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
  const Vector3 centre{-kBar / 2, 0, 0};
  s.joints = {pin("a", kGround, {}, 0, -1 * half), pin("c", 0, half, 1, centre),
              pin("b", kGround, pins[0], 2, -1 * half)};
  s.loop_joints = {pin("d", 1, pins[0] + centre, 2, half)};
  if (pins.size() > 1) {
    s.bodies.push_back(rod("third"));
    s.joints.push_back(pin("e", kGround, pins[1], 3, -1 * half));
    s.loop_joints.push_back(pin("f", 1, pins[1] + centre, 3, half));
  }
  for (Joint& joint : s.loop_joints) joint.type = closing;
  const std::array<Quaternion, 4> of_bodies{
      AxisAngle({1, 0, 0}, -0.3), AxisAngle({0.6, 0.8, 0}, 1.1), AxisAngle({0, 0.6, 0.8}, -0.7),
      AxisAngle({0.8, 0, 0.6}, 0.5)};
  s = Turned(std::move(s), AxisAngle({0.48, 0.6, 0.64}, 0.8),
             std::span(of_bodies).first(s.bodies.size()));
  if (decimals < 17) {
    for (auto* joints : {&s.joints, &s.loop_joints}) {
      for (Joint& joint : *joints)
        Round(joint.parent_frame, decimals), Round(joint.child_frame, decimals);
    }
  }
  p.initial = {{{kAngle, -kAngle, kAngle}, {kRate, -kRate, kRate}}, {1, 2}};
  if (pins.size() > 1) {
    p.initial.joints.q.push_back(kAngle);
    p.initial.joints.u.push_back(kRate);
    p.initial.dependent_joints.push_back(3);
  }
  p.length = kBar;
  p.end_time = 0.3;
  p.sample_times = {0, 0.15, 0.3};
  return p;
}

// (sum of J + m 0.2^2 + M 0.4^2) w' = factor x sin angle
double PendulumFactor(int rods) {
  const double arm = kRod / 2;
  return (rods * kRodMass * arm + kBarMass * kRod) * kGravity /
         (rods * (kRodInertia + kRodMass * arm * arm) + kBarMass * kRod * kRod);
}

}  // namespace

Problem RoundedLinkage(int decimals, JointType closing) {
  const Vector3 pins[] = {{kBar, 0, 0}};
  return LinkageOn(pins, decimals, closing);
}

Problem ThreeRoundedRods(int decimals) {
  const Vector3 pins[] = {{0.3, 0, 0.03}, {kBar, 0, 0.25}};
  Problem p = LinkageOn(pins, decimals, JointType::kRevolute);
  p.end_time = 0.6;
  p.sample_times = {0, 0.3, 0.6};
  return p;
}

double RateOfThreeRods(double t) {
  constexpr int kSteps = 2000;
  const double h = t / kSteps, factor = PendulumFactor(3);
  double angle = kAngle, rate = kRate;
  for (int i = 0; i < kSteps; ++i) {  // Stoermer and Verlet's method of order 4
    constexpr double kOuter = 1.3512071919596578, kInner = 1 - 2 * kOuter;
    for (const double part : {kOuter, kInner, kOuter}) {
      rate += part * h / 2 * factor * std::sin(angle);
      angle += part * h * rate;
      rate += part * h / 2 * factor * std::sin(angle);
    }
  }
  return rate;
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

double AccelerationOfRoundedLinkage() { return PendulumFactor(2) * std::sin(kAngle); }

}  // namespace mbsbench
