// Rods without mass that loops alone hold: the tree has no inertia there, whatever joint is cut at the rod's end.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "problems/catalog/rods.h"
#include "problems/model/kinematics.h"
#include "problems/model/problem.h"
#include "reference/joint_coordinates/joint_coordinates.h"
#include "reference/reference.h"
#include "reference/system/no_accelerations.h"
#include "reference/trajectory.h"

namespace mbsbench {
namespace {

constexpr double kRodLength = 1.2, kRodBase = 0.7, kRodGravity = 9.81, kRodAngle = 0.7,
                 kRodRate = 1.5;

struct SwingingRod {
  double mass, inertia, centre;  // about and from the pivot
};
constexpr SwingingRod kCrankRod{2, 1.1, 0.5}, kRockerRod{3, 3.2, 0.8};

Body MadeRod(const std::string& name, double mass, double inertia) {
  Body body;
  body.name = name;
  body.mass = mass;
  body.inertia = Diagonal(inertia, inertia, inertia);
  return body;
}

// Two rods on pivots (0, 0) and (base, 0), parallel at an angle to x, and a coupler between their ends, which stays
// parallel to x.
Problem MadeParallelogram(double coupler_mass, bool is_cut_at_coupler) {
  Problem p;
  p.name = "parallelogram";
  System& s = p.system;
  s.gravity = {0, -kRodGravity, 0};
  const auto rod = [](const std::string& name, const SwingingRod& of) {
    return MadeRod(name, of.mass, of.inertia - of.mass * of.centre * of.centre);
  };
  s.bodies = {rod("crank", kCrankRod), MadeRod("coupler", coupler_mass, coupler_mass / 12),
              rod("rocker", kRockerRod)};
  const Vector3 half{kRodBase / 2, 0, 0}, crank_end{kRodLength - kCrankRod.centre, 0, 0},
      rocker_pivot{-kRockerRod.centre, 0, 0}, rocker_end{kRodLength - kRockerRod.centre, 0, 0};
  const JointType pin = JointType::kRevolute;
  const Joint end = JointBetween("end", pin, 1, half, 2, rocker_end),
              pivot = JointBetween("rocker_pivot", pin, kGround, {kRodBase, 0, 0}, 2, rocker_pivot);
  s.joints = {JointBetween("crank_pivot", pin, kGround, {}, 0, {-kCrankRod.centre, 0, 0}),
              JointBetween("crank_end", pin, 0, crank_end, 1, -half),
              is_cut_at_coupler ? pivot : end};
  s.loop_joints = {is_cut_at_coupler ? end : pivot};
  p.initial.joints = {{kRodAngle, -kRodAngle, kRodAngle}, {kRodRate, -kRodRate, kRodRate}};
  p.initial.dependent_joints = {1, 2};
  p.length = 1;
  p.time = 0.3;
  p.end_time = 0.2;
  p.sample_times = {0, 0.1, 0.2};
  return p;
}

// (I1 + I2) q'' = -(m1 c1 + m2 c2) g cos q
double AccelerationOfParallelogram() {
  return -(kCrankRod.mass * kCrankRod.centre + kRockerRod.mass * kRockerRod.centre) * kRodGravity *
         std::cos(kRodAngle) / (kCrankRod.inertia + kRockerRod.inertia);
}

double RodsApart(const ReferenceDynamics& a, const ReferenceDynamics& b, std::size_t bodies) {
  double apart = 0;
  for (std::size_t i = 0; i < bodies; ++i)
    apart = std::max(
        {apart, Norm(a.accelerations[i].acceleration - b.accelerations[i].acceleration),
         Norm(a.accelerations[i].angular_acceleration - b.accelerations[i].angular_acceleration)});
  return apart;
}

TEST(MasslessRods, CutAtTheirEndAccelerateAndPullAsTheClosedFormSays) {
  const Problem p = MadeParallelogram(0, true);
  const ReferenceDynamics found = ReferenceAccelerations(p.system, p.initial.joints);
  const double alpha = AccelerationOfParallelogram();
  for (std::size_t b : {0u, 2u})
    EXPECT_NEAR(alpha, found.accelerations[b].angular_acceleration.z, 1e-13);
  EXPECT_NEAR(0, Norm(found.accelerations[1].angular_acceleration), 1e-13);
  const double c = std::cos(kRodAngle), s = std::sin(kRodAngle);
  const Vector3 of_coupler = {kRodLength * (-alpha * s - kRodRate * kRodRate * c),
                              kRodLength * (alpha * c - kRodRate * kRodRate * s), 0};
  EXPECT_NEAR(0, Norm(found.accelerations[1].acceleration - of_coupler), 1e-13);
  // About the rocker's pivot: I q'' = -m c g cos q - l sin q F.
  const double pull =
      -(kRockerRod.inertia * alpha + kRockerRod.mass * kRockerRod.centre * kRodGravity * c) /
      (kRodLength * s);
  ASSERT_GT(std::abs(pull), 1);
  const ReferenceReaction &on_coupler = found.reactions[1], &on_rocker = found.reactions[3];
  EXPECT_NEAR(pull, on_rocker.force.x, 1e-13);
  EXPECT_NEAR(0, on_rocker.force.y, 1e-13);
  EXPECT_NEAR(pull, on_coupler.force.x, 1e-13);
  for (const ReferenceReaction& r : found.reactions) {
    EXPECT_TRUE(r.unique[0] && r.unique[1]) << "forces in the plane are unique";
    EXPECT_FALSE(r.unique[2] || r.unique[3] || r.unique[4]) << "the others are not";
  }
}

TEST(MasslessRods, AccelerateTheSameWhereverTheLoopIsCut) {
  const Problem at_end = MadeParallelogram(0, true), elsewhere = MadeParallelogram(0, false);
  const ReferenceDynamics one = ReferenceAccelerations(at_end.system, at_end.initial.joints),
                          other =
                              ReferenceAccelerations(elsewhere.system, elsewhere.initial.joints);
  EXPECT_LT(RodsApart(one, other, 3), 1e-13);
  EXPECT_EQ(one.reactions[1].unique, other.reactions[1].unique);
}

TEST(MasslessRods, AreTheLimitOfLightOnes) {
  const ReferenceDynamics without = ReferenceAccelerations(
      MadeParallelogram(0, true).system, MadeParallelogram(0, true).initial.joints);
  double before = 1;
  for (const double mass : {1e-3, 1e-6, 1e-9, 1e-12}) {
    const Problem light = MadeParallelogram(mass, true);
    const double apart =
        RodsApart(without, ReferenceAccelerations(light.system, light.initial.joints), 3);
    EXPECT_LT(apart, 10 * mass);
    EXPECT_GT(apart, mass / 100) << "the mass matters";
    EXPECT_LT(apart, before / 500);
    before = apart;
  }
}

TEST(MasslessRods, MoveTheSameWhereverTheLoopIsCut) {
  const Problem at_end = MadeParallelogram(0, true), elsewhere = MadeParallelogram(0, false);
  constexpr extended::ExtrapolationSettings kSettings{.columns = 8, .tolerance = 1e-20};
  const extended::Trajectory truth = extended::SolveInMaximalCoordinates(elsewhere, kSettings);
  EXPECT_THAT(truth.formulation, testing::Not(testing::HasSubstr("dense matrix")));
  EXPECT_THAT(extended::SolveInMaximalCoordinates(at_end, kSettings).formulation,
              testing::HasSubstr(", all equations as one dense matrix"));
  for (const auto& solve :
       {extended::SolveInMaximalCoordinates, extended::SolveInJointCoordinates}) {
    const extended::Distance apart =
        extended::DistanceBetween(at_end, truth, solve(at_end, kSettings, {}));
    EXPECT_LT(apart.position, 1e-18);
    EXPECT_LT(apart.velocity, 1e-18);
  }
}

TEST(MasslessRods, AccelerateInJointCoordinatesOfManyRates) {
  const Problem p = MadeParallelogram(0, true);
  extended::JointCoordinates dense(p.system), many(p.system, 0);
  const std::vector<extended::Real> y = dense.Start(p.initial);
  ASSERT_TRUE(y == many.Start(p.initial));
  const extended::JointDynamics a = dense.DynamicsAt(y), b = many.DynamicsAt(y);
  for (std::size_t i = 0; i < 3; ++i)
    EXPECT_EQ(0,
              static_cast<double>(Norm(a.accelerations[i].angular - b.accelerations[i].angular)));
}

// Two bodies on skew pins, held at a distance: by a distance joint, or by a rod without mass on a ball, whose end is
// cut. `at_end`: the joint there.
struct HeldApart {
  System by_distance, by_rod;
  JointState two, three;
};
HeldApart MadeHeldApart(JointType at_end) {
  HeldApart made;
  System& s = made.by_distance;
  s.gravity = {1, -9, 3};
  const Vector3 p{0.4, 0.1, -0.2}, q{-0.1, 0.5, 0.3};  // the points, on the bodies
  s.bodies = {MadeRod("one", 2, 0.3), MadeRod("two", 1, 0.2)};
  s.joints = {
      JointBetween("pin_one", JointType::kRevolute, kGround, {}, 0, {-0.5, 0.2, 0}),
      JointBetween("pin_two", JointType::kRevolute, kGround, {1.5, 0, 0.4}, 1, {0, -0.6, 0.1})};
  s.joints[0].parent_frame.orientation = Normalised(Quaternion{1, 0.3, -0.2, 0.1});
  s.joints[1].parent_frame.orientation = Normalised(Quaternion{1, -0.1, 0.6, 0.4});
  made.two = {{0.4, -0.8}, {0, 0}};
  const std::vector<BodyState> at = ForwardKinematics(s, made.two);
  const auto point = [&at](std::size_t b, const Vector3& on_body) {
    return at[b].position + Rotate(at[b].orientation, on_body);
  };
  const Vector3 apart = point(1, q) - point(0, p);
  const double length = Norm(apart);
  made.by_rod = s;
  s.loop_joints = {JointBetween("apart", JointType::kDistance, 0, p, 1, q)};
  s.loop_joints[0].length = length;

  // The rod lies along its y axis; the universal joint's blocked turn is about it.
  System& r = made.by_rod;
  r.bodies.push_back(MadeRod("rod", 0, 0));
  r.joints.push_back(JointBetween("ball", JointType::kBall, 0, p, 2, {0, -length / 2, 0}));
  const Vector3 along = (1 / length) * apart, turn{along.z, 0, -along.x};  // y x along
  const Quaternion rod = Normalised(Quaternion{1 + along.y, turn.x, turn.y, turn.z});
  const Quaternion on_one = Normalised(Conjugate(at[0].orientation) * rod);
  r.loop_joints = {JointBetween("end", at_end, 1, q, 2, {0, length / 2, 0})};
  r.loop_joints[0].parent_frame.orientation = Normalised(Conjugate(at[1].orientation) * rod);
  made.three = {{0.4, -0.8, on_one.w, on_one.x, on_one.y, on_one.z}, {0, 0, 0, 0, 0}};
  return made;
}

TEST(MasslessRods, HoldTheirEndsApartAsADistanceJointDoes) {
  const HeldApart made = MadeHeldApart(JointType::kUniversal);
  const ReferenceDynamics by_distance = ReferenceAccelerations(made.by_distance, made.two),
                          by_rod = ReferenceAccelerations(made.by_rod, made.three);
  EXPECT_GT(Norm(by_distance.reactions[2].force), 1);
  EXPECT_LT(RodsApart(by_distance, by_rod, 2), 1e-13);
  for (const std::size_t j : {2u, 3u})
    EXPECT_NEAR(Norm(by_distance.reactions[2].force), Norm(by_rod.reactions[j].force), 1e-13);
  System open = made.by_distance;
  open.loop_joints.clear();
  EXPECT_GT(RodsApart(by_distance, ReferenceAccelerations(open, made.two), 2), 0.1)
      << "the rod matters";
}

TEST(MasslessRods, ThatTurnFreelyAboutThemselvesHaveNoAccelerations) {
  const HeldApart made = MadeHeldApart(JointType::kBall);
  try {
    ReferenceAccelerations(made.by_rod, made.three);
    FAIL() << "nothing determines the rod's spin";
  } catch (const NoAccelerations& refused) {
    EXPECT_THAT(refused.what(),
                testing::HasSubstr("joint 'ball' carries a subtree without inertia"));
  }
}

}  // namespace
}  // namespace mbsbench
