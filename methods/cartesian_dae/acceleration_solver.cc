#include "methods/cartesian_dae/acceleration_solver.h"

#include <algorithm>

#include "problems/model/eigen.h"

namespace mbsbench::cartesian {

namespace {

// Visits the entries of the matrix in one fixed order: visit(row, column, value).
template <typename Visit>
void VisitBody(int body, double mass, const Matrix3d& inertia, Visit&& visit) {
  const int at = kRates * body;
  for (int i = 0; i < 3; ++i) visit(at + i, at + i, mass);
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) visit(at + 3 + i, at + 3 + j, inertia(i, j));
  }
}

const BodyMotion& Motion(std::span<const BodyMotion> bodies, int body) {
  static const BodyMotion ground = BodyMotion::Ground();
  return body == kGround ? ground : bodies[static_cast<std::size_t>(body)];
}

}  // namespace

AccelerationSolver::AccelerationSolver(const System& system, const std::vector<JointLink>& links)
    : links_(links), tree_links_(system.joints.size()) {
  int n = kRates * static_cast<int>(system.bodies.size());
  std::vector<Entry> entries;
  const auto note = [&entries](int row, int column, double) { entries.push_back({row, column}); };
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    mass_.push_back(system.bodies[b].mass);
    inertia_.push_back(ToEigen(system.bodies[b].inertia));
    VisitBody(static_cast<int>(b), mass_[b], inertia_[b], note);
  }
  for (const JointLink& link : links_) {
    link_at_.push_back(n);
    VisitLink(link, n, ConstraintJacobian::Zero(), note);
    if (IsLoop(link_at_.size() - 1)) {
      for (int i = 0; i < link.constraints.size(); ++i) note(n + i, n + i, 0);
    }
    n += link.constraints.size();
  }
  matrix_ = Compress(n, entries);
  values_.resize(matrix_.pattern.row.size());
  right_side_.resize(static_cast<std::size_t>(n));
  lu_ = std::make_unique<SparseLu>(matrix_.pattern.column_start, matrix_.pattern.row);
}

Status AccelerationSolver::Factorise(std::span<const RowSet> left_out,
                                     std::span<const BodyMotion> bodies, Pivots pivots) {
  std::fill(values_.begin(), values_.end(), 0.0);
  std::size_t entry = 0;
  const auto put = [&](int, int, double value) {
    values_[static_cast<std::size_t>(matrix_.place[entry++])] = value;
  };
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    VisitBody(static_cast<int>(b), mass_[b], inertia_[b], put);
  }
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const JointLink& link = links_[k];
    const ConstraintJacobian g =
        JacobianOf(link, Motion(bodies, link.parent), Motion(bodies, link.child));
    const auto keep = [&](int row, int column, double value) {
      const int i = row - link_at_[k];  // < 0: of -G'
      put(row, column, i >= 0 && Holds(left_out[k], i) ? 0 : value);
    };
    VisitLink(link, link_at_[k], g, keep);
    if (IsLoop(k)) {
      for (int i = 0; i < link.constraints.size(); ++i)
        put(link_at_[k] + i, link_at_[k] + i, Holds(left_out[k], i) ? 1 : 0);
    }
  }
  const int column = lu_->Factorise(values_, pivots);
  if (column < 0) return {};
  Status status;
  status.code = Status::Code::kSingular;
  if (column < kRates * static_cast<int>(bodies.size())) {
    status.body = column / kRates;
    status.what = "the joints allow a motion of the body that has no inertia";
  } else {
    const auto after = std::upper_bound(link_at_.begin(), link_at_.end(), column);
    status.joint = static_cast<int>(after - link_at_.begin()) - 1;
    status.what = "the joint's constraints depend on those of other joints";
  }
  return status;
}

void AccelerationSolver::Solve(std::span<const BodyForce> forces, std::span<const RowSet> left_out,
                               std::span<BodyMotion> bodies, std::span<ConstraintVector> lambda) {
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    BodyMotion& body = bodies[b];
    body.acceleration.setZero();
    body.angular_acceleration.setZero();
    const int at = kRates * static_cast<int>(b);
    Segment(at) = forces[b].force;
    Segment(at + 3) =
        forces[b].moment - body.angular_velocity.cross(inertia_[b] * body.angular_velocity);
  }
  for (std::size_t k = 0; k < links_.size(); ++k) {
    const JointLink& link = links_[k];
    ConstraintValues values;  // accelerations are zero: gamma
    link.constraints.Evaluate(Motion(bodies, link.parent), Motion(bodies, link.child), true,
                              values);
    for (int i = 0; i < link.constraints.size(); ++i) {
      right_side_[static_cast<std::size_t>(link_at_[k] + i)] =
          Holds(left_out[k], i) ? 0 : -values.acceleration[i];
    }
  }
  lu_->Solve(right_side_);
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const int at = kRates * static_cast<int>(b);
    bodies[b].acceleration = Segment(at);
    bodies[b].angular_acceleration = Segment(at + 3);
  }
  for (std::size_t k = 0; k < links_.size(); ++k) {
    lambda[k].setZero();
    for (int i = 0; i < links_[k].constraints.size(); ++i) {
      lambda[k][i] = right_side_[static_cast<std::size_t>(link_at_[k] + i)];
    }
  }
}

void AccelerationSolver::Correction(std::span<const ConstraintVector> residual,
                                    std::span<const RowSet> left_out,
                                    std::span<RateChange> change) {
  std::fill(right_side_.begin(), right_side_.end(), 0.0);
  for (std::size_t k = 0; k < links_.size(); ++k) {
    for (int i = 0; i < links_[k].constraints.size(); ++i) {
      right_side_[static_cast<std::size_t>(link_at_[k] + i)] =
          Holds(left_out[k], i) ? 0 : -residual[k][i];
    }
  }
  lu_->Solve(right_side_);
  for (std::size_t b = 0; b < change.size(); ++b) {
    const int at = kRates * static_cast<int>(b);
    change[b] = {Segment(at), Segment(at + 3)};
  }
}

}  // namespace mbsbench::cartesian
