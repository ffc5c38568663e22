// An evaluation allocates nothing.
#include <gtest/gtest.h>
#include <algorithm>
#include <cmath>

#include "methods/riccati_mstmm/riccati_mstmm.h"
#include "problems/test_systems/random_trees.h"
#include "tests/support/allocation_counter.h"

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

TEST(RiccatiMstmm, EvaluatingManyStatesAllocatesNothing) {
  const std::size_t at_first = allocations;
  const RandomTree tree = MakeRandomTree(12, {.bodies = 30, .force_elements = false});
  const auto batch = RiccatiMstmmEntry().prepare_batch(tree.system, {"general"});
  EXPECT_TRUE(!kCountsAllocations || allocations > at_first) << "the counter counts";
  const auto single = RiccatiMstmmEntry().prepare(tree.system, {"general"});
  std::vector<double> y(batch->state_size());
  EXPECT_TRUE(static_cast<OdeFormulation&>(*single).Initialise(0, tree.state, y).ok());
  std::vector<LaneValues> lanes(y.size()), rates(y.size());
  for (std::size_t i = 0; i < y.size(); ++i) std::ranges::fill(lanes[i].lane, y[i]);
  std::vector<Status> status(kBatchStates);
  const std::size_t before = allocations;
  ASSERT_TRUE(batch->EvaluateBatch(0, lanes, rates, status));
  lanes[0].lane[1] = NAN;
  ASSERT_FALSE(batch->EvaluateBatch(0, lanes, rates, status)) << "one state fails";
  EXPECT_EQ(allocations, before);
}

}  // namespace
}  // namespace mbsbench
