// An evaluation allocates nothing.
#include <gtest/gtest.h>

#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "problems/test_systems/random_trees.h"
#include "tests/methods/kane_huston/prepared.h"
#include "tests/support/allocation_counter.h"

namespace mbsbench {
namespace {

std::size_t AllocationsOfEvaluate(const System& system, const SystemState& state,
                                  const char* variant) {
  PreparedKane kane(system, state, variant);
  std::vector<double> ydot(kane.y.size());
  const std::size_t before = allocations;
  const Status status = kane.formulation->Evaluate(0, kane.y, ydot);
  const std::size_t after = allocations;
  EXPECT_TRUE(status.ok());
  return after - before;
}

TEST(KaneHuston, EvaluateAllocatesNothing) {
  if (!kCountsAllocations)
    GTEST_SKIP() << "allocations are not counted under the address sanitizer";
  const std::size_t before = allocations;
  const std::vector<double> control(100);
  EXPECT_GT(allocations, before) << "the count sees no allocation at all";
  // Ball joints and many panels; all joints and force elements; the paper's rods.
  const Problem chain = MakeProblem("branchN:bodies=120");
  EXPECT_EQ(AllocationsOfEvaluate(
                chain.system, Assemble(chain.system, chain.initial, chain.length).state, "general"),
            0u);
  const RandomTree tree = MakeRandomTree(4, {.bodies = 30});
  EXPECT_EQ(AllocationsOfEvaluate(tree.system, tree.state, "general"), 0u);
  const Problem pendulum = MakeProblem("dpend18");
  EXPECT_EQ(AllocationsOfEvaluate(
                pendulum.system, Assemble(pendulum.system, pendulum.initial, pendulum.length).state,
                "paper"),
            0u);
}

}  // namespace
}  // namespace mbsbench
