// Which rows of loop-closing joints say what other constraints say already.
//
// A row g of a loop joint forbids something new only as far as the tree joints, with rows G, leave
// it free: its projection onto the motions that they allow,
//
//   [ I  -G' ] [ x   ]   [ g' ]
//   [ G   0  ] [ tau ] = [ 0  ].                                                              (1)
//
// Redundant rows are those that a QR factorisation with column pivoting (Businger, Golub 1965) of
// X = [x_1 ... x_m] leaves behind its numerical rank; x = sum_i w_i x_i over the rows kept. They are
// selected at a state that closes the loops and then stay left out: the rows kept imply them along
// the motion, as long as their own rank does not fall. The reactions of a joint are undetermined
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
  // The first `tree_links` of `links` are the tree joints. `links` must outlive this object.
  RedundantRows(std::size_t bodies, const std::vector<JointLink>& links, std::size_t tree_links);
  ~RedundantRows();

  // Selects the rows to be left out at a state that closes the loops.
  void Select(std::span<const BodyMotion> bodies);

  // Of each link; empty sets before Select.
  std::span<const RowSet> left_out() const { return left_out_; }

  // Per link, whether its reaction is determined although rows are left out.
  std::vector<bool> DeterminedReactions(std::span<const BodyMotion> bodies);

 private:
  struct LoopRow {
    std::size_t link;
    int row;
  };
  // Columns of the loop rows, each divided by the norm of its row: x and tau of eq. (1).
  struct Projection {
    Eigen::MatrixXd x, tau;
  };
  Projection Project(std::span<const BodyMotion> bodies);

  const std::vector<JointLink>& links_;
  std::size_t tree_links_;
  std::vector<LoopRow> loop_rows_;
  std::vector<int> link_at_;  // first row of each tree link
  int size_ = 0;
  CompressedPattern matrix_;
  std::unique_ptr<SparseLu> lu_;
  std::vector<RowSet> left_out_;
};

}  // namespace mbsbench::cartesian
