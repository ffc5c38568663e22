// Redundant loops: motions and certificates.
#include <gtest/gtest.h>

#include <cmath>

#include "reference/reference.h"
#include "reference/trajectory.h"

namespace mbsbench {
namespace {

Joint JointBetween(const char* name, JointType type, int parent, const Frame& on_parent, int child,
                   const Frame& on_child) {
  return {name, type, parent, child, on_parent, on_child};
}

// A shaft of 3 kg in bearings at two places of the z axis, its mass centre 1 cm beside it.
Problem ShaftInBearingsAt(double left, double right) {
  Problem p;
  p.name = "shaft";
  p.system.bodies.push_back({"shaft", 3, Diagonal(0.02, 0.02, 0.01), false, {}});
  p.system.joints.push_back(JointBetween("left", JointType::kRevolute, kGround, {{0, 0, left}, {}},
                                         0, {{0.01, 0, -0.4}, {}}));
  p.system.loop_joints.push_back(JointBetween("right", JointType::kRevolute, kGround,
                                              {{0, 0, right}, {}}, 0, {{0.01, 0, 0.4}, {}}));
  p.initial.joints = {{0}, {20}};
  p.end_time = 0.1;
  p.sample_times = {0, 0.05, 0.1};
  return p;
}

// The second bearing takes force and moment, but does not change the motion.
TEST(LoopsInDecimals, AShaftInTwoBearingsMovesAsInOne) {
  for (const double left : {0.}) {
    const Problem two = ShaftInBearingsAt(left, left + 0.8);
    Problem one = two;
    one.system.loop_joints.clear();
    const Reference a = SolveUncertified(two), b = SolveUncertified(one);
    EXPECT_LT(DifferenceBetween(two, a, b), 1e-13) << left;
    for (std::size_t k = 0; k < a.samples.size(); ++k) {
      const auto& in_two = a.samples[k].reactions;
      const Vector3 sum = in_two[0].force + in_two[1].force;
      EXPECT_LT(Norm(sum - b.samples[k].reactions[0].force), 1e-9) << left;
      EXPECT_FALSE(in_two[1].unique.all());
    }
  }
}

// tan(out) = tan(in) cos(beta); the axes of both shafts meet in the joint, so that no part has a length.
TEST(Loops, AHookeJointBetweenShaftsThatMeetTransmitsTheKnownAngle) {
  const Frame cross{{}, {0.7071067811865476, -0.7071067811865475, 0, 0}};
  const Frame bearing{{}, mbsbench::AxisAngle({0, 1, 0}, 0.6)};
  Problem p;
  p.name = "hooke";
  p.system.bodies = {{"in", 1, Diagonal(0.02, 0.02, 0.01), false, {}},
                     {"out", 1.5, Diagonal(0.02, 0.02, 0.015), false, {}}};
  p.system.joints = {JointBetween("bin", JointType::kRevolute, kGround, {}, 0, {}),
                     JointBetween("bout", JointType::kRevolute, kGround, bearing, 1, {})};
  p.system.loop_joints = {JointBetween("u", JointType::kUniversal, 0, cross, 1, cross)};
  p.system.drivers = {{"motor", 0, DriverMotion{5}}};
  p.system.gravity = {};
  p.initial = {{{0, 0}, {5, 5}}, {1}};
  p.sample_times = {0, 1};
  p.end_time = 1;
  const Reference r = SolveUncertified(p);
  const Quaternion out = Conjugate(bearing.orientation) * r.samples[1].bodies[1].orientation;
  const double angle = 2 * std::atan2(out.z, out.w);
  EXPECT_NEAR(std::remainder(angle - 5.056540970813927, 2 * M_PI), 0, 1e-9);
}

// Without forces all accelerations of a balanced rotor are zero, and its redundant rows differ by round-off alone.
TEST(Loops, ABalancedRotorSpinsWithoutGravity) {
  Problem p = ShaftInBearingsAt(0.3, 1.1);
  for (Joint* joint : {&p.system.joints[0], &p.system.loop_joints[0]}) {
    joint->child_frame.position.x = 0;
    joint->parent_frame.orientation = mbsbench::AxisAngle({0.6, 0, 0.8}, 0.7);
    joint->parent_frame.position =
        Rotate(joint->parent_frame.orientation, joint->parent_frame.position);
  }
  p.system.gravity = {};
  for (const double rate : {0., 1e-3, 100.}) {
    p.initial.joints = {{0.3}, {rate}};
    const ReferenceDynamics d = ReferenceAccelerations(p.system, p.initial.joints);
    EXPECT_LT(Norm(d.accelerations[0].acceleration), 1e-12 * rate * rate + 1e-30);
    EXPECT_LT(Norm(d.accelerations[0].angular_acceleration), 1e-12 * rate * rate + 1e-30);
  }
}

}  // namespace
}  // namespace mbsbench
