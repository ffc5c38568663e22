// An evaluation allocates nothing.
#include <gtest/gtest.h>

#include "methods/riccati_mstmm/riccati_mstmm.h"
#include "tests/support/allocation_counter.h"
#include "tests/support/random_trees.h"

namespace mbsbench {
namespace {

std::size_t AllocationsOfOneEvaluation(const RandomTree& tree, const char* variant) {
  const std::unique_ptr<Formulation> formulation =
      RiccatiMstmmEntry().prepare(tree.system, {variant});
  auto& ode = static_cast<OdeFormulation&>(*formulation);
  std::vector<double> y(ode.state_size()), ydot(y.size());
  EXPECT_TRUE(ode.Initialise(0, tree.state, y).ok());
  const std::size_t before = allocations;
  const Status status = ode.Evaluate(0, y, ydot);
  const std::size_t made = allocations - before;
  EXPECT_TRUE(status.ok());
  return made;
}

TEST(RiccatiMstmm, EvaluateAllocatesNothing) {
  if (!kCountsAllocations)
    GTEST_SKIP() << "allocations are not counted under the address sanitizer";
  const std::size_t before = allocations;
  const RandomTree tree = MakeRandomTree(12, {.bodies = 30});
  ASSERT_GT(allocations, before) << "the counter counts";
  EXPECT_EQ(AllocationsOfOneEvaluation(tree, "general"), 0u);
  const RandomTree planar =
      MakeRandomTree(13, {.bodies = 20, .types = {JointType::kBall}, .planar = true});
  EXPECT_EQ(AllocationsOfOneEvaluation(planar, "paper"), 0u);
}

}  // namespace
}  // namespace mbsbench
