// Variant `general`, compared with Newton-Euler, with exact values and with its own promises.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "harness/support/support.h"
#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "problems/test_systems/random_trees.h"
#include "tests/methods/kane_huston/prepared.h"
#include "tests/support/newton_euler_truth.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

// Largest difference divided by the largest value, or by 1 in SI units if all values are smaller (a single slider
// does not rotate, a free body has no reaction). Linear and angular parts are separate.
struct Comparison {
  double linear = 0, angular = 0;
  double linear_scale = 1, angular_scale = 1;
  void Add(const Vector3& a, const Vector3& truth) {
    Raise(linear, Norm(a - truth));
    linear_scale = std::max(linear_scale, Norm(truth));
  }
  void AddAngular(const Vector3& a, const Vector3& truth) {
    Raise(angular, Norm(a - truth));
    angular_scale = std::max(angular_scale, Norm(truth));
  }
  double worst() const { return std::max(linear / linear_scale, angular / angular_scale); }
};

double AccelerationDifference(const Observation& ours, const NewtonEulerTruth& truth) {
  Comparison comparison;
  for (std::size_t b = 0; b < truth.accelerations.size(); ++b) {
    comparison.Add(ours.accelerations[b].acceleration, truth.accelerations[b].acceleration);
    comparison.AddAngular(ours.accelerations[b].angular_acceleration,
                          truth.accelerations[b].angular_acceleration);
  }
  return comparison.worst();
}

double ReactionDifference(const Observation& ours, const NewtonEulerTruth& truth) {
  Comparison comparison;
  for (std::size_t j = 0; j < truth.reactions.size(); ++j) {
    comparison.Add(ours.reactions[j].force, truth.reactions[j].force);
    comparison.AddAngular(ours.reactions[j].torque, truth.reactions[j].torque);
  }
  return comparison.worst();
}

// Measured worst case: printed below.
TEST(KaneHustonGeneral, AgreesWithNewtonEulerOnHundredRandomTreesOfAllJointTypes) {
  double worst_acceleration = 0, worst_reaction = 0;
  for (int seed = 1; seed <= 100; ++seed) {
    RandomTreeOptions options;
    options.bodies = 1 + (seed * 7) % 40;
    const RandomTree tree = MakeRandomTree(static_cast<std::uint64_t>(seed), options);
    const NewtonEulerTruth truth = SolveNewtonEuler(tree.system, tree.state);
    PreparedKane kane(tree.system, tree.state);
    const Observation ours = kane.Observe();
    for (std::size_t b = 0; b < ours.bodies.size(); ++b) {
      const BodyState &a = ours.bodies[b], &m = tree.state.bodies[b];
      EXPECT_LT(Norm(a.position - m.position), 1e-12);
      EXPECT_LT(Norm(a.velocity - m.velocity), 1e-11);
      EXPECT_LT(Norm(a.angular_velocity - m.angular_velocity), 1e-11);
      EXPECT_LT(AngleBetween(a.orientation, m.orientation), 1e-13);
    }
    const double acceleration = AccelerationDifference(ours, truth);
    const double reaction = ReactionDifference(ours, truth);
    EXPECT_LT(acceleration, 1e-10) << "seed " << seed << ", " << options.bodies << " bodies";
    EXPECT_LT(reaction, 1e-10) << "seed " << seed << ", " << options.bodies << " bodies";
    Raise(worst_acceleration, acceleration);
    Raise(worst_reaction, reaction);
  }
  std::printf("worst relative difference: accelerations %.1e, reactions %.1e\n", worst_acceleration,
              worst_reaction);
}

// The accelerations of Observe are those that Evaluate integrates: after a short step of y along
// ydot the bodies' velocities have changed by them.
TEST(KaneHustonGeneral, EvaluateAndObserveGiveTheSameAccelerations) {
  for (std::uint64_t seed : {3u, 14u, 15u}) {
    const RandomTree tree = MakeRandomTree(seed);
    PreparedKane kane(tree.system, tree.state);
    const Observation now = kane.Observe();
    const std::vector<double> y = kane.y, ydot = kane.Evaluate();
    constexpr double kStep = 1e-6;
    const auto moved = [&](double h) {
      for (std::size_t i = 0; i < y.size(); ++i) kane.y[i] = y[i] + h * ydot[i];
      return kane.Observe(Detail::kMotion).bodies;
    };
    const std::vector<BodyState> later = moved(kStep), earlier = moved(-kStep);
    double largest = 0;
    for (const BodyAcceleration& a : now.accelerations)
      largest = std::max({largest, Norm(a.acceleration), Norm(a.angular_acceleration)});
    for (std::size_t b = 0; b < later.size(); ++b) {
      const double scale = 0.5 / kStep;
      EXPECT_LT(Norm(scale * (later[b].velocity - earlier[b].velocity) -
                     now.accelerations[b].acceleration),
                1e-7 * largest);
      EXPECT_LT(Norm(scale * (later[b].angular_velocity - earlier[b].angular_velocity) -
                     now.accelerations[b].angular_acceleration),
                1e-7 * largest);
      EXPECT_LT(Norm(scale * (later[b].position - earlier[b].position) - now.bodies[b].velocity),
                1e-7 * largest);
    }
  }
}

// theta_7''(0) = -3 g / 5, the others hang on at rest (problems.md A1, exact).
TEST(KaneHustonGeneral, FirstAccelerationOfBranch4IsThreeFifthsOfGravity) {
  const Problem problem = MakeProblem("branch4");
  const SystemState state = Assemble(problem.system, problem.initial, problem.length).state;
  PreparedKane kane(problem.system, state);
  const Observation ours = kane.Observe();
  const double expected[] = {0, 0, 0, -3 * 9.81 / 5};
  for (std::size_t b = 0; b < 4; ++b) {
    const Vector3& alpha = ours.accelerations[b].angular_acceleration;
    EXPECT_NEAR(alpha.z, expected[b], 1e-13);
    EXPECT_NEAR(std::hypot(alpha.x, alpha.y), 0, 1e-13);
  }
}

// d(T + V)/dt along ydot equals the power of dampers and loads.
TEST(KaneHustonGeneral, EnergyChangesByThePowerOfNonConservativeForces) {
  for (std::uint64_t seed = 200; seed < 220; ++seed) {
    const RandomTree tree = MakeRandomTree(seed, {.bodies = 12});
    PreparedKane kane(tree.system, tree.state);
    ASSERT_TRUE(kane.formulation->power());
    const double power = kane.formulation->power()->Power(0, kane.y);
    const std::vector<double> y = kane.y, ydot = kane.Evaluate();
    const auto energy = [&](double h) {
      for (std::size_t i = 0; i < y.size(); ++i) kane.y[i] = y[i] + h * ydot[i];
      return EnergyOf(tree.system, kane.Observe(Detail::kMotion).bodies);
    };
    constexpr double kStep = 1e-5;
    const double rate = (8 * (energy(kStep).total() - energy(-kStep).total()) -
                         (energy(2 * kStep).total() - energy(-2 * kStep).total())) /
                        (12 * kStep);
    const double kinetic_rate = (energy(kStep).kinetic - energy(-kStep).kinetic) / (2 * kStep);
    EXPECT_GT(std::abs(kinetic_rate), 1.0);  // the balance is not trivial
    EXPECT_NEAR(rate, power, 1e-6 * std::max(std::abs(kinetic_rate), std::abs(power)))
        << "seed " << seed;
  }
}

// Point masses and massless links where the mechanism is still regular: a massless link in
// a chain of revolutes with skew axes, a point mass on the prismatic joint at its end.
TEST(KaneHustonGeneral, MasslessLinksAndPointMassesAreSolvedWhereTheyAreRegular) {
  RandomNumbers random(5);
  for (int trial = 0; trial < 20; ++trial) {
    System system;
    SystemState state;
    for (int b = 0; b < 3; ++b) {
      Body body;
      body.name = std::to_string(b);
      body.mass = b == 0 ? 0 : 1.5;
      system.bodies.push_back(body);
      Joint joint;
      joint.name = "joint_" + body.name;
      joint.type = b == 1 ? JointType::kPrismatic : JointType::kRevolute;
      joint.parent = b - 1;
      joint.child = b;
      joint.parent_frame = {random.Vector(0.5), random.Rotation()};
      joint.child_frame = {random.Vector(0.5), random.Rotation()};
      system.joints.push_back(joint);
      state.joints.q.push_back(random.Between(-1, 1));
      state.joints.u.push_back(random.Between(-1, 1));
    }
    state.bodies = ForwardKinematics(system, state.joints);
    const NewtonEulerTruth truth = SolveNewtonEuler(system, state);
    PreparedKane kane(system, state);
    const Observation ours = kane.Observe();
    EXPECT_LT(AccelerationDifference(ours, truth), 1e-10) << "trial " << trial;
    EXPECT_LT(ReactionDifference(ours, truth), 1e-10) << "trial " << trial;
  }
}

// A point mass on a ball joint has no inertia about the line from the joint to it. Rotated frames
// make the pivot a rounding error instead of zero. With some inertia about the line the mechanism is regular.
TEST(KaneHustonGeneral, MissingInertiaIsReportedAsSingularWithTheJoint) {
  RandomNumbers random(6);
  for (int trial = 0; trial < 50; ++trial) {
    RandomTree tree = MakeRandomTree(static_cast<std::uint64_t>(1000 + trial),
                                     {.bodies = 1 + random.Below(20), .force_elements = false});
    Body point;
    point.name = "point";
    point.mass = random.Between(0.1, 3);
    tree.system.bodies.push_back(point);
    Joint joint;
    joint.name = "culprit";
    joint.parent = random.Below(static_cast<int>(tree.system.bodies.size()) - 1);
    joint.child = static_cast<int>(tree.system.bodies.size()) - 1;
    joint.parent_frame = {random.Vector(0.5), random.Rotation()};
    joint.child_frame = {random.Vector(0.5), random.Rotation()};
    tree.system.joints.push_back(joint);
    const Quaternion r = random.Rotation();
    tree.state.joints.q.insert(tree.state.joints.q.end(), {r.w, r.x, r.y, r.z});
    tree.state.joints.u.insert(tree.state.joints.u.end(), {0.1, 0.2, 0.3});
    {
      PreparedKane kane(tree.system, StateOf(tree.system, tree.state.joints));
      std::vector<double> ydot(kane.y.size(), 0.0);
      const Status status = kane.formulation->Evaluate(0, kane.y, ydot);
      EXPECT_EQ(status.code, Status::Code::kSingular) << "trial " << trial;
      EXPECT_EQ(status.joint, static_cast<int>(tree.system.joints.size()) - 1);
      EXPECT_TRUE(std::all_of(ydot.begin(), ydot.end(), [](double x) { return std::isnan(x); }));
    }
    tree.system.bodies.back().inertia = Diagonal(1e-6, 1e-6, 1e-6);
    PreparedKane kane(tree.system, StateOf(tree.system, tree.state.joints));
    kane.Evaluate();
  }
}

TEST(KaneHustonGeneral, AMasslessTipIsSingular) {
  System system;
  system.bodies = {MakeBody("0", 1, Diagonal(1, 1, 1)), MakeBody("1", 0, Diagonal(0, 0, 0))};
  system.joints = {MakeJoint("tip", JointType::kPrismatic, 0, 1),
                   MakeJoint("root", JointType::kRevolute, kGround, 0)};
  PreparedKane kane(system, StateOf(system, {{0, 0}, {0, 0}}));
  std::vector<double> ydot(kane.y.size());
  const Status status = kane.formulation->Evaluate(0, kane.y, ydot);
  EXPECT_EQ(status.code, Status::Code::kSingular);
  EXPECT_EQ(status.joint, 0);
}

TEST(KaneHustonGeneral, ANonFiniteStateIsNotReportedAsASingularity) {
  const RandomTree tree = MakeRandomTree(8);
  PreparedKane kane(tree.system, tree.state);
  for (double poison : {std::nan(""), HUGE_VAL}) {
    std::vector<double> y = kane.y, ydot(y.size());
    y.back() = poison;
    EXPECT_EQ(kane.formulation->Evaluate(0, y, ydot).code, Status::Code::kNotFinite);
    y = kane.y;
    y.front() = poison;
    EXPECT_EQ(kane.formulation->Evaluate(0, y, ydot).code, Status::Code::kNotFinite);
  }
}

// y with all quaternions scaled by a factor.
std::vector<double> WithStretchedQuaternions(const System& system, std::vector<double> y,
                                             double factor) {
  const JointOffsets at = OffsetsOf(system);
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const int count = CoordinateCount(system.joints[j].type);
    if (count < 4) continue;
    for (int i = at.q[j] + count - 4; i < at.q[j] + count; ++i)
      y[static_cast<std::size_t>(i)] *= factor;
  }
  return y;
}

TEST(KaneHustonGeneral, ProjectionNormalisesQuaternionsAndChangesNothingElse) {
  const RandomTree tree = MakeRandomTree(9);
  PreparedKane kane(tree.system, tree.state);
  ASSERT_TRUE(kane.formulation->projection());
  std::vector<double> y = WithStretchedQuaternions(tree.system, kane.y, 1.25);
  EXPECT_NE(y, kane.y);
  kane.formulation->projection()->Project(0, y);
  for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(y[i], kane.y[i], 1e-15);
}

// Between projections an integrator's quaternions are not exactly unit. This must not affect accelerations,
// and q' must scale with q so that the integrator keeps the length.
TEST(KaneHustonGeneral, AccelerationsDoNotDependOnTheLengthOfQuaternions) {
  const RandomTree tree = MakeRandomTree(9);
  PreparedKane kane(tree.system, tree.state);
  const std::vector<double> unit = kane.Evaluate();
  const std::vector<double> expected = WithStretchedQuaternions(tree.system, unit, 1.25);
  kane.y = WithStretchedQuaternions(tree.system, kane.y, 1.25);
  const std::vector<double> stretched = kane.Evaluate();
  double largest = 0;
  for (double x : unit) largest = std::max(largest, std::abs(x));
  for (std::size_t i = 0; i < unit.size(); ++i)
    EXPECT_NEAR(stretched[i], expected[i], 1e-12 * largest);
}

// All joints are fixed: nothing moves, and the reactions balance the weight.
TEST(KaneHustonGeneral, ASystemWithoutDegreesOfFreedomHasReactions) {
  const RandomTree tree = MakeRandomTree(10, {.bodies = 6, .types = {JointType::kFixed}});
  PreparedKane kane(tree.system, tree.state);
  EXPECT_EQ(kane.y.size(), 0u);
  const NewtonEulerTruth truth = SolveNewtonEuler(tree.system, tree.state);
  EXPECT_LT(ReactionDifference(kane.Observe(), truth), 1e-12);
}

TEST(KaneHustonGeneral, RefusesLoopsByName) {
  RandomTree tree = MakeRandomTree(11);
  tree.system.loop_joints.push_back(MakeJoint("closing one", JointType::kBall, 1, 2));
  const Verdict verdict = VerdictOf(KaneHustonEntry(), tree.system, {"general"});
  EXPECT_FALSE(verdict.supported);
  EXPECT_NE(verdict.reason.find("'closing one' closes a loop"), std::string::npos)
      << verdict.reason;
}

// 108 n^2 bytes on a chain of ball joints: 10,000 need 10.8 GB.
TEST(KaneHustonGeneral, RefusesSystemsThatNeedMoreThanOneGigabyteAndStatesHowMuch) {
  const MethodEntry entry = KaneHustonEntry();
  const Verdict verdict = VerdictOf(entry, MakeProblem("branchN:bodies=10000").system, {"general"});
  EXPECT_FALSE(verdict.supported);
  EXPECT_NE(verdict.reason.find("10.8 GB"), std::string::npos) << verdict.reason;
  EXPECT_TRUE(VerdictOf(entry, MakeProblem("branchN:bodies=3000").system, {"general"}).supported);
}

}  // namespace
}  // namespace mbsbench
