// Which rows of loop-closing joints say what other constraints say already.
//
// A row g of a loop joint forbids something new only as far as the tree joints, with rows G, leave
// it free: its projection onto the motions that they allow,
//
//   [ I  -G' ] [ x   ]   [ g' ]
//   [ G   0  ] [ tau ] = [ 0  ].                                                              (1)
//
// All rows have unit length in the rates (v, reach x omega). So neither units nor the size of the model, nor how it is turned, decide anything, and x is
// compared with 1: where the tree rules out all loop rows, as on a door on two hinges, nothing else
// tells round-off from a constraint.
//
// Redundant rows are those that a QR factorisation with column pivoting (Businger, Golub 1965) of
// X = [x_1 ... x_m] leaves behind its numerical rank; x = sum_i w_i x_i over the rows kept. They are
// selected at a state that closes the loops and then stay left out: the rows kept imply them along
// the motion, as long as their own rank does not fall. Where it does, the motion may leave the rows
// left out, which Opened finds. The reactions of a joint are undetermined
// where a null vector of all constraint rows, (w, -1) in the loop rows and its tau in the tree's,
// touches it.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "methods/interface/status.h"
#include "methods/numerics/constraint_matrix.h"
#include "methods/numerics/sparse_lu.h"
#include "methods/numerics/sparse_pattern.h"

namespace mbsbench::absolute {

class RedundantRows {
 public:
  // `constraints` must outlive this object.
  RedundantRows(const System& system, const AbsoluteConstraints& constraints);

  // Selects the rows to be left out at a state that closes the loops; Fails where rows are nearly
  // dependent: neither round-off nor as well known as their squares, which factors hold, need.
  Status Select(std::span<const BodyMotion> bodies);
  // As many rows as then, those that are most independent of one another at a later state.
  void SelectAnew(std::span<const BodyMotion> bodies);
  // As many rows, selected before.
  void LeaveOut(std::span<const RowSet> rows) {
    std::copy(rows.begin(), rows.end(), left_out_.begin());
  }
  bool any() const { return rank_ < loop_rows_.size(); }

  // Of each joint; empty sets before Select.
  std::span<const RowSet> left_out() const { return left_out_; }

  // The joint of which a row that was left out has opened although those kept hold, or -1.
  int Opened(std::span<const BodyMotion> bodies) const;

  // The joint of which a row that was left out asks for other accelerations than those of the bodies, which keep the
  // rest, or -1. `scale`: a typical acceleration [m/s^2].
  int Contradicted(std::span<const BodyMotion> bodies, double scale) const;

  // Per joint, whether its reaction is determined although rows are left out.
  std::vector<bool> DeterminedReactions(std::span<const BodyMotion> bodies);

 private:
  struct LoopRow {
    std::size_t joint;
    int row;
  };
  // Columns of the loop rows: x and tau of eq. (1).
  struct Projection {
    Eigen::MatrixXd x, tau;
  };
  Projection Project(std::span<const BodyMotion> bodies);
  // Where bodies have arms of very different sizes the matrix of (1) is singular to round-off, since its
  // pivots are squares of the tree's rows. Those are independent in every state.
  Projection ProjectByOrthogonalRows(std::span<const BodyMotion> bodies);
  // What entries of x may be off by.
  Eigen::MatrixXd KnownTo(const Projection& projection) const;
  ConstraintJacobian UnitRows(std::size_t joint, std::span<const BodyMotion> bodies) const;
  Eigen::MatrixXd LoopRows(std::span<const BodyMotion> bodies) const;  // g', a column each
  // Per loop row visit(joint, row, |g| or |g''|), in lengths.
  template <class Visit>
  void ForLoopRows(std::span<const BodyMotion> bodies, bool accelerations, Visit visit) const;
  // Leaves out as many rows as the rank says, of a factorisation of the rows at `bodies`.
  using Factors = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;
  void LeaveOutBehindRank(const Factors& factors);

  const AbsoluteConstraints& constraints_;
  std::vector<double> reach_;  // per body
  std::vector<LoopRow> loop_rows_;
  bool hides_arms_ = false;
  std::size_t rank_ = 0;
  std::vector<int> rows_at_;  // of each tree joint
  int size_ = 0;
  CompressedPattern matrix_;
  std::unique_ptr<SparseLu> lu_;
  std::vector<RowSet> left_out_;
};

}  // namespace mbsbench::absolute
