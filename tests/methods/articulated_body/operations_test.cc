// The arithmetic of an evaluation, counted through the kernels.
#include <gtest/gtest.h>

#include "problems/catalog/catalog.h"
#include "problems/test_systems/random_trees.h"
#include "tests/methods/articulated_body/solver.h"

namespace mbsbench {
namespace {

OperationCount CountOf(const Problem& problem) {
  const auto count =
      ArticulatedBodyEntry().count_operations(problem.system, {}, problem.initial.joints);
  EXPECT_TRUE(count.has_value());
  return count.value_or(OperationCount{});
}

// By hand, per body on a ball joint with aligned axes and a diagonal inertia in a chain (r, h, J as in
// sweep.h):
//   motion        r 9 + 6; matrix of the quaternion 16 + 15; R 27 + 18; omega 9 + 9; gamma 12 + 7;
//                 rate of the quaternion 15 + 8
//   inertia       h 9 + 6; J 18 + 11; J omega 9 + 6; M, H, J, n0, f0 gathered 18 + 31; factors
//                 20 + 9; elimination 63 + 51; M gamma 9 + 9; shift 36 + 18
//   acceleration  30 + 33
// and divisions 1 + 3.
TEST(Operations, OfABallChainEqualTheCountByHand) {
  for (int bodies : {100, 1000}) {
    const OperationCount count = CountOf(MakeProblem("chainN3d:bodies=" + std::to_string(bodies)));
    EXPECT_EQ(count.multiplications, 300 * bodies);
    EXPECT_EQ(count.additions, 237 * bodies);
    EXPECT_EQ(count.divisions, 4 * bodies);
    EXPECT_EQ(count.square_roots, 0);
  }
}

TEST(Operations, OfATreeAreThoseOfAChainPlusOneSumPerBody) {
  const OperationCount count = CountOf(MakeProblem("treeN:bodies=127"));
  EXPECT_EQ(count.multiplications, 300 * 127);
  EXPECT_EQ(count.additions, (237 + 27) * 127);
}

TEST(Operations, AreNotCountedForSystemsThatUseOtherKernels) {
  const System system = MakeRandomTree(1, {.bodies = 6}).system;
  EXPECT_FALSE(ArticulatedBodyEntry().count_operations(system, {}, {}).has_value());
}

}  // namespace
}  // namespace mbsbench
