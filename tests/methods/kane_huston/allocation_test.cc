// An evaluation allocates nothing.
#include <gtest/gtest.h>

#include <cstdlib>

#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "tests/methods/kane_huston/prepared.h"
#include "tests/support/random_trees.h"

#if !defined(__SANITIZE_ADDRESS__)  // the sanitizer has its own malloc

namespace {
long allocations = 0;
}
extern "C" {
void* __libc_malloc(std::size_t);
void* __libc_memalign(std::size_t, std::size_t);
// Below operator new and Eigen's own allocation alike.
void* malloc(std::size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
}

namespace mbsbench {
namespace {

long AllocationsOfEvaluate(const System& system, const SystemState& state, const char* variant) {
  PreparedKane kane(system, state, variant);
  std::vector<double> ydot(kane.y.size());
  const long before = allocations;
  const Status status = kane.formulation->Evaluate(0, kane.y, ydot);
  const long after = allocations;
  EXPECT_TRUE(status.ok());
  return after - before;
}

TEST(KaneHuston, EvaluateAllocatesNothing) {
  const long before = allocations;
  const std::vector<double> control(100);
  EXPECT_GT(allocations, before) << "the count sees no allocation at all";
  // Ball joints and many panels; all joints and force elements; the paper's rods.
  const Problem chain = MakeProblem("branchN:bodies=120");
  EXPECT_EQ(AllocationsOfEvaluate(
                chain.system, Assemble(chain.system, chain.initial, chain.length).state, "general"),
            0);
  const RandomTree tree = MakeRandomTree(4, {.bodies = 30});
  EXPECT_EQ(AllocationsOfEvaluate(tree.system, tree.state, "general"), 0);
  const Problem pendulum = MakeProblem("dpend18");
  EXPECT_EQ(AllocationsOfEvaluate(
                pendulum.system, Assemble(pendulum.system, pendulum.initial, pendulum.length).state,
                "paper"),
            0);
}

}  // namespace
}  // namespace mbsbench

#endif
