// The arithmetic of an evaluation, counted through the kernels.
#include <gtest/gtest.h>

#include "methods/composite_body/composite_body.h"
#include "problems/catalog/catalog.h"
#include "problems/test_systems/random_trees.h"

namespace mbsbench {
namespace {

OperationCount CountOf(const Problem& problem) {
  const auto count =
      CompositeBodyEntry().count_operations(problem.system, {}, problem.initial.joints);
  EXPECT_TRUE(count.has_value());
  return count.value_or(OperationCount{});
}

// By hand, on a chain of revolutes with aligned axes and diagonal inertias (joint_space_equations.h).
//   motion       r 9 + 6; R 12 + 6; omega 3 + 3; gamma 12 + 7
//   (1)          alpha 6 + 6; a 6 + 9; beyond the first body position 0 + 3
//   (2)          h 9 + 6; J 18 + 11; n 30 + 27; f 21 + 19
//   (4)          6 + 6, and the scale of the pivot 8 + 7
//   (5)          F 24 + 18; per rate on the path 9 + 11
//   (3)          beyond the first body J, h, m 19 + 28; f, n 6 + 12
// The solution, for row r with r rates before it on the path, of one panel of rows:
//   L            1 for the bound on the pivot, r, and r (r + 1) / 2 multiply-adds
//   L', L        1 + r multiplications each; r additions, and r with the one that begins the sum
TEST(Operations, OfCompositeBodiesOnAChainEqualTheCountByHand) {
  for (int n : {1, 2, 10, 16}) {
    const OperationCount count = CountOf(MakeProblem("revoluteN:bodies=" + std::to_string(n)));
    std::int64_t multiplications = 164 * n + 25 * (n - 1), additions = 131 * n + 43 * (n - 1);
    for (int r = 0; r < n; ++r) {
      multiplications += 9 * (r + 1) + 1 + r + r * (r + 1) / 2 + 2 + 2 * r;
      additions += 11 * (r + 1) + r * (r + 1) / 2 + r + std::max(r, 1);
    }
    EXPECT_EQ(count.multiplications, multiplications) << n;
    EXPECT_EQ(count.additions, additions) << n;
    EXPECT_EQ(count.divisions, n);
    EXPECT_EQ(count.square_roots, n);
  }
}

// What grows with n^2 drops out of M(2n) - 4 M(n); of L'L, n^3/6 multiplications stay.
TEST(Operations, OfALongChainGrowLikeThoseOfTheFactorisation) {
  const auto at = [](int n) {
    return static_cast<double>(
        CountOf(MakeProblem("revoluteN:bodies=" + std::to_string(n))).multiplications);
  };
  constexpr double kBodies = 250;
  EXPECT_NEAR((at(500) - 4 * at(250)) / (4 * kBodies * kBodies * kBodies), 1 / 6., 0.01);
}

TEST(Operations, OfCompositeBodiesAreNotCountedForSystemsThatUseOtherKernels) {
  const System system = MakeRandomTree(1, {.bodies = 6}).system;
  EXPECT_FALSE(CompositeBodyEntry().count_operations(system, {}, {}).has_value());
}

}  // namespace
}  // namespace mbsbench
