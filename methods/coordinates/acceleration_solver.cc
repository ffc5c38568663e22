#include "methods/coordinates/acceleration_solver.h"

#include <algorithm>
#include <cmath>

#include "methods/kinematics/reach.h"
#include "methods/thresholds/thresholds.h"
#include "methods/tree_motion/tip_inertia.h"
#include "problems/model/eigen.h"

namespace mbsbench::absolute {

AccelerationSolver::AccelerationSolver(const System& system, const AbsoluteConstraints& constraints)
    : constraints_(constraints),
      tip_without_inertia_(FindFreeTipWithoutInertia(system)),
      reach_(ReachOf(system)) {
  const std::size_t bodies = system.bodies.size();
  int n = kRates * static_cast<int>(bodies);
  std::vector<MatrixEntry> entries;
  const auto note = [&entries](int row, int column, double) { entries.push_back({row, column}); };
  for (std::size_t b = 0; b < bodies; ++b) {
    mass_.push_back(system.bodies[b].mass);
    inertia_.push_back(ToEigen(system.bodies[b].inertia));
    mean_mass_ +=
        (mass_[b] + inertia_[b].trace() / (reach_[b] * reach_[b])) / static_cast<double>(bodies);
    VisitBody(kRates * static_cast<int>(b), mass_[b], inertia_[b], note);
  }
  if (!(mean_mass_ > 0)) mean_mass_ = 1;
  for (std::size_t k = 0; k < constraints.size(); ++k) {
    const JointConstraints& joint = constraints[k];
    rows_at_.push_back(n);
    VisitRows(joint, n, ConstraintJacobian::Zero(), note);
    for (int i = 0; constraints.IsLoop(k) && i < joint.size(); ++i) note(n + i, n + i, 0);
    n += joint.size();
    const double of_child = reach_[static_cast<std::size_t>(joint.child())];
    const double of_parent =
        joint.parent() == kGround ? of_child : reach_[static_cast<std::size_t>(joint.parent())];
    length_.push_back(std::min(of_parent, of_child));
  }
  rows_.resize(constraints.size());
  std::vector<BlockElimination::BodyBlock> mass;
  bool all_resist = true;
  for (std::size_t b = 0; b < bodies; ++b) {
    const Matrix3d inertia = inertia_[b] / (reach_[b] * reach_[b]);
    const double least = inertia.selfadjointView<Eigen::Lower>().eigenvalues().minCoeff();
    all_resist = all_resist && least > kThresholds.resists * mass_[b] &&
                 mass_[b] > kThresholds.resists * inertia.trace();
    mass.push_back(BlockElimination::BodyBlock::Zero());
    mass.back().diagonal().head<3>().setConstant(mass_[b] / mean_mass_);
    mass.back().bottomRightCorner<3, 3>() = inertia / mean_mass_;
  }
  if (all_resist) blocks_ = std::make_unique<BlockElimination>(constraints, mass);
  matrix_ = Compress(n, entries);
  values_.resize(matrix_.pattern.row.size());
  right_side_.resize(static_cast<std::size_t>(n));
  lu_ = std::make_unique<SparseLu>(matrix_.pattern.column_start, matrix_.pattern.row);
}

bool AccelerationSolver::FactoriseByBlocks(std::span<const RowSet> left_out, Pivots pivots) {
  if (!blocks_ ||
      std::any_of(left_out.begin(), left_out.end(), [](RowSet rows) { return rows != 0; }))
    return false;
  if (!is_planned_ || pivots == Pivots::kNewOrder) blocks_->Plan(rows_);
  is_planned_ = true;
  return blocks_->has_plan() && blocks_->Factorise(rows_);
}

Status AccelerationSolver::Factorise(std::span<const RowSet> left_out,
                                     std::span<const BodyMotion> bodies, Pivots pivots) {
  if (!tip_without_inertia_.ok()) return tip_without_inertia_;
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    const JointConstraints& joint = constraints_[k];
    rows_[k] = ScaledRows(joint, bodies, reach_);
    for (int i = 0; i < joint.size(); ++i) {
      if (!joint.IsLength(i)) rows_[k].row(i) *= length_[k];
    }
  }
  by_blocks_ = FactoriseByBlocks(left_out, pivots);
  if (by_blocks_) return {};
  std::fill(values_.begin(), values_.end(), 0.0);
  std::size_t entry = 0;
  const auto put = [&](int, int, double value) {
    values_[static_cast<std::size_t>(matrix_.place[entry++])] = value;
  };
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    VisitBody(kRates * static_cast<int>(b), mass_[b] / mean_mass_,
              inertia_[b] / (mean_mass_ * reach_[b] * reach_[b]), put);
  }
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    const JointConstraints& joint = constraints_[k];
    VisitRows(joint, rows_at_[k], rows_[k], rows_[k], left_out[k], put);
    for (int i = 0; constraints_.IsLoop(k) && i < joint.size(); ++i)
      put(rows_at_[k] + i, rows_at_[k] + i, Holds(left_out[k], i) ? 1 : 0);
  }
  const int column = lu_->Factorise(values_, pivots);
  return column < 0 ? Status{} : SingularAt(column, rows_at_);
}

void AccelerationSolver::SolveRightSide() {
  if (!by_blocks_) return lu_->Solve(right_side_);
  blocks_->Solve(right_side_);
  const std::size_t multipliers = kRates * mass_.size();
  for (std::size_t i = multipliers; i < right_side_.size(); ++i) right_side_[i] = -right_side_[i];
}

// Conversion between the unknowns of the matrix and those of the equations.
BodyVector AccelerationSolver::RatesAt(std::size_t body) const {
  BodyVector rates = Eigen::Map<const BodyVector>(right_side_.data() + kRates * body);
  rates.tail<3>() /= reach_[body];
  return rates;
}

void AccelerationSolver::SetRow(std::size_t joint, int row, RowSet left_out, double value) {
  right_side_[static_cast<std::size_t>(rows_at_[joint] + row)] =
      Holds(left_out, row) ? 0 : RowScale(joint, row) * value;
}

void AccelerationSolver::Solve(std::span<const BodyVector> forces, std::span<const RowSet> left_out,
                               std::span<BodyMotion> bodies, std::span<ConstraintVector> lambda) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    BodyMotion& body = bodies[b];
    body.acceleration.setZero();
    body.angular_acceleration.setZero();
    const Vector3d& omega = body.angular_velocity;
    Eigen::Map<BodyVector> right(right_side_.data() + kRates * b);
    right.head<3>() = forces[b].head<3>() / mean_mass_;
    right.tail<3>() =
        (forces[b].tail<3>() - omega.cross(inertia_[b] * omega)) / (mean_mass_ * reach_[b]);
  }
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    const JointConstraints& joint = constraints_[k];
    ConstraintValues values;  // accelerations are zero: gamma
    joint.Evaluate(MotionOf(bodies, joint.parent()), MotionOf(bodies, joint.child()), true, values);
    for (int i = 0; i < joint.size(); ++i) SetRow(k, i, left_out[k], -values.acceleration[i]);
  }
  SolveRightSide();
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const BodyVector rates = RatesAt(b);
    bodies[b].acceleration = rates.head<3>();
    bodies[b].angular_acceleration = rates.tail<3>();
  }
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    lambda[k].setZero();
    for (int i = 0; i < constraints_[k].size(); ++i) {
      lambda[k][i] =
          mean_mass_ * RowScale(k, i) * right_side_[static_cast<std::size_t>(rows_at_[k] + i)];
    }
  }
}

void AccelerationSolver::Correction(std::span<const ConstraintVector> residual,
                                    std::span<const RowSet> left_out,
                                    std::span<BodyVector> change) {
  std::fill(right_side_.begin(), right_side_.end(), 0.0);
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    for (int i = 0; i < constraints_[k].size(); ++i) SetRow(k, i, left_out[k], -residual[k][i]);
  }
  SolveRightSide();
  for (std::size_t b = 0; b < change.size(); ++b) change[b] = RatesAt(b);
}

}  // namespace mbsbench::absolute
