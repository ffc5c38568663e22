// Properties of the method other than its numbers: energy balance, no allocation, failures that
// name the joint, coordinates.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/articulated_body/sweep.h"
#include "methods/kinematics/force_elements.h"
#include "problems/catalog/catalog.h"
#include "problems/test_systems/random_trees.h"
#include "tests/methods/articulated_body/solver.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/quad.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

TEST(Evaluation, ChangesEnergyAtTheStatedPower) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const RandomTree tree = MakeRandomTree(seed, {.bodies = 10});
    const auto method = Prepare(tree.system);
    const std::vector<double> y = InitialY(*method, tree.state);
    std::vector<double> ydot(y.size());
    ASSERT_TRUE(method->Evaluate(0, y, ydot).ok());
    ASSERT_TRUE(method->power());
    const auto energy = [&](double t) {
      std::vector<double> moved = y;
      for (std::size_t i = 0; i < y.size(); ++i) moved[i] += t * ydot[i];
      Projects* const projection = method->projection();
      EXPECT_TRUE(projection == nullptr || projection->Project(0, moved).ok());
      Observation seen;
      EXPECT_TRUE(method->Observe(0, moved, Detail::kMotion, seen).ok());
      return EnergyOf(tree.system, seen.bodies).total();
    };
    // Five-point difference: truncation 1e-12 of the fifth derivative, round-off 1e-12 of energy.
    const double h = 1e-4;
    const double rate =
        (8 * (energy(h) - energy(-h)) - (energy(2 * h) - energy(-2 * h))) / (12 * h);
    const double power = method->power()->Power(0, y);
    EXPECT_NEAR(rate, power, 1e-7 * (std::abs(power) + energy(0))) << "seed " << seed;
    EXPECT_GT(std::abs(power), 1e-3) << "the sum proves nothing where both sides vanish";
  }
}

TEST(Evaluation, AllocatesNothing) {
  const RandomTree tree = MakeRandomTree(7, {.bodies = 40});
  const auto method = Prepare(tree.system);
  const std::vector<double> y = InitialY(*method, tree.state);
  std::vector<double> ydot(y.size());
  const std::size_t before = allocations;
  ASSERT_TRUE(method->Evaluate(0, y, ydot).ok());
  EXPECT_EQ(allocations, before);
  EXPECT_TRUE(!kCountsAllocations || before > 0) << "the counter must count";
}

TEST(Evaluation, OfManyStatesAllocatesNothing) {
  const RandomTree tree = MakeRandomTree(7, {.bodies = 40, .force_elements = false});
  const std::size_t at_first = allocations;
  const auto batch = ArticulatedBodyEntry().prepare_batch(tree.system, {});
  EXPECT_TRUE(!kCountsAllocations || allocations > at_first) << "the counter must count";
  const std::vector<double> y = InitialY(*Prepare(tree.system), tree.state);
  std::vector<LaneValues> lanes(y.size()), rates(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) std::ranges::fill(lanes[i].lane, y[i]);
  std::vector<Status> status(kBatchStates);
  const std::size_t before = allocations;
  ASSERT_TRUE(batch->EvaluateBatch(0, lanes, rates, status));
  lanes[0].lane[1] = NAN;
  ASSERT_FALSE(batch->EvaluateBatch(0, lanes, rates, status)) << "one state fails";
  EXPECT_EQ(allocations, before);
}

TEST(Evaluation, WithReactionsAllocatesNothingAfterTheFirstCall) {
  const RandomTree tree = MakeRandomTree(7, {.bodies = 40,
                                             .types = {JointType::kBall, JointType::kRevolute,
                                                       JointType::kPrismatic, JointType::kFree}});
  const auto method = Prepare(tree.system);
  const std::vector<double> y = InitialY(*method, tree.state);
  std::vector<double> ydot(y.size());
  std::vector<JointReaction> reactions(tree.system.joints.size());
  auto& with_reactions = *method->reactions();
  ASSERT_TRUE(with_reactions.equations_contain_reactions());
  ASSERT_TRUE(with_reactions.EvaluateWithReactions(0, y, ydot, reactions).ok());
  const std::size_t before = allocations;
  ASSERT_TRUE(with_reactions.EvaluateWithReactions(0, y, ydot, reactions).ok());
  EXPECT_EQ(allocations, before);
  EXPECT_TRUE(!kCountsAllocations || before > 0) << "the counter must count";
}

// Work memory determines the speed of systems larger than the caches, so its size is bounded.
TEST(Evaluation, WritesAtMost300BytesPerBody) {
  EXPECT_EQ(articulated_body::Sweep<double>::kWorkBytes, (18 + 12) * sizeof(double));
  EXPECT_LE(articulated_body::Sweep<double>::kWorkBytes, 300u);
}

TEST(Evaluation, DoesNotDependOnAPreviousFailure) {
  const RandomTree tree = MakeRandomTree(8, {.bodies = 30}),
                   other = MakeRandomTree(8, {.bodies = 30});
  const auto method = Prepare(tree.system), fresh = Prepare(tree.system);
  const std::vector<double> y = InitialY(*method, tree.state);
  std::vector<double> bad(y.size(), std::numeric_limits<double>::quiet_NaN());
  std::vector<double> first(y.size()), second(y.size());
  EXPECT_EQ(method->Evaluate(0, bad, first).code, Status::Code::kNotFinite);
  for (double value : first) EXPECT_TRUE(std::isnan(value));
  ASSERT_TRUE(method->Evaluate(0, y, first).ok());
  ASSERT_TRUE(fresh->Evaluate(0, y, second).ok());
  EXPECT_EQ(first, second);
}

// Integrators leave the unit sphere within a step, so the length of a quaternion must have no effect.
TEST(Evaluation, DoesNotDependOnTheLengthOfQuaternions) {
  const RandomTree tree = MakeRandomTree(
      9, {.bodies = 20, .types = {JointType::kBall, JointType::kFree, JointType::kRevolute}});
  const auto method = Prepare(tree.system);
  std::vector<double> y = InitialY(*method, tree.state), unit(y.size()), scaled(y.size());
  const std::size_t rates = tree.state.joints.q.size();
  ASSERT_TRUE(method->Evaluate(0, y, unit).ok());
  const JointOffsets at = OffsetsOf(tree.system);
  for (std::size_t j = 0; j < tree.system.joints.size(); ++j) {
    const JointType type = tree.system.joints[j].type;
    if (type == JointType::kRevolute) continue;
    const int first = at.q[j] + (type == JointType::kFree ? 3 : 0);
    for (int k = first; k < first + 4; ++k) y[static_cast<std::size_t>(k)] *= 1.01;
  }
  ASSERT_TRUE(method->Evaluate(0, y, scaled).ok());
  for (std::size_t i = rates; i < y.size(); ++i) {
    EXPECT_NEAR(scaled[i], unit[i], 1e-10 * (1 + std::abs(unit[i])));
  }
  ASSERT_TRUE(method->projection());
  ASSERT_TRUE(method->projection()->Project(0, y).ok());
  ASSERT_TRUE(method->Evaluate(0, y, scaled).ok());
  for (std::size_t i = 0; i < y.size(); ++i) {
    EXPECT_NEAR(scaled[i], unit[i], 1e-10 * (1 + std::abs(unit[i])));
  }
}

// Rods without inertia about their own axis, in ball joints on that axis.
TEST(Singularity, NamesTheJointWithoutInertiaAboutItsFreeAxes) {
  for (int thin = 0; thin < 6; ++thin) {
    Problem problem = MakeProblem("branchN:bodies=6");
    Body& body = problem.system.bodies[static_cast<std::size_t>(thin)];
    body.inertia = Diagonal(0, 1. / 12, 1. / 12);
    const auto method = Prepare(problem.system);
    const SystemState state = StateOf(problem.system, problem.initial.joints);
    const std::vector<double> y = InitialY(*method, state);
    std::vector<double> ydot(y.size());
    const Status status = method->Evaluate(0, y, ydot);
    EXPECT_EQ(status.code, Status::Code::kSingular);
    EXPECT_EQ(problem.system.joints[static_cast<std::size_t>(status.joint)].child, thin);
    EXPECT_EQ(status.body, thin);
    for (double value : ydot) EXPECT_TRUE(std::isnan(value));
  }
}

TEST(Singularity, IsReportedForEveryTypeOfJoint) {
  for (JointType type :
       {JointType::kBall, JointType::kRevolute, JointType::kPrismatic, JointType::kFree}) {
    System system;
    system.bodies = {MakeBody("nothing", 0)};
    system.joints = {MakeJoint("joint", type, kGround, 0)};
    const auto method = Prepare(system);
    std::vector<double> y(method->state_size(), 0.5), ydot(y.size());
    const Status status = method->Evaluate(0, y, ydot);
    EXPECT_EQ(status.code, Status::Code::kSingular) << Name(type);
    EXPECT_EQ(status.joint, 0) << Name(type);
  }
}

TEST(Projection, IsOfferedOnlyForSystemsWithQuaternions) {
  EXPECT_TRUE(Prepare(MakeProblem("branch4").system)->projection());
  EXPECT_FALSE(Prepare(MakeProblem("dpend18").system)->projection());
  EXPECT_FALSE(Prepare(MakeProblem("branch4").system)->power());
}

// A chain of 1,000 rods in random attitudes at random rates.
TEST(Precision, OfOneEvaluationWith1000BallJointsIs1e12) {
  RandomNumbers random(2014);
  System system;
  std::vector<double> q, u;
  for (int b = 0; b < 1000; ++b) {
    system.bodies.push_back(MakeBody(std::to_string(b), 1, Diagonal(0.01, 1. / 12, 1. / 12)));
    system.joints.push_back(MakeJoint(std::to_string(b), JointType::kBall, b - 1, b,
                                      {{b == 0 ? 0 : 0.5, 0, 0}, {}}, {{-0.5, 0, 0}, {}}));
    const Quaternion r = random.Rotation();
    const Vector3 rate = random.Vector(2);
    q.insert(q.end(), {r.w, r.x, r.y, r.z});
    u.insert(u.end(), {rate.x, rate.y, rate.z});
  }
  const auto method = Prepare(system);
  std::vector<double> y = q, ydot(7000);
  y.insert(y.end(), u.begin(), u.end());
  ASSERT_TRUE(method->Evaluate(0, y, ydot).ok());

  // This recursion in 113 bits shows that the difference is round-off only, not a wrong equation.
  articulated_body::Sweep<Quad> exact(MakeGroupTree<Quad>(system), system.gravity);
  std::vector<Quad> exact_y(y.begin(), y.end()), exact_ydot(y.size());
  exact.PassMotion(exact_y.data(), exact_ydot.data());
  ASSERT_EQ(exact.PassInertia(), 0);
  exact.PassAcceleration(exact_y.data(), exact_ydot.data());
  double difference = 0, size = 0;
  for (std::size_t i = 4000; i < 7000; ++i) {
    Raise(difference, std::abs(static_cast<double>(ydot[i] - exact_ydot[i])));
    size = std::max(size, std::abs(static_cast<double>(exact_ydot[i])));
  }
  EXPECT_LT(difference / size, 1e-12);
  EXPECT_GT(difference, 0) << "two precisions must differ";
}

}  // namespace
}  // namespace mbsbench
