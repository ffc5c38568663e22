// Factors in blocks, compared with dense ones of the same matrix.
#include "harness/integrate/block_lu.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>

namespace mbsbench {
namespace {

// The pattern contains every nonzero entry of `matrix`.
SparsityPattern PatternOf(const Eigen::MatrixXd& matrix, std::vector<int> blocks) {
  SparsityPattern pattern{{0}, {}, std::move(blocks)};
  for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
    for (Eigen::Index i = 0; i < matrix.rows(); ++i) {
      if (matrix(i, j) != 0) pattern.row.push_back(static_cast<int>(i));
    }
    pattern.column_start.push_back(static_cast<int>(pattern.row.size()));
  }
  return pattern;
}

std::vector<double> ValuesOf(const Eigen::MatrixXd& matrix, const SparsityPattern& pattern) {
  std::vector<double> values;
  for (Eigen::Index j = 0; j < matrix.cols(); ++j) {
    const auto column = static_cast<std::size_t>(j);
    for (int e = pattern.column_start[column]; e < pattern.column_start[column + 1]; ++e)
      values.push_back(matrix(pattern.row[static_cast<std::size_t>(e)], j));
  }
  return values;
}

double ErrorOf(BlockLu& lu, const Eigen::MatrixXd& matrix) {
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(matrix.rows(), -1, 2);
  Eigen::VectorXd b = matrix * x;
  lu.Solve({b.data(), static_cast<std::size_t>(b.size())});
  return (b - x).cwiseAbs().maxCoeff();
}

// Two unsymmetric bodies of three unknowns, each with two multipliers: unknowns 0 to 2, 3 to 4, 5 to 7, 8 to 9. The first multipliers
// hold the bodies together, the second ones hold the second body.
Eigen::MatrixXd TwoBodies() {
  Eigen::MatrixXd a = Eigen::MatrixXd::Zero(10, 10);
  a.block(0, 0, 3, 3) << 0, 2, 0.3, 3, 0.1, 0, 0.2, 0, 4;  // no pivots on the diagonal
  a.block(5, 5, 3, 3) << 5, 1, 0, -1, 6, 0.5, 0.3, 0, 7;
  a.block(3, 0, 2, 3) << 1, 0.2, 0.1, 0, 1, -0.4;
  a.block(3, 5, 2, 3) << -1, 0.3, 0, 0.2, -1, 0.6;
  a.block(8, 5, 2, 3) << 0.7, 0, 1, 0.1, 0.9, 0.2;
  a.block(0, 3, 3, 2) = 1.1 * a.block(3, 0, 2, 3).transpose();
  a.block(5, 3, 3, 2) = -0.9 * a.block(3, 5, 2, 3).transpose();
  a.block(5, 8, 3, 2) = a.block(8, 5, 2, 3).transpose();
  return a;
}
const std::vector<int> kBlocks{0, 3, 5, 8};

TEST(BlockLu, SolvesAMatrixWithAVanishingDiagonal) {
  const Eigen::MatrixXd matrix = TwoBodies();
  const SparsityPattern pattern = PatternOf(matrix, kBlocks);
  const std::vector<double> values = ValuesOf(matrix, pattern);
  const auto lu = BlockLu::Make(pattern);
  ASSERT_NE(lu, nullptr);
  ASSERT_TRUE(lu->Factorise(values));
  EXPECT_LT(ErrorOf(*lu, matrix), 1e-13);
}

TEST(BlockLu, ReusesPivotsForOtherValuesAndChoosesNewOnesIfAPivotVanishes) {
  Eigen::MatrixXd matrix = TwoBodies();
  const SparsityPattern pattern = PatternOf(matrix, kBlocks);
  const auto lu = BlockLu::Make(pattern);
  ASSERT_TRUE(lu->Factorise(ValuesOf(matrix, pattern)));
  matrix *= 1.5;
  matrix(6, 5) = 2;
  ASSERT_TRUE(lu->Factorise(ValuesOf(matrix, pattern)));
  EXPECT_LT(ErrorOf(*lu, matrix), 1e-13);
  matrix(1, 0) = 0;  // the pivot of column 0
  matrix(2, 0) = 5;
  ASSERT_TRUE(lu->Factorise(ValuesOf(matrix, pattern)));
  EXPECT_LT(ErrorOf(*lu, matrix), 1e-13);
  matrix(2, 0) = 1e-15;
  matrix(1, 0) = 3;
  ASSERT_TRUE(lu->Factorise(ValuesOf(matrix, pattern)));
  EXPECT_LT(ErrorOf(*lu, matrix), 1e-13);
}

TEST(BlockLu, RefusesDependentConstraints) {
  Eigen::MatrixXd matrix = TwoBodies();
  const SparsityPattern pattern = PatternOf(matrix, kBlocks);
  matrix.row(9) = matrix.row(8);
  EXPECT_FALSE(BlockLu::Make(pattern)->Factorise(ValuesOf(matrix, pattern)));
}

TEST(BlockLu, IsNotUsedWithoutBlocksOrForLargeBlocks) {
  EXPECT_EQ(BlockLu::Make(PatternOf(TwoBodies(), {})), nullptr);
  EXPECT_EQ(BlockLu::Make(PatternOf(Eigen::MatrixXd::Identity(17, 17), {0})), nullptr);
  EXPECT_NE(BlockLu::Make(PatternOf(Eigen::MatrixXd::Identity(17, 17), {0, 16})), nullptr);
}

}  // namespace
}  // namespace mbsbench
