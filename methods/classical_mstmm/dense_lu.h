// LU factors of the dense overall transfer matrix, in place, with row pivoting. Blocks are small
// enough for Eigen to keep the work space of its products on the stack: nothing is allocated after
// construction.
#pragma once

#include <Eigen/Core>
#include <cstdint>

#include "methods/interface/operation_count.h"

namespace mbsbench {

class DenseLu {
 public:
  explicit DenseLu(Eigen::Index size);

  // The caller fills it; Factorise replaces it by L and U.
  Eigen::MatrixXd& matrix() { return a_; }
  // False if the matrix is not finite or a pivot is exactly zero.
  bool Factorise();
  // Whether the matrix that was factorised last was finite.
  bool was_finite() const { return was_finite_; }
  // b := A^-1 b, column by column.
  void Solve(Eigen::Ref<Eigen::MatrixXd> b) const;
  // In the 1-norm, estimated from the factors (Hager 1984; Higham 1988).
  double ConditionNumber() const;
  // Operations of one factorisation and one solution of order n.
  static OperationCount CountOperations(std::int64_t n);

 private:
  void SolveTransposed(Eigen::VectorXd& b) const;

  Eigen::MatrixXd a_;
  Eigen::VectorXi swaps_;  // row that was exchanged with row k
  double norm_ = 0;        // 1-norm of the matrix
  bool was_finite_ = false;
};

}  // namespace mbsbench
