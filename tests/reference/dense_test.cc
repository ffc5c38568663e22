#include "reference/numerics/dense.h"

#include <gtest/gtest.h>

namespace mbsbench::extended {
namespace {

// a = b' b of rank 2 with integer entries, so that everything is known exactly.
Matrix RankTwo() {
  const int b[2][4] = {{1, 2, 0, -1}, {0, 1, 3, 1}};
  Matrix a(4, 4);
  for (std::size_t i = 0; i < 4; ++i) {
    for (std::size_t j = 0; j < 4; ++j) a(i, j) = b[0][i] * b[0][j] + b[1][i] * b[1][j];
  }
  return a;
}
Real Row(const Matrix& a, std::size_t i, const std::vector<Real>& x) {
  Real sum = 0;
  for (std::size_t j = 0; j < x.size(); ++j) sum += a(i, j) * x[j];
  return sum;
}

TEST(PivotedCholesky, SolvesConsistentEquationsOfDeficientRank) {
  const Matrix a = RankTwo();
  const PivotedCholesky factor(a, 1e-20, 1e-20);
  EXPECT_EQ(factor.rank(), 2u);
  std::vector<Real> right(4);
  for (std::size_t i = 0; i < 4; ++i) right[i] = Row(a, i, {1, 2, 3, 4});
  const std::vector<Real> x = factor.Solve(right);
  for (std::size_t i = 0; i < 4; ++i) EXPECT_LT(Abs(Row(a, i, x) - right[i]), Real(1e-31));
}

TEST(PivotedCholesky, MapsTheNullSpaceToZero) {
  const Matrix a = RankTwo();
  const auto basis = PivotedCholesky(a, 1e-20, 1e-20).NullSpace();
  ASSERT_EQ(basis.size(), 2u);
  for (const std::vector<Real>& x : basis) {
    Real largest = 0;
    for (std::size_t i = 0; i < 4; ++i) {
      EXPECT_LT(Abs(Row(a, i, x)), Real(1e-31));
      largest = Max(largest, Abs(x[i]));
    }
    EXPECT_GE(largest, Real(1));
  }
}

// A row that is zero up to round-off is not an equation, although the elimination itself loses no
// digits.
TEST(PivotedCholesky, ClassifiesARowOfRoundOffAsDependent) {
  extended::Matrix a(3, 3);
  a(0, 0) = 2, a(1, 1) = extended::Real(3e-34), a(2, 2) = 1;
  const extended::PivotedCholesky factor(std::move(a), 1e-20, 1e-20);
  EXPECT_EQ(factor.rank(), 2u);
  EXPECT_EQ(factor.IndependentRows(), (std::vector<std::size_t>{0, 2}));
}

// A brace of 1 m parallel to a ball joint at the end of an arm of 1e10 m.
TEST(PivotedCholesky, ClassifiesASmallRowAsIndependentIfOnlyZerosAreDropped) {
  extended::Matrix a(2, 2);
  a(0, 0) = extended::Real(1e21), a(1, 1) = 1;
  EXPECT_EQ(extended::PivotedCholesky(std::move(a), 1e-20, 0).rank(), 2u);
}

}  // namespace
}  // namespace mbsbench::extended
