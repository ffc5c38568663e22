// Accelerations and reactions with closed forms, and angles printed in the catalogue.
#include <gtest/gtest.h>

#include <cmath>

#include "problems/catalog/catalog.h"
#include "tests/methods/articulated_body/solver.h"

namespace mbsbench {
namespace {

TEST(Branch4, CrossbarStartsAtThreeFifthsOfGravity) {
  const Problem problem = MakeProblem("branch4");
  const auto method = Prepare(problem.system);
  const SystemState state = StateOf(problem.system, problem.initial.joints);
  const Observation seen = ObserveAll(*method, state);
  for (std::size_t b = 0; b < 3; ++b) {
    EXPECT_NEAR(seen.accelerations[b].angular_acceleration.z, 0, 1e-13) << b;
  }
  EXPECT_NEAR(seen.accelerations[3].angular_acceleration.z, -0.6 * 9.81, 1e-13);
  // Rod 1 rises, rods 3 and 5 fall, at (3/5 g) x 1/2 m: each hinge carries m (g + a) of what hangs
  // on it, and the ceiling their sum and the crossbar.
  const double up = 0.3 * 9.81;
  EXPECT_NEAR(seen.reactions[0].force.y, -(-9.81 - up), 1e-13);
  EXPECT_NEAR(seen.reactions[1].force.y, 9.81 - up, 1e-13);
  EXPECT_NEAR(seen.reactions[2].force.y, 2 * (9.81 - up), 1e-13);
  EXPECT_NEAR(seen.reactions[3].force.y, 4 * 9.81 - up, 1e-13);
}

// Classical Runge-Kutta steps of 1/1024 s.
std::vector<double> March(OdeFormulation& method, std::vector<double> y, int steps) {
  const double h = 1. / 1024;
  const std::size_t n = y.size();
  std::vector<double> k(n), sum(n), at(n);
  for (int step = 0; step < steps; ++step) {
    const double reach[4] = {0, h / 2, h / 2, h}, weight[4] = {h / 6, h / 3, h / 3, h / 6};
    sum = y;
    for (int stage = 0; stage < 4; ++stage) {
      for (std::size_t i = 0; i < n; ++i) at[i] = stage == 0 ? y[i] : y[i] + reach[stage] * k[i];
      EXPECT_TRUE(method.Evaluate(0, at, k).ok());
      for (std::size_t i = 0; i < n; ++i) sum[i] += weight[stage] * k[i];
    }
    y = sum;
    Projects* const projection = method.projection();
    EXPECT_TRUE(projection == nullptr || projection->Project(0, y).ok());
  }
  return y;
}

// Measured 6e-11 (branch4); half a unit of the last printed digit (branchN).
TEST(BranchPendulums, ReachThePrintedAnglesAtOneSecond) {
  for (const char* name : {"branch4", "branchN:bodies=6", "branchN:bodies=12"}) {
    const Problem problem = MakeProblem(name);
    const auto method = Prepare(problem.system);
    const SystemState state = StateOf(problem.system, problem.initial.joints);
    const std::vector<double> y = March(*method, InitialY(*method, state), 1024);
    Observation seen;
    ASSERT_TRUE(method->Observe(1, y, Detail::kMotion, seen).ok());
    int compared = 0;
    for (const PublishedValue& v : problem.published) {
      if (v.time != 1) continue;
      const Observable& o = problem.observables[static_cast<std::size_t>(v.observable)];
      EXPECT_NEAR(Difference(o, Evaluate(o, seen.bodies), v.value), 0, 1e-9 + v.last_digit)
          << name << " " << o.name;
      ++compared;
    }
    EXPECT_GE(compared, 4) << name;
  }
}

// Two point masses on massless rods, angles from the downward vertical; the textbook's equations.
TEST(DoublePendulum, ObeysLagrangesEquations) {
  const double m1 = 1.3, m2 = 0.7, l1 = 0.9, l2 = 1.1, g = 9.81;
  const double t1 = 0.7, t2 = -1.9, w1 = 1.5, w2 = -2.5;
  System system;
  system.bodies = {MakeBody("first", m1), MakeBody("second", m2)};
  system.joints = {MakeJoint("upper", JointType::kRevolute, kGround, 0, {}, {{0, l1, 0}, {}}),
                   MakeJoint("lower", JointType::kRevolute, 0, 1, {}, {{0, l2, 0}, {}})};
  const auto method = Prepare(system);
  std::vector<double> y{t1, t2 - t1, w1, w2 - w1}, ydot(4);
  ASSERT_TRUE(method->Evaluate(0, y, ydot).ok());
  // [(m1 + m2) l1        m2 l2 cos d] [t1'']   [-m2 l2 w2^2 sin d - (m1 + m2) g sin t1]
  // [     l1 cos d            l2    ] [t2''] = [       l1 w1^2 sin d - g sin t2       ], d = t1 -
  // t2
  const double c = std::cos(t1 - t2), s = std::sin(t1 - t2);
  const double a11 = (m1 + m2) * l1, a12 = m2 * l2 * c, a21 = l1 * c, a22 = l2;
  const double b1 = -m2 * l2 * w2 * w2 * s - (m1 + m2) * g * std::sin(t1);
  const double b2 = l1 * w1 * w1 * s - g * std::sin(t2);
  const double determinant = a11 * a22 - a12 * a21;
  const double first = (b1 * a22 - a12 * b2) / determinant;
  const double second = (a11 * b2 - a21 * b1) / determinant;
  EXPECT_DOUBLE_EQ(ydot[0], w1);
  EXPECT_DOUBLE_EQ(ydot[1], w2 - w1);
  EXPECT_NEAR(ydot[2], first, 1e-12);
  EXPECT_NEAR(ydot[3], second - first, 1e-12);
}

// The lower rod transfers energy between the masses without loss.
TEST(Dpend18, HasZeroRateOfEnergyInMotion) {
  const Problem problem = MakeProblem("dpend18");
  const auto method = Prepare(problem.system);
  const Observation seen = ObserveAll(*method, StateOf(problem.system, {{0.3, 0.2}, {1.1, -0.7}}));
  double rate = 0;
  for (std::size_t b = 0; b < problem.system.bodies.size(); ++b) {
    const Body& body = problem.system.bodies[b];
    const double of_body =
        body.mass *
        Dot(seen.bodies[b].velocity, seen.accelerations[b].acceleration - problem.system.gravity);
    EXPECT_GT(std::abs(of_body), 0.5) << "nothing would have to cancel";
    rate += of_body;
  }
  EXPECT_NEAR(rate, 0, 1e-12);
}

// J omega' = -omega x J omega in body axes, and the mass centre falls.
TEST(FreeBody, ObeysEulersEquationsAndFallsFreely) {
  System system;
  system.bodies = {MakeBody("body", 2, Diagonal(1, 2, 2.5))};
  system.joints = {MakeJoint("free", JointType::kFree, kGround, 0)};
  const auto method = Prepare(system);
  const double w[3] = {0.3, -1.2, 2.1};
  const Quaternion q = Normalised({0.5, -0.1, 0.7, 0.3});
  const std::vector<double> y{1, 2, 3, q.w, q.x, q.y, q.z, 4, 5, 6, w[0], w[1], w[2]};
  std::vector<double> ydot(13);
  ASSERT_TRUE(method->Evaluate(0, y, ydot).ok());
  EXPECT_NEAR(ydot[10], (2 - 2.5) * w[1] * w[2] / 1, 1e-14);
  EXPECT_NEAR(ydot[11], (2.5 - 1) * w[2] * w[0] / 2, 1e-14);
  EXPECT_NEAR(ydot[12], (1 - 2.0) * w[0] * w[1] / 2.5, 1e-14);
  const double fall[3] = {0, -9.81, 0};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_DOUBLE_EQ(ydot[k], y[7 + k]);
    EXPECT_NEAR(ydot[7 + k], fall[k], 1e-14);
  }
  // q' = 1/2 q * omega
  const Quaternion rate = q * Quaternion{0, w[0] / 2, w[1] / 2, w[2] / 2};
  EXPECT_NEAR(ydot[3], rate.w, 1e-15);
  EXPECT_NEAR(ydot[4], rate.x, 1e-15);
  EXPECT_NEAR(ydot[5], rate.y, 1e-15);
  EXPECT_NEAR(ydot[6], rate.z, 1e-15);
}

// A block on a slope of 30 degrees, held back by a spring and a damper. The reaction of the slope is
// m g cos 30 normal to it, without the spring.
TEST(SlidingBlock, ObeysNewtonAlongTheSlopeWithTheNormalForceAsReaction) {
  const double mass = 3, k = 7, c = 0.5, q = 0.4, u = -1.1, slope = M_PI / 6;
  System system;
  system.bodies = {MakeBody("block", mass, Diagonal(1, 1, 1))};
  // z of the joint from y (up) down the slope: turned about the inertial z axis.
  const Quaternion along = AxisAngle({0, 0, 1}, -slope) * AxisAngle({0, 1, 0}, M_PI / 2);
  system.joints = {MakeJoint("slide", JointType::kPrismatic, kGround, 0, {{}, along})};
  system.forces.Of<JointSpringDamper>() = {{"spring", 0, k, c, 0.1}};
  const auto method = Prepare(system);
  const SystemState state = StateOf(system, {{q}, {u}});
  std::vector<double> ydot(2);
  ASSERT_TRUE(method->Evaluate(0, std::vector<double>{q, u}, ydot).ok());
  EXPECT_NEAR(ydot[1], 9.81 * std::sin(slope) - (k * (q - 0.1) + c * u) / mass, 1e-14);
  const Observation seen = ObserveAll(*method, state);
  EXPECT_NEAR(Norm(seen.reactions[0].force), mass * 9.81 * std::cos(slope), 1e-13);
  EXPECT_NEAR(Dot(seen.reactions[0].force, Vector3{std::cos(slope), -std::sin(slope), 0}), 0,
              1e-13);
}

// A bar welded from two halves hangs on a hinge; the weld carries the lower half, and moments about
// its own frame.
TEST(FixedJoint, InsideAMergedPendulumBalancesTheOutboardBody) {
  const double m = 1.5, l = 0.8, theta = 0.6, omega = 1.7, g = 9.81;
  System system;
  system.bodies = {MakeBody("upper", m), MakeBody("lower", m)};  // points at l and 2 l
  system.joints = {MakeJoint("weld", JointType::kFixed, 0, 1, {}, {{0, l, 0}, {}}),
                   MakeJoint("hinge", JointType::kRevolute, kGround, 0, {}, {{0, l, 0}, {}})};
  const auto method = Prepare(system);
  const SystemState state = StateOf(system, {{theta}, {omega}});
  const Observation seen = ObserveAll(*method, state);
  const double inertia = m * l * l * (1 + 4);
  const double alpha = -m * g * (l + 2 * l) * std::sin(theta) / inertia;
  EXPECT_NEAR(seen.accelerations[1].angular_acceleration.z, alpha, 1e-13);
  // Lower mass: along the bar (towards the hinge) m (2 l omega^2 + g cos), across m (2 l alpha + g
  // sin).
  const Vector3 inward{-std::sin(theta), std::cos(theta), 0},
      across{std::cos(theta), std::sin(theta), 0};
  const Vector3 force = seen.reactions[0].force;
  EXPECT_NEAR(Dot(force, inward), m * (2 * l * omega * omega + g * std::cos(theta)), 1e-12);
  EXPECT_NEAR(Dot(force, across), m * (2 * l * alpha + g * std::sin(theta)), 1e-12);
  EXPECT_NEAR(seen.reactions[0].torque.z, l * Dot(force, across), 1e-12);
}

}  // namespace
}  // namespace mbsbench
