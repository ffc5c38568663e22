// An evaluation allocates nothing.
#include <gtest/gtest.h>

#include <cstdlib>
#include <new>

#include "methods/riccati_mstmm/riccati_mstmm.h"
#include "tests/support/random_trees.h"

namespace {
std::size_t allocations = 0;
}

// Counts every allocation of this executable. Not inlined, so that the compiler does not pair
// malloc with delete.
[[gnu::noinline]] void* operator new(std::size_t size) {
  ++allocations;
  if (void* p = std::malloc(size > 0 ? size : 1)) return p;
  throw std::bad_alloc();
}
[[gnu::noinline]] void operator delete(void* p) noexcept { std::free(p); }
[[gnu::noinline]] void operator delete(void* p, std::size_t) noexcept { std::free(p); }

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
  const std::size_t before = allocations;
  const RandomTree tree = MakeRandomTree(12, {.bodies = 30});
  ASSERT_GT(allocations, before) << "the counter counts";
  EXPECT_EQ(AllocationsOfOneEvaluation(tree, "general"), 0u);
}

}  // namespace
}  // namespace mbsbench
