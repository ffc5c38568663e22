#include "harness/runner/cells/random_states.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include "problems/catalog/catalog.h"
#include "problems/model/kinematics.h"
#include "tests/support/parameter_name.h"

namespace mbsbench {
namespace {

class RandomStates : public testing::TestWithParam<const char*> {};

TEST_P(RandomStates, AreConsistentAndDiffer) {
  const Problem problem = MakeProblem(GetParam());
  const SystemState start = InitialState(problem);
  std::vector<SystemState> states;
  for (std::uint64_t seed : {1u, 2u}) {
    const auto state = MovedState(problem, seed);
    ASSERT_TRUE(state);
    const ConstraintResidual residual =
        ConstraintResiduals(problem.system, state->bodies, problem.length, problem.time);
    EXPECT_LT(residual.position, 1e-12);
    EXPECT_LT(residual.velocity, 1e-11);
    if (problem.planar) {
      for (std::size_t b = 0; b < state->bodies.size(); ++b) {
        EXPECT_NEAR(start.bodies[b].position.z, state->bodies[b].position.z, 1e-12);
        EXPECT_NEAR(0, state->bodies[b].velocity.z, 1e-12);
      }
    }
    states.push_back(*state);
  }
  EXPECT_NE(states[0].joints.q, states[1].joints.q);
  EXPECT_EQ(states[0].joints.q, MovedState(problem, 1)->joints.q)
      << "the same seed, the same state";
}

INSTANTIATE_TEST_SUITE_P(Problems, RandomStates,
                         testing::Values("pendulum", "dpend18", "branch4", "branchN", "dzhanibekov",
                                         "heavytop", "chainN3d", "sliders", "swing", "flyball"),
                         NameOfParameter);

TEST(MovedState, OfAMechanismWithLoopsClosesThemAndMovesJointsAndRates) {
  for (const char* name : {"fourbar", "slidercrank3d", "andrews", "bricard", "wishbone",
                           "ladder:bodies=50,loops=10", "ladder:bodies=200,loops=50"}) {
    const Problem problem = MakeProblem(name);
    const SystemState start = InitialState(problem);
    for (std::uint64_t seed : {1u, 2u}) {
      const auto state = MovedState(problem, seed);
      ASSERT_TRUE(state) << name;
      const ConstraintResidual residual =
          ConstraintResiduals(problem.system, state->bodies, problem.length, problem.time);
      EXPECT_LT(residual.position, 1e-12) << name;
      EXPECT_LT(residual.velocity, 1e-11) << name;
      double moved = 0, rates = 0;
      for (std::size_t k = 0; k < start.joints.q.size(); ++k)
        moved = std::max(moved, std::abs(state->joints.q[k] - start.joints.q[k]));
      for (std::size_t k = 0; k < start.joints.u.size(); ++k)
        rates = std::max(rates, std::abs(state->joints.u[k] - start.joints.u[k]));
      EXPECT_GT(moved, 1e-3) << name;
      EXPECT_GT(rates * problem.time, 1e-3) << name;
    }
  }
}

TEST(MovedState, OfATreeKeepsTheRateOfADriverAndOfNothingElse) {
  const Problem problem = MakeProblem("swing");
  const System& system = problem.system;
  ASSERT_EQ(1u, system.drivers.size());
  const JointOffsets at = OffsetsOf(system);
  const auto driven = static_cast<std::size_t>(system.drivers[0].joint);
  const auto one = MovedState(problem, 1), two = MovedState(problem, 2);
  ASSERT_TRUE(one && two);
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const double a = one->joints.u[at.u[j]], b = two->joints.u[at.u[j]];
    if (j == driven) {
      EXPECT_EQ(system.drivers[0].motion.rate, a);
      EXPECT_EQ(a, b);
    } else {
      EXPECT_NE(a, b) << system.joints[j].name;
    }
  }
}

class MovedStates : public testing::TestWithParam<const char*> {};

// By more than a thousandth of a radian or of the length somewhere, with loops closed and drivers where they start.
TEST_P(MovedStates, AreConsistentAndAwayFromTheInitialOne) {
  const Problem problem = MakeProblem(GetParam());
  const System& system = problem.system;
  const SystemState start = InitialState(problem);
  const std::optional<SystemState> moved = MovedState(problem, 1);
  ASSERT_TRUE(moved);
  const ConstraintResidual residual =
      ConstraintResiduals(system, moved->bodies, problem.length, problem.time);
  EXPECT_LT(residual.position, 1e-11);
  EXPECT_LT(residual.velocity, 1e-10);
  double turned = 0;
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    const Quaternion p = start.bodies[b].orientation, q = moved->bodies[b].orientation;
    const double cosine = std::abs(p.w * q.w + p.x * q.x + p.y * q.y + p.z * q.z);
    turned = std::max(turned, 2 * std::acos(std::min(1.0, cosine)));
  }
  double gone = 0;
  for (std::size_t b = 0; b < system.bodies.size(); ++b)
    gone = std::max(gone, Norm(start.bodies[b].position - moved->bodies[b].position));
  EXPECT_GT(std::max(turned, gone / problem.length), 1e-3);
  EXPECT_EQ(moved->joints.q, MovedState(problem, 1)->joints.q) << "the same seed, the same state";
  EXPECT_NE(moved->joints.q, MovedState(problem, 2)->joints.q);
}

INSTANTIATE_TEST_SUITE_P(Loops, MovedStates,
                         testing::Values("fourbar", "nfourbar", "andrews", "bricard", "wishbone",
                                         "mixed12", "slidercrank3d", "governor-rods",
                                         "caraxis:loop", "ladder:bodies=50,loops=10"),
                         NameOfParameter);

}  // namespace
}  // namespace mbsbench
