// The small symmetric system that closes the loops of a tree: A x = b with A = Y' D^-1 Y summed
// over joints, positive semidefinite, one row per constraint of the loop joints.
//
// Constraints of loops may be redundant (planar loops of revolutes, Bricard's mechanism). A is
// therefore factorised by Cholesky's method with diagonal pivoting on the equilibrated matrix (unit
// diagonal): a row whose remainder is below its error depends on the rows before it. Among the
// solutions the one with the smallest (equilibrated) norm is chosen; NullVector gives the remaining
// freedom.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "methods/loops/nearly_dependent_loops.h"

namespace mbsbench {

class ClosureSystem {
 public:
  // Where rows are rounded, those that were kept before are preferred: the others differ from them by the rounding, by which the
  // solution would jump.
  explicit ClosureSystem(int rows, const RowAccuracy& accuracy = {});

  int size() const { return size_; }
  // Row-major; only the lower triangle is used.
  std::span<double> matrix() {
    matrix_.resize(At(size_, 0));
    return matrix_;
  }
  std::span<double> right_side() { return right_side_; }
  void ClearMatrix();
  // Units of the diagonal of each row, so that forces can be compared with moments, whatever the unit
  // of length; 1 by default.
  std::span<double> units() { return units_; }

  // Keeps matrix and right side. `gap`: by how much the loops are open, relative to the size of their bodies.
  //
  // A row counts as dependent if its remainder is below the relative error of the rows, and as immovable if it moves
  // less than this fraction of what the others move. Overconstrained mechanisms are movable only where their loops are
  // closed, and between the stages of a Runge-Kutta step there are gaps: the error grows with the gap
  // (Thresholds::row_error_per_gap), from independent_row to worst_rows.
  void Factorise(double gap = 1);
  // Uses the last factorisation. Returns -1, or a row that contradicts those on which it depends by
  // more than Thresholds::contradiction of `scale` or of the largest right side.
  int Solve(double scale);
  std::span<const double> solution() const { return solution_; }
  // Sets a solution for independent rows that was found without the matrix.
  void Take(std::span<const double> solution);
  // Instead of the smallest solution, the one that is zero in the dependent rows; also returns which
  // rows are independent.
  std::vector<double> BasicSolution(std::vector<char>& is_independent);

  // The rank of the matrix that was factorised last.
  int rank() const { return rank_; }
  // Vector k < size() - rank() of a basis of the null space.
  std::vector<double> NullVector(int k) const;

 private:
  double& Factor(int i, int j) { return factor_[At(i, j)]; }
  double Factor(int i, int j) const { return factor_[At(i, j)]; }
  std::size_t At(int i, int j) const {
    return static_cast<std::size_t>(i) * static_cast<std::size_t>(size_) +
           static_cast<std::size_t>(j);
  }
  void Reduce(double gap);
  void ExpressDependentRows();
  void SolveIndependentRows();
  int Contradiction(double scale) const;

  RowAccuracy accuracy_;
  int size_, rank_ = 0;
  std::vector<double> matrix_, right_side_, solution_, units_;
  // P S A S P' = [I; W] L1 L1' [I W'], S the equilibration, P the pivoting; the rows of W take the
  // place of those below L1.
  std::vector<double> factor_, scaling_, column_, reduced_;
  std::vector<double> gram_;  // I + W W'
  std::vector<int> order_;    // row of A at place k
};

}  // namespace mbsbench
