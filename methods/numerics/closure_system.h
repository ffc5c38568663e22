// The small symmetric system that closes the loops of a tree: A x = b with A = Y' D^-1 Y summed
// over joints, positive semidefinite, one row per constraint of the loop joints.
//
// Constraints of loops may say what others say (planar loops of revolutes, Bricard's mechanism).
// So A is factorised by Cholesky's method with diagonal pivoting on the equilibrated matrix (unit
// diagonal): a row of which less is left than its error depends on the rows before it. Of the
// solutions the one with the smallest (equilibrated) norm is taken; whoever asks for `null space`
// learns how much freedom there was.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace mbsbench {

class ClosureSystem {
 public:
  // How well the rows are known, relative to their length: a row is taken for dependent where less than
  // this is left of it, and for immovable where it moves less than this part of what the others move.
  //
  // Overconstrained mechanisms are movable only where their loops are closed: a gap makes their rows
  // independent by about itself over the size of a body. Between the stages of a Runge-Kutta step there are
  // such gaps, so the rows are as well known as the loops are closed, times this factor. No worse than
  // kWorstRows, or a coarse step would lose rows that count. No better than kLeastIndependent.
  static constexpr double kRowErrorPerGap = 100;
  static constexpr double kWorstRows = 1e-4;
  // Of the unit alone: the row moves nothing even if no other moves more. Between round-off squared
  // (1e-32, by lever arms and light bodies more) and the answer of a whole mechanism of thousands of
  // bodies (its arms squared over those of a body).
  static constexpr double kLeastResponse = 1e-18;
  // Of the right side: what dependent rows may contradict those they depend on.
  static constexpr double kContradiction = 1e-4;

  explicit ClosureSystem(int rows);

  int size() const { return size_; }
  // Row-major; the lower triangle counts.
  std::span<double> matrix() {
    matrix_.resize(At(size_, 0));
    return matrix_;
  }
  std::span<double> right_side() { return right_side_; }
  void ClearMatrix();
  // Of each row's diagonal, so that forces can be compared with moments, whatever the unit of length;
  // 1 until it is set.
  std::span<double> units() { return units_; }

  // Keeps matrix and right side. `gap`: by how much the loops are open, relative to the size of their bodies.
  void Factorise(double gap = 1);
  // By the last factorisation: -1, or a row that contradicts those it depends on by more than
  // kContradiction of `scale` or of the largest right side.
  int Solve(double scale);
  std::span<const double> solution() const { return solution_; }
  // A solution that was found without the matrix, of independent rows.
  void Take(std::span<const double> solution);
  // Instead of the smallest solution the one that is zero in the rows that depend on others, and which
  // rows do not.
  std::vector<double> BasicSolution(std::vector<char>& is_independent);

  // Of the matrix that was factorised last.
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

  int size_, rank_ = 0;
  std::vector<double> matrix_, right_side_, solution_, units_;
  // P S A S P' = [I; W] L1 L1' [I W'], S the equilibration, P the pivoting; the rows of W take the
  // place of those below L1.
  std::vector<double> factor_, scaling_, column_, reduced_;
  std::vector<double> gram_;  // I + W W'
  std::vector<int> order_;    // row of A at place k
};

}  // namespace mbsbench
