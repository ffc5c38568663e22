// Gaussian elimination with complete pivoting of a rectangular matrix: its independent rows and
// columns, and solutions with their square block.
#pragma once

#include <vector>

#include "reference/numerics/dense.h"

namespace mbsbench::extended {

class Elimination {
 public:
  // Stops at pivots below `tolerance` times the largest entry.
  Elimination(Matrix a, double tolerance);
  std::size_t rank() const { return rank_; }
  // The least pivot over the largest entry that is left; infinite if nothing is left.
  double Gap() const;
  // A basis of a x = 0, a vector for each column without a pivot.
  std::vector<std::vector<Real>> NullSpace() const;
  // In the order of the pivots, the largest first; `rank` of each.
  std::vector<std::size_t> PivotRows() const;
  std::vector<std::size_t> PivotColumns() const;
  // a x = b and a' x = b; only for square matrices of full rank.
  std::vector<Real> Solve(const std::vector<Real>& b) const;
  std::vector<Real> SolveTransposed(const std::vector<Real>& b) const;

 private:
  Matrix lu_;  // rows and columns in the order of the pivots; L has a unit diagonal
  std::vector<std::size_t> row_, column_;
  std::size_t rank_ = 0;
};

}  // namespace mbsbench::extended
