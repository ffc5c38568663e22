// Accelerations and multipliers of a state in absolute coordinates: the index-1 form of the equations
// of motion.
//
//   [ M  -G' ] [ V'     ]   [ Q - (0, omega x J omega) ]     V = (v, omega) of all bodies,
//   [ G   0  ] [ lambda ] = [ -gamma                   ]     G V' + gamma = g''
//
// A row that is left out because others imply it (redundant_rows.h) reads lambda = 0 instead. The
// matrix is written for the rates (v, reach x omega), with rows of about unit length and masses
// relative to their mean, so that the test for vanishing pivots does not depend on units.
//
// It is factorised in the blocks of bodies and joints (block_elimination.h) if each body has mass and inertia, no row is left out
// and pivots keep their digits; else by KLU, entry by entry with pivoting, which also names the singular joint or body.
//
// It is regular if the kept constraints are independent and every motion that they allow has inertia.
// Its null vectors contain either multipliers only (redundant constraints) or accelerations only
// (motion without inertia), so the vanishing pivot identifies the joint or the body.
#pragma once

#include <memory>
#include <span>
#include <vector>

#include "methods/interface/status.h"
#include "methods/numerics/block_elimination.h"
#include "methods/numerics/constraint_matrix.h"
#include "methods/numerics/sparse_lu.h"
#include "methods/numerics/sparse_pattern.h"

namespace mbsbench::absolute {

class AccelerationSolver {
 public:
  // `constraints` must outlive this object.
  AccelerationSolver(const System& system, const AbsoluteConstraints& constraints);

  // The matrix at the positions of `bodies`. `left_out`: rows per joint.
  Status Factorise(std::span<const RowSet> left_out, std::span<const BodyMotion> bodies,
                   Pivots pivots);

  double Reach(std::size_t body) const { return reach_[body]; }
  // Converts a row of a joint into a length.
  double RowScale(std::size_t joint, int row) const {
    return constraints_[joint].IsLength(row) ? 1 : length_[joint];
  }

  // The following functions use the matrix that was factorised last.

  // If rows are left out: the ratio of the smallest pivot to the largest, a measure of the independence of the kept rows.
  double SmallestPivot() { return lu_->SmallestPivot(); }
  // Operations of one factorisation and one solution.
  OperationCount CountOperations() {
    return by_blocks_ ? blocks_->CountOperations() : lu_->CountOperations();
  }
  // Writes v' and omega' into `bodies` and the multipliers of all joints into `lambda`; `forces` are
  // Q without the gyroscopic moments.
  void Solve(std::span<const BodyVector> forces, std::span<const RowSet> left_out,
             std::span<BodyMotion> bodies, std::span<ConstraintVector> lambda);
  // The smallest change (of r, phi or of v, omega) in the metric M that removes `residual`: G x =
  // -residual.
  void Correction(std::span<const ConstraintVector> residual, std::span<const RowSet> left_out,
                  std::span<BodyVector> change);

 private:
  bool FactoriseByBlocks(std::span<const RowSet> left_out, Pivots pivots);
  // Overwrites right_side_ by (V', lambda).
  void SolveRightSide();
  BodyVector RatesAt(std::size_t body) const;
  void SetRow(std::size_t joint, int row, RowSet left_out, double value);

  const AbsoluteConstraints& constraints_;
  Status tip_without_inertia_;
  std::vector<double> reach_, mass_;
  std::vector<Matrix3d> inertia_;
  double mean_mass_ = 0;                      // [kg]
  std::vector<int> rows_at_;                  // of each joint
  std::vector<double> length_;                // per joint, converts its products into lengths [m]
  std::vector<ConstraintJacobian> rows_;      // of each joint
  std::unique_ptr<BlockElimination> blocks_;  // null if a body lacks mass or inertia
  bool is_planned_ = false, by_blocks_ = false;
  CompressedPattern matrix_;
  std::vector<double> values_, right_side_;
  std::unique_ptr<SparseLu> lu_;
};

}  // namespace mbsbench::absolute
