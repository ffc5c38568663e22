// The arithmetic of an evaluation, counted through the kernels.
#include <gtest/gtest.h>

#include "methods/kane_huston/kane_huston.h"
#include "problems/catalog/catalog.h"

namespace mbsbench {
namespace {

OperationCount CountOf(const std::string& name) {
  const Problem problem = MakeProblem(name);
  const auto count =
      KaneHustonEntry().count_operations(problem.system, {"general"}, problem.initial.joints);
  EXPECT_TRUE(count.has_value());
  return count.value_or(OperationCount{});
}

// What grows with n^2 drops out of M(2n) - 4 M(n); of L'L, n^3/6 multiplications stay.
TEST(Operations, OfKanesEquationsOfALongChainGrowLikeThoseOfTheFactorisation) {
  const auto at = [](int n) {
    return static_cast<double>(CountOf("revoluteN:bodies=" + std::to_string(n)).multiplications);
  };
  constexpr double kBodies = 250;
  EXPECT_NEAR((at(500) - 4 * at(250)) / (4 * kBodies * kBodies * kBodies), 1 / 6., 0.01);
}

// One pivot per rate. The motion of a revolute needs neither.
TEST(Operations, OfKanesEquationsIncludeASquareRootAndADivisionPerRate) {
  const OperationCount count = CountOf("revoluteN:bodies=16");
  EXPECT_EQ(count.square_roots, 16);
  EXPECT_EQ(count.divisions, 16);
}

TEST(Operations, OfThePaperVariantAreNotCounted) {
  const Problem problem = MakeProblem("revoluteN:bodies=4");
  EXPECT_FALSE(
      KaneHustonEntry().count_operations(problem.system, {"paper"}, problem.initial.joints));
}

}  // namespace
}  // namespace mbsbench
