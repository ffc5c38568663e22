// Closed loops against the planar four-bar of problems.md (fourbar), whose motion follows from its
// energy alone.
#include <gtest/gtest.h>

#include <cmath>

#include "problems/catalog/rods.h"
#include "problems/model/error.h"
#include "problems/model/kinematics.h"
#include "problems/test_systems/random_trees.h"
#include "reference/maximal_coordinates/forces.h"
#include "reference/maximal_coordinates/maximal_coordinates.h"
#include "reference/reference.h"
#include "reference/system/constraints.h"
#include "reference/system/initial_motion.h"
#include "reference/trajectory.h"

namespace mbsbench {
namespace {

using namespace extended;

constexpr double kCrank = 0.3, kCoupler = 0.8, kRocker = 0.7,
                 kGroundLink = 1;  // [m], 1 kg per metre
constexpr double kStartRate = 20;  // of the crank [rad/s]

Body Bar(const std::string& name, double length) {
  Body bar;
  bar.name = name;
  bar.mass = length;
  const double transverse = length * length * length / 12;
  bar.inertia = mbsbench::Diagonal(0.01 * transverse, transverse, transverse);
  return bar;
}

// Crank and coupler from the left pin, rocker from the right one; the loop is closed between
// coupler and rocker.
Problem FourBar(JointType moving_pins) {
  Problem p;
  p.name = "fourbar_test";
  System& s = p.system;
  s.bodies = {Bar("crank", kCrank), Bar("coupler", kCoupler), Bar("rocker", kRocker)};
  s.joints = {JointBetween("left", JointType::kRevolute, kGround, {}, 0, {-kCrank / 2, 0, 0}),
              JointBetween("knee", moving_pins, 0, {kCrank / 2, 0, 0}, 1, {-kCoupler / 2, 0, 0}),
              JointBetween("right", JointType::kRevolute, kGround, {kGroundLink, 0, 0}, 2,
                           {-kRocker / 2, 0, 0})};
  s.loop_joints = {
      JointBetween("top", moving_pins, 1, {kCoupler / 2, 0, 0}, 2, {kRocker / 2, 0, 0})};
  // Crank along +x, so that the other bars and the line of pins form a triangle of 0.7, 0.8, 0.7; guesses to a
  // few digits.
  const double coupler = std::acos(0.4 / 0.7), rocker = M_PI - std::acos(1 - 0.32 / 0.49);
  p.initial.joints.q = {0};
  p.initial.joints.u = {kStartRate};
  const double b = coupler + 3e-5;
  if (moving_pins == JointType::kBall) {
    p.initial.joints.q.insert(p.initial.joints.q.end(), {std::cos(b / 2), 0, 0, std::sin(b / 2)});
    p.initial.joints.u.insert(p.initial.joints.u.end(), {0, 0, 0});
  } else {
    p.initial.joints.q.push_back(b);
    p.initial.joints.u.push_back(0);
  }
  p.initial.joints.q.push_back(rocker - 2e-5);
  p.initial.joints.u.push_back(0);
  p.initial.dependent_joints = {1, 2};
  p.end_time = 0.2;
  p.sample_times = {0, 0.03, 0.1, 0.2};
  return p;
}

// The mechanism at a crank angle, by intersecting circles; rates per unit crank rate.
struct Closure {
  Real coupler, rocker;            // angles of knee -> top, right -> top
  Real coupler_rate, rocker_rate;  // per crank rate
};
Closure Close(Real crank) {
  const Vec3 knee{Real(kCrank) * Cos(crank), Real(kCrank) * Sin(crank), 0};
  const Vec3 line = Vec3{Real(kGroundLink), 0, 0} - knee;
  const Real d = Norm(line);
  const Real along =
      (d * d + Real(kCoupler) * Real(kCoupler) - Real(kRocker) * Real(kRocker)) / (2 * d);
  const Real across = Sqrt(Real(kCoupler) * Real(kCoupler) - along * along);
  const Vec3 e = (1 / d) * line, up{-e.y, e.x, 0};
  const Vec3 top = knee + along * e + across * up;
  const Vec3 a = top - knee, c = top - Vec3{Real(kGroundLink), 0, 0};
  // knee' + w1 z x a = w2 z x c: project on c and on a
  const Vec3 knee_rate = Cross({0, 0, 1}, knee);
  const Vec3 za = Cross({0, 0, 1}, a), zc = Cross({0, 0, 1}, c);
  return {Atan2(a.y, a.x), Atan2(c.y, c.x), -Dot(knee_rate, c) / Dot(za, c),
          Dot(knee_rate, a) / Dot(zc, a)};
}

// Crank rate from the energy: T = A(theta) theta'^2 / 2.
Real CrankRate(Real crank, Real gravity) {
  const auto at = [&](Real theta, Real& inertia, Real& potential) {
    const Closure c = Close(theta);
    const Real l1 = kCrank, l2 = kCoupler, l3 = kRocker;
    const Real x2 = -l1 * Sin(theta) - l2 / 2 * Sin(c.coupler) * c.coupler_rate;
    const Real y2 = l1 * Cos(theta) + l2 / 2 * Cos(c.coupler) * c.coupler_rate;
    const auto transverse = [](double l) { return Real(l * l * l / 12); };  // as stated in double
    inertia = transverse(kCrank) + l1 * l1 * l1 / 4 + l2 * (x2 * x2 + y2 * y2) +
              transverse(kCoupler) * c.coupler_rate * c.coupler_rate +
              (transverse(kRocker) + l3 * l3 * l3 / 4) * c.rocker_rate * c.rocker_rate;
    potential =
        gravity * (l1 * l1 / 2 * Sin(theta) + l2 * (l1 * Sin(theta) + l2 / 2 * Sin(c.coupler)) +
                   l3 * l3 / 2 * Sin(c.rocker));
  };
  Real start_inertia, start_potential, inertia, potential;
  at(0, start_inertia, start_potential);
  at(crank, inertia, potential);
  return Sqrt(
      (start_inertia * Real(kStartRate) * Real(kStartRate) + 2 * (start_potential - potential)) /
      inertia);
}

TEST(Loops, TheFourBarIsAssembledToThirtyDigits) {
  const Problem p = FourBar(JointType::kBall);
  const MaximalCoordinates equations(p.system);
  const Motion m = InitialMotion(equations.system(), p);
  EXPECT_LT(static_cast<double>(equations.Drift(m)), 1e-29);
  const Closure c = Close(0);
  EXPECT_LT(static_cast<double>(Abs(m[1].angular_velocity.z - c.coupler_rate * Real(kStartRate))),
            1e-28);
  EXPECT_LT(static_cast<double>(Abs(m[2].angular_velocity.z - c.rocker_rate * Real(kStartRate))),
            1e-28);
}

TEST(Loops, AStateThatCannotCloseIsRefused) {
  Problem p = FourBar(JointType::kRevolute);
  p.system.joints[2].parent_frame.position.x = 5;
  EXPECT_THROW(InitialMotion(SystemData(p.system), p), ModelError);
}

// The printed rates are 17.6 to 35.7 rad/s; the energy gives them to all digits. Both joint types
// must agree: with four pins three constraints are redundant.
TEST(Loops, TheFourBarHasTheRatesOfItsEnergy) {
  for (JointType pins : {JointType::kBall, JointType::kRevolute}) {
    const Problem p = FourBar(pins);
    const Trajectory t = SolveInMaximalCoordinates(p, {.columns = 9, .tolerance = 1e-23});
    EXPECT_LT(static_cast<double>(t.largest_drift), 1e-28);
    for (const Motion& m : t.samples) {
      const Real crank = Atan2(m[0].position.y, m[0].position.x);
      const Real expected = CrankRate(crank, Real(9.81));
      EXPECT_LT(static_cast<double>(Abs(m[0].angular_velocity.z - expected)), 1e-21);
      EXPECT_GT(static_cast<double>(expected), 17.5);
      EXPECT_LT(static_cast<double>(expected), 35.8);
    }
  }
}

// Period = integral of d theta / theta' over a turn, by the trapezoidal rule (periodic integrand:
// it converges exponentially).
TEST(Loops, TheCrankReturnsAfterThePeriodByQuadrature) {
  constexpr int kPoints = 600;
  Real period = 0;
  for (int i = 0; i < kPoints; ++i) {
    period += 2 * Pi() / kPoints / CrankRate(2 * Pi() * i / kPoints, Real(9.81));
  }
  EXPECT_NEAR(static_cast<double>(period), 0.27059, 5e-6);  // problems.md
  Problem p = FourBar(JointType::kBall);
  p.end_time = static_cast<double>(period);
  p.sample_times = {0, p.end_time};
  const Trajectory t =
      SolveInMaximalCoordinates(p, {.columns = 9, .tolerance = 1e-23, .first_step = 0.01});
  const BodyMotion& crank = t.samples[1][0];
  const Real angle = Atan2(crank.position.y, crank.position.x);
  const Real late =
      (Real(p.end_time) - period) * crank.angular_velocity.z;  // the period is not a double
  EXPECT_LT(static_cast<double>(Abs(angle - late)), 1e-20);
}

TEST(Loops, OnlyRedundantReactionsAreMarked) {
  const auto state = [](JointType pins) {
    Problem p = FourBar(pins);
    const double coupler = std::acos(0.4 / 0.7), rocker = M_PI - std::acos(1 - 0.32 / 0.49);
    const Closure c = Close(0);
    p.initial.joints.q =
        pins == JointType::kBall
            ? std::vector<double>{0, std::cos(coupler / 2), 0, 0, std::sin(coupler / 2), rocker}
            : std::vector<double>{0, coupler, rocker};
    const double w1 = kStartRate * static_cast<double>(c.coupler_rate) - kStartRate;
    const double w2 = kStartRate * static_cast<double>(c.rocker_rate);
    p.initial.joints.u = pins == JointType::kBall ? std::vector<double>{kStartRate, 0, 0, w1, w2}
                                                  : std::vector<double>{kStartRate, w1, w2};
    return ReferenceAccelerations(p.system, p.initial.joints);
  };
  const ReferenceDynamics balls = state(JointType::kBall), pins = state(JointType::kRevolute);
  for (const ReferenceReaction& r : balls.reactions) EXPECT_TRUE(r.unique.all());
  for (const ReferenceReaction& r : pins.reactions) EXPECT_FALSE(r.unique.all());
  for (std::size_t b = 0; b < 3; ++b) {
    EXPECT_LT(Norm(balls.accelerations[b].acceleration - pins.accelerations[b].acceleration),
              1e-10);
    EXPECT_NEAR(balls.accelerations[b].angular_acceleration.z,
                pins.accelerations[b].angular_acceleration.z, 1e-9);
  }
  // Forces in the plane are still determined.
  for (std::size_t j = 0; j < 4; ++j) {
    EXPECT_NEAR(balls.reactions[j].force.x, pins.reactions[j].force.x, 1e-9);
    EXPECT_NEAR(balls.reactions[j].force.y, pins.reactions[j].force.y, 1e-9);
  }
}

// A bob on a distance joint instead of a rod: centripetal pull m (g + v^2 / l) at the lowest point.
TEST(Loops, ADistanceJointHasTheTensionOfARod) {
  System s;
  s.bodies.push_back({"bob", 2, mbsbench::Diagonal(1, 1, 1), false, {}});
  Joint free;
  free.name = "free";
  free.type = JointType::kFree;
  s.joints.push_back(free);
  Joint rope;
  rope.name = "rope";
  rope.type = JointType::kDistance;
  rope.parent_frame.position = {0, 4, 0};
  rope.length = 4;
  s.loop_joints.push_back(rope);
  const ReferenceDynamics d =
      ReferenceAccelerations(s, {{0, 0, 0, 1, 0, 0, 0}, {6, 0, 0, 0, 0, 0}});
  EXPECT_NEAR(d.accelerations[0].acceleration.y, 9, 1e-14);
  EXPECT_NEAR(d.reactions[1].force.y, 2 * (9.81 + 9), 1e-13);
  EXPECT_TRUE(d.reactions[1].unique.all());
}

// Rows, their rates and second rates of every joint type against differences along a motion with
// given accelerations, joint far from closed and frames turned: this tests every bias term separately.
TEST(Loops, VelocityRowsAndBiasAreTheDerivativesOfTheRows) {
  RandomNumbers random(31);
  for (JointType type : {JointType::kBall, JointType::kRevolute, JointType::kPrismatic,
                         JointType::kFixed, JointType::kDistance, JointType::kUniversal}) {
    System s;
    Motion now(2);
    std::vector<Vec6> a(2);
    for (std::size_t b = 0; b < 2; ++b) {
      s.bodies.push_back({std::to_string(b), 1, mbsbench::Diagonal(1, 1, 1), false, {}});
      Joint free;
      free.name = "free" + std::to_string(b);
      free.type = JointType::kFree;
      free.child = static_cast<int>(b);
      s.joints.push_back(free);
      now[b] = {Extend(random.Vector(1)), Normalised(Extend(random.Rotation())),
                Extend(random.Vector(2)), Extend(random.Vector(2))};
      for (Real& x : a[b]) x = random.Between(-3, 3);
    }
    Joint loop;
    loop.name = "loop";
    loop.type = type;
    loop.parent = 0;
    loop.child = 1;
    loop.parent_frame = {random.Vector(1), random.Rotation()};
    loop.child_frame = {random.Vector(1), random.Rotation()};
    loop.length = 1.5;
    s.loop_joints.push_back(loop);
    const SystemData system(s);
    const auto rows_at = [&](const Motion& m) {
      return RowsOf(system.loop_joints[0], m, RotationsOf(m));
    };
    const auto later = [&](Real t) {
      Motion m = now;
      for (std::size_t b = 0; b < 2; ++b) {
        const Vec3 linear{a[b][0], a[b][1], a[b][2]}, angular{a[b][3], a[b][4], a[b][5]};
        const Vec3 turn = t * (now[b].angular_velocity + (t / 2) * angular);
        m[b].position = now[b].position + t * (now[b].velocity + (t / 2) * linear);
        m[b].orientation = AxisAngle((1 / Norm(turn)) * turn, Norm(turn)) * now[b].orientation;
      }
      return rows_at(m);
    };
    const JointRows rows = rows_at(now);
    ASSERT_EQ(rows.count, static_cast<std::size_t>(ConstraintCount(type)));
    const Real h = 1e-9;
    const JointRows before = later(-h), after = later(h);
    for (std::size_t i = 0; i < rows.count; ++i) {
      const Real rate = (after.position[i] - before.position[i]) / (2 * h);
      const Real second = (after.position[i] - 2 * rows.position[i] + before.position[i]) / (h * h);
      Real expected = -rows.gamma[i];
      for (std::size_t k = 0; k < 6; ++k) {
        expected += rows.on_parent[i][k] * a[0][k] + rows.on_child[i][k] * a[1][k];
      }
      EXPECT_LT(static_cast<double>(Abs(rate - rows.velocity[i])), 1e-15) << Name(type) << i;
      EXPECT_LT(static_cast<double>(Abs(second - expected)), 1e-14) << Name(type) << i;
    }
  }
}

// A body on a universal joint, and on two revolutes with a massless link: the same mechanism.
TEST(Loops, AUniversalJointEqualsTwoRevolutesWithAMasslessLink) {
  const Quaternion p = AxisAngle({0.6, 0, 0.8}, 0.7), c = AxisAngle({0, 0.8, -0.6}, -1.1);
  const Quaternion x_to_z = AxisAngle({0, 1, 0}, M_PI / 2);  // z of the joint frame is x of the arm
  const Body body{"body", 2, mbsbench::Diagonal(0.3, 0.4, 0.6), false, {}};
  System tree;
  tree.bodies = {{"cross", 0, mbsbench::Diagonal(0, 0, 0), false, {}}, body};
  Joint first, second;
  first.name = "first", second.name = "second";
  first.type = second.type = JointType::kRevolute;
  first.parent_frame = {{0.1, 0.2, 0.3}, p};
  second.parent = 0, second.child = 1;
  second.parent_frame = {{}, x_to_z};
  second.child_frame = {{0.5, 0.1, -0.2}, c * x_to_z};
  tree.joints = {first, second};
  const ReferenceDynamics expected = ReferenceAccelerations(tree, {{0.8, -0.5}, {1.5, -2}});

  System loop;
  loop.bodies = {body};
  Joint free, cross;
  free.name = "free", cross.name = "universal";
  free.type = JointType::kFree;
  cross.type = JointType::kUniversal;
  cross.parent_frame = first.parent_frame;
  cross.child_frame = {second.child_frame.position, c};
  loop.joints = {free};
  loop.loop_joints = {cross};
  const ReferenceDynamics actual =
      ReferenceAccelerations(loop, mbsbench::JointStateOf(loop, {expected.bodies[1]}));
  EXPECT_GT(Norm(expected.accelerations[1].acceleration), 1);
  EXPECT_LT(Norm(actual.accelerations[0].acceleration - expected.accelerations[1].acceleration),
            1e-14);
  EXPECT_LT(Norm(actual.accelerations[0].angular_acceleration -
                 expected.accelerations[1].angular_acceleration),
            1e-14);
  EXPECT_LT(Norm(actual.reactions[1].force - expected.reactions[1].force), 1e-13);
  EXPECT_LT(Norm(actual.reactions[1].torque - expected.reactions[1].torque), 1e-13);
}

}  // namespace
}  // namespace mbsbench
