// Operations of a sparse factorisation, counted by hand.
#include "methods/numerics/sparse_lu.h"

#include <gtest/gtest.h>

namespace mbsbench {
namespace {

OperationCount CountOf(std::vector<int> column_start, std::vector<int> row,
                       std::vector<double> values) {
  SparseLu lu(column_start, row);
  EXPECT_EQ(lu.Factorise(values), -1);
  return lu.CountOperations();
}

// n (n - 1) (2 n - 1) / 6 multiply-adds of the factors and n (n - 1) of the solution; divisions: n (n - 1) / 2
// in L, one per entry for the scale of its row, and 2 n of the solution by pivots and scales.
TEST(SparseLu, OfAFullMatrixTakesTheOperationsOfGaussianElimination) {
  constexpr int kSize = 5;
  std::vector<int> column_start{0}, row;
  std::vector<double> values;
  for (int j = 0; j < kSize; ++j) {
    for (int i = 0; i < kSize; ++i) {
      row.push_back(i);
      values.push_back(i == j ? 10 : 1. / (1 + i + 2 * j));
    }
    column_start.push_back(static_cast<int>(row.size()));
  }
  const OperationCount count = CountOf(column_start, row, values);
  EXPECT_EQ(count.multiplications, 30 + 20);
  EXPECT_EQ(count.additions, 30 + 20);
  EXPECT_EQ(count.divisions, 10 + 25 + 10);
  EXPECT_EQ(count.square_roots, 0);
}

// Without fill: one entry of L and one of U per column except the last.
TEST(SparseLu, OfATridiagonalMatrixTakesNoOperationsForZeros) {
  constexpr int kSize = 50;
  std::vector<int> column_start{0}, row;
  std::vector<double> values;
  for (int j = 0; j < kSize; ++j) {
    for (int i = std::max(j - 1, 0); i <= std::min(j + 1, kSize - 1); ++i) {
      row.push_back(i);
      values.push_back(i == j ? 4 : 1);
    }
    column_start.push_back(static_cast<int>(row.size()));
  }
  const OperationCount count = CountOf(column_start, row, values);
  EXPECT_EQ(count.multiplications, 3 * (kSize - 1));
  EXPECT_EQ(count.additions, 3 * (kSize - 1));
  EXPECT_EQ(count.divisions, (kSize - 1) + (3 * kSize - 2) + 2 * kSize);
}

// [ I G'; G 0 ] with a row of G for each pair of neighbours: pivots leave the diagonal of the second part.
TEST(SparseLu, OrderedByColumnsAloneSolvesAMatrixWithoutADiagonalInLinearOperations) {
  const auto operations = [](int unknowns) {
    const int n = 2 * unknowns - 1;
    std::vector<int> column_start{0}, row;
    std::vector<double> values;
    const auto put = [&](int i, double value) {
      if (i < unknowns || i >= n) return;
      row.push_back(i);
      values.push_back(value);
    };
    for (int j = 0; j < unknowns; ++j) {
      row.push_back(j);
      values.push_back(1);
      if (j > 0) put(unknowns + j - 1, 2);
      put(unknowns + j, -1);
      column_start.push_back(static_cast<int>(row.size()));
    }
    for (int k = 0; k + 1 < unknowns; ++k) {
      row.insert(row.end(), {k, k + 1, unknowns + k});
      values.insert(values.end(), {-1., 2., 0.});
      column_start.push_back(static_cast<int>(row.size()));
    }
    std::vector<double> b(static_cast<std::size_t>(n), 0);
    for (int j = 0; j < n; ++j)  // the sums of rows
      for (int e = column_start[static_cast<std::size_t>(j)];
           e < column_start[static_cast<std::size_t>(j) + 1]; ++e)
        b[static_cast<std::size_t>(row[static_cast<std::size_t>(e)])] +=
            values[static_cast<std::size_t>(e)];
    SparseLu lu(column_start, row, Orders::kByColumns);
    EXPECT_EQ(lu.Factorise(values, Pivots::kNewOrder), -1);
    lu.Solve(b);
    for (const double x : b) EXPECT_NEAR(x, 1, 1e-12);
    return static_cast<double>(lu.CountOperations().multiplications);
  };
  EXPECT_NEAR(operations(800) / operations(200), 4, 0.2);
}

}  // namespace
}  // namespace mbsbench
