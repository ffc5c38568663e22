// An evaluation allocates nothing.
#include <gtest/gtest.h>

#include "methods/classical_mstmm/classical_mstmm.h"
#include "problems/test_systems/random_trees.h"
#include "tests/support/allocation_counter.h"

namespace mbsbench {
namespace {

std::size_t AllocationsOfOneEvaluation(const RandomTree& tree, const char* variant) {
  const std::unique_ptr<Formulation> formulation =
      ClassicalMstmmEntry().prepare(tree.system, {variant});
  auto& ode = static_cast<OdeFormulation&>(*formulation);
  std::vector<double> y(ode.state_size()), ydot(y.size());
  EXPECT_TRUE(ode.Initialise(0, tree.state, y).ok());
  const std::size_t before = allocations;
  const Status status = ode.Evaluate(0, y, ydot);
  const std::size_t made = allocations - before;
  EXPECT_TRUE(status.ok());
  return made;
}

TEST(ClassicalMstmm, EvaluateAllocatesNothing) {
  if (!kCountsAllocations)
    GTEST_SKIP() << "allocations are not counted under the address sanitizer";
  const std::size_t before = allocations;
  const RandomTree tree = MakeRandomTree(12, {.bodies = 30});
  ASSERT_GT(allocations, before) << "the counter counts";
  EXPECT_EQ(AllocationsOfOneEvaluation(tree, "general"), 0u);
  const RandomTree balls =
      MakeRandomTree(13, {.bodies = 20, .types = {JointType::kBall}, .force_elements = false});
  EXPECT_EQ(AllocationsOfOneEvaluation(balls, "paper"), 0u);
  // large enough for every block of the factorisation
  const RandomTree large = MakeRandomTree(14, {.bodies = 400, .types = {JointType::kBall}});
  EXPECT_EQ(AllocationsOfOneEvaluation(large, "general"), 0u);
}

}  // namespace
}  // namespace mbsbench
