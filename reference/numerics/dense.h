// Small dense linear algebra in extended precision.
#pragma once

#include <optional>
#include <vector>

#include "reference/numerics/real.h"

namespace mbsbench::extended {

// Square or rectangular, row-major.
class Matrix {
 public:
  Matrix(std::size_t rows, std::size_t columns)
      : rows_(rows), columns_(columns), a_(rows * columns) {}
  std::size_t rows() const { return rows_; }
  std::size_t columns() const { return columns_; }
  Real& operator()(std::size_t i, std::size_t j) { return a_[i * columns_ + j]; }
  Real operator()(std::size_t i, std::size_t j) const { return a_[i * columns_ + j]; }

 private:
  std::size_t rows_, columns_;
  std::vector<Real> a_;
};

// LL' of a symmetric positive semidefinite matrix with diagonal pivoting. Rows that depend on
// previous ones are dropped, so that the independent ones of redundant but consistent equations
// remain.
class PivotedCholesky {
 public:
  // A row is dependent if its pivot is not above `rank_tolerance` times its own original diagonal, or if that
  // diagonal is not above `least_diagonal` times the largest one: the remainder of a row that the tree's
  // joints block completely is round-off, however it is scaled. Use 0 if such rows are exactly zero: diagonals
  // in different units, or of very different arms, cannot be compared.
  PivotedCholesky(Matrix a, double rank_tolerance, double least_diagonal);
  std::size_t rank() const { return rank_; }
  std::size_t rows() const { return l_.rows(); }
  // The independent rows, ascending.
  std::vector<std::size_t> IndependentRows() const;
  // A solution of a x = b; unknowns of dependent rows are 0.
  std::vector<Real> Solve(const std::vector<Real>& b) const;
  // A basis of the null space, one vector per dependent row.
  std::vector<std::vector<Real>> NullSpace() const;

 private:
  std::vector<Real> SolveTransposed(std::vector<Real> y) const;  // L' x = y on the independent rows

  Matrix l_;  // rows in pivot order
  std::vector<std::size_t> order_;
  std::size_t rank_ = 0;
};

}  // namespace mbsbench::extended
