// Which rows of loop-closing joints say what other constraints say already.
//
// A row g of a loop joint forbids something new only as far as the tree joints, with rows G, leave
// it free: its projection onto the motions that they allow,
//
//   [ I  -G' ] [ x   ]   [ g' ]
//   [ G   0  ] [ tau ] = [ 0  ].                                                              (1)
//
// All rows have unit length in the rates (v, l omega), l the reach of a body's joints from its mass
// centre. So neither units nor the size of the model, nor how it is turned, decide anything, and x is
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

#include <memory>
#include <span>
#include <vector>

#include "methods/cartesian_dae/constraint_jacobian.h"
#include "methods/cartesian_dae/sparse_pattern.h"

namespace mbsbench::cartesian {

class SparseLu;

class RedundantRows {
 public:
  // `links` (tree joints, then loop joints) must outlive this object.
  RedundantRows(const System& system, const std::vector<JointLink>& links);
  ~RedundantRows();

  // Selects the rows to be left out at a state that closes the loops.
  void Select(std::span<const BodyMotion> bodies);

  // Of each link; empty sets before Select.
  std::span<const RowSet> left_out() const { return left_out_; }

  // The link of which a row that was left out has opened although those kept hold, or -1.
  int Opened(std::span<const BodyMotion> bodies) const;

  // Per link, whether its reaction is determined although rows are left out.
  std::vector<bool> DeterminedReactions(std::span<const BodyMotion> bodies);

 private:
  struct LoopRow {
    std::size_t link;
    int row;
  };
  // Columns of the loop rows: x and tau of eq. (1).
  struct Projection {
    Eigen::MatrixXd x, tau;
  };
  Projection Project(std::span<const BodyMotion> bodies);
  // The rows in these rates, 0 in the columns of the ground; of unit length.
  ConstraintJacobian ScaledRows(const JointLink& link, std::span<const BodyMotion> bodies) const;
  ConstraintJacobian UnitRows(const JointLink& link, std::span<const BodyMotion> bodies) const;

  const std::vector<JointLink>& links_;
  std::size_t tree_links_;
  std::vector<double> reach_;  // per body
  std::vector<LoopRow> loop_rows_;
  std::vector<int> link_at_;  // first row of each tree link
  int size_ = 0;
  CompressedPattern matrix_;
  std::unique_ptr<SparseLu> lu_;
  std::vector<RowSet> left_out_;
};

}  // namespace mbsbench::cartesian
