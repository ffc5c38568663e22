// Selects the rows of loop joints that are redundant.
//
// A row g of a loop joint is an additional constraint only through its projection onto the motions
// that the tree joints, with rows G, allow:
//
//   [ I  -G' ] [ x   ]   [ g' ]
//   [ G   0  ] [ tau ] = [ 0  ].                                                              (1)
//
// All rows have unit length in the rates (v, reach x omega). The result therefore depends neither on units nor on the size or orientation
// of the model, and x is compared with 1: if the tree alone prevents all motions of the loop rows, as for a door on two hinges, there is no
// other measure of round-off.
//
// Redundant rows are those that a QR factorisation with column pivoting (Businger, Golub 1965) of X
// = [x_1 ... x_m] puts after its numerical rank; x = sum_i w_i x_i over the kept rows. They are
// selected at a state that closes the loops and stay left out: the kept rows imply them along the
// motion, as long as their own rank does not fall. If it does, the motion may violate the rows left
// out, which Opened detects. The null vectors of all constraint rows, (w, -1) in the loop rows and their tau in the tree's
// rows, leave reactions undetermined.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "methods/interface/status.h"
#include "methods/loops/nearly_dependent_loops.h"
#include "methods/numerics/constraint_matrix.h"
#include "methods/numerics/sparse_lu.h"
#include "methods/numerics/sparse_pattern.h"

namespace mbsbench::absolute {

class RedundantRows {
 public:
  // `constraints` must outlive this object.
  RedundantRows(const System& system, const AbsoluteConstraints& constraints);

  // Selects the rows to be left out at a state that closes the loops. Fails if rows are nearly
  // dependent: their remainder is above round-off, but too small for the factors, which contain its
  // square.
  Status Select(std::span<const BodyMotion> bodies);
  // Selects the same number of rows again, the most independent ones at a later state.
  void SelectAnew(std::span<const BodyMotion> bodies);
  // Leaves out rows that were selected before, the same number.
  void LeaveOut(std::span<const RowSet> rows) {
    std::copy(rows.begin(), rows.end(), left_out_.begin());
  }
  bool any() const { return rank_ < loop_rows_.size(); }

  // The rows that are left out, per joint; empty sets before Select.
  std::span<const RowSet> left_out() const { return left_out_; }

  // The joint of an omitted row that has opened although the kept rows hold, or -1.
  int Opened(std::span<const BodyMotion> bodies) const;

  // The joint of an omitted row that contradicts the accelerations of the bodies, which satisfy the kept rows, or
  // -1. `scale`: a typical acceleration [m/s^2].
  int Contradicted(std::span<const BodyMotion> bodies, double scale) const;

  // Per row that is left out, multipliers of all joints that move nothing.
  std::vector<std::vector<ConstraintVector>> NullVectors(std::span<const BodyMotion> bodies);

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
  // If bodies have arms of very different sizes, the matrix of (1) is singular to round-off, since its
  // pivots are squares of the tree's rows. These rows themselves are independent in every state.
  Projection ProjectByOrthogonalRows(std::span<const BodyMotion> bodies);
  // Error of the entries of x.
  Eigen::MatrixXd KnownTo(const Projection& projection) const;
  ConstraintJacobian UnitRows(std::size_t joint, std::span<const BodyMotion> bodies) const;
  Eigen::MatrixXd LoopRows(std::span<const BodyMotion> bodies) const;  // g', a column each
  // Per loop row visit(joint, row, |g| or |g''|), in lengths.
  template <class Visit>
  void ForLoopRows(std::span<const BodyMotion> bodies, bool accelerations, Visit visit) const;
  // Leaves out rows according to the rank, from a factorisation of the rows at `bodies`.
  using Factors = Eigen::ColPivHouseholderQR<Eigen::MatrixXd>;
  void LeaveOutBehindRank(const Factors& factors);

  const AbsoluteConstraints& constraints_;
  RowAccuracy accuracy_;
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
