#include "methods/loops/redundant_rows.h"

#include <algorithm>
#include <cmath>

#include "methods/kinematics/reach.h"
#include "methods/thresholds/thresholds.h"
#include "problems/model/known_rank.h"

namespace mbsbench::absolute {

namespace {

// Whether an arm is so short relative to the reach of its body that its square, by which rows may differ, is
// round-off. Even shorter ones are round-off themselves.
bool HidesArms(const System& system, std::span<const double> reach) {
  const auto is_hidden = [&](int body, const Vector3& arm) {
    if (body == kGround) return false;
    const double part = Norm(arm) / reach[static_cast<std::size_t>(body)];
    return part > kThresholds.same_place && part < kThresholds.independent_row;
  };
  for (const std::vector<Joint>* joints : {&system.joints, &system.loop_joints}) {
    for (const Joint& joint : *joints) {
      if (is_hidden(joint.parent, joint.parent_frame.position) ||
          is_hidden(joint.child, joint.child_frame.position))
        return true;
    }
  }
  return false;
}

}  // namespace

RedundantRows::RedundantRows(const System& system, const AbsoluteConstraints& constraints)
    : constraints_(constraints),
      accuracy_(system),
      reach_(ReachOf(system)),
      left_out_(constraints.size(), 0) {
  for (std::size_t k = constraints.tree_joints(); k < constraints.size(); ++k) {
    for (int i = 0; i < constraints[k].size(); ++i) loop_rows_.push_back({k, i});
  }
  rank_ = loop_rows_.size();
  if (loop_rows_.empty()) return;
  hides_arms_ = HidesArms(system, reach_);
  size_ = kRates * static_cast<int>(system.bodies.size());
  std::vector<MatrixEntry> entries;
  for (int i = 0; i < size_; ++i) entries.push_back({i, i});
  for (std::size_t k = 0; k < constraints.tree_joints(); ++k) {
    rows_at_.push_back(size_);
    VisitRows(constraints[k], size_, ConstraintJacobian::Zero(),
              [&entries](int row, int column, double) {
                entries.push_back({row, column});
              });
    size_ += constraints[k].size();
  }
  matrix_ = Compress(size_, entries);
  lu_ = std::make_unique<SparseLu>(matrix_.pattern.column_start, matrix_.pattern.row);
}

ConstraintJacobian RedundantRows::UnitRows(std::size_t joint,
                                           std::span<const BodyMotion> bodies) const {
  ConstraintJacobian g = ScaledRows(constraints_[joint], bodies, reach_);
  for (int i = 0; i < constraints_[joint].size(); ++i) g.row(i).normalize();
  return g;
}

Eigen::MatrixXd RedundantRows::LoopRows(std::span<const BodyMotion> bodies) const {
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(kRates * static_cast<Eigen::Index>(bodies.size()),
                                               static_cast<Eigen::Index>(loop_rows_.size()));
  for (std::size_t c = 0; c < loop_rows_.size(); ++c) {
    const LoopRow& at = loop_rows_[c];
    const JointConstraints& joint = constraints_[at.joint];
    const ConstraintJacobian g = UnitRows(at.joint, bodies);
    for (const auto& [body, first] :
         {std::pair{joint.parent(), 0}, std::pair{joint.child(), kRates}}) {
      if (body == kGround) continue;
      rows.col(static_cast<Eigen::Index>(c)).segment<kRates>(kRates * body) +=
          g.row(at.row).segment<kRates>(first).transpose();
    }
  }
  return rows;
}

RedundantRows::Projection RedundantRows::Project(std::span<const BodyMotion> bodies) {
  const int motions = kRates * static_cast<int>(bodies.size());
  std::vector<double> values(matrix_.pattern.row.size(), 0.0);
  std::size_t entry = 0;
  const auto put = [&](int, int, double value) {
    values[static_cast<std::size_t>(matrix_.place[entry++])] = value;
  };
  for (int i = 0; i < motions; ++i) put(i, i, 1);
  for (std::size_t k = 0; k < constraints_.tree_joints(); ++k)
    VisitRows(constraints_[k], rows_at_[k], UnitRows(k, bodies), put);
  if (lu_->Factorise(values) >= 0) return ProjectByOrthogonalRows(bodies);
  Projection projection{LoopRows(bodies), {}};
  projection.tau.resize(size_ - motions, projection.x.cols());
  std::vector<double> right(static_cast<std::size_t>(size_));
  Eigen::Map<Eigen::VectorXd> solution(right.data(), size_);
  for (Eigen::Index c = 0; c < projection.x.cols(); ++c) {
    solution << projection.x.col(c), Eigen::VectorXd::Zero(size_ - motions);
    lu_->Solve(right);
    projection.x.col(c) = solution.head(motions);
    projection.tau.col(c) = solution.tail(size_ - motions);
  }
  return projection;
}

// With the tree's rows G' = Q R: x = g' - Q Q' g', tau = -R^-1 Q' g'. Dense.
RedundantRows::Projection RedundantRows::ProjectByOrthogonalRows(
    std::span<const BodyMotion> bodies) {
  const int motions = kRates * static_cast<int>(bodies.size());
  Eigen::MatrixXd tree = Eigen::MatrixXd::Zero(motions, size_ - motions);
  for (std::size_t k = 0; k < constraints_.tree_joints(); ++k) {
    VisitRows(constraints_[k], rows_at_[k], UnitRows(k, bodies),
              [&](int row, int column, double value) {
                if (row >= motions) tree(column, row - motions) = value;
              });
  }
  Projection projection{LoopRows(bodies), {}};
  const Eigen::HouseholderQR<Eigen::MatrixXd> qr(tree);
  Eigen::MatrixXd turned = qr.householderQ().transpose() * projection.x;
  projection.tau = -qr.matrixQR()
                        .topRows(tree.cols())
                        .triangularView<Eigen::Upper>()
                        .solve(turned.topRows(tree.cols()));
  turned.topRows(tree.cols()).setZero();
  projection.x = qr.householderQ() * turned;
  return projection;
}

Status RedundantRows::Select(std::span<const BodyMotion> bodies) {
  if (loop_rows_.empty()) return {};
  const Projection projection = Project(bodies);
  const Factors factors(projection.x);
  const auto left_of = [&](std::size_t row) {
    const auto k = static_cast<Eigen::Index>(row);
    return k < factors.nonzeroPivots() ? std::abs(factors.matrixQR()(k, k)) : 0.;
  };
  rank_ = 0;
  while (rank_ < loop_rows_.size() && left_of(rank_) > accuracy_.least_independent) ++rank_;
  if (rank_ < loop_rows_.size()) {
    if (hides_arms_) return NearlyDependentLoops(accuracy_);
    const Eigen::MatrixXd& rows = projection.x;
    const Eigen::MatrixXd known_to = KnownTo(projection);
    const KnownRank known =
        KnownRankOf({rows.data(), static_cast<std::size_t>(rows.size())},
                    {known_to.data(), static_cast<std::size_t>(known_to.size())},
                    static_cast<std::size_t>(rows.rows()));
    if (known.rank != static_cast<int>(rank_) || known.least < accuracy_.least_known)
      return NearlyDependentLoops(accuracy_);
  }
  LeaveOutBehindRank(factors);
  return {};
}

// x = g' - G' tau, with the same error of the entries of the rows of two bodies.
Eigen::MatrixXd RedundantRows::KnownTo(const Projection& projection) const {
  Eigen::MatrixXd known_to = Eigen::MatrixXd::Zero(projection.x.rows(), projection.x.cols());
  const auto add = [&](const JointConstraints& joint, Eigen::Index column, double error) {
    for (const int body : {joint.parent(), joint.child()}) {
      if (body != kGround) known_to.col(column).segment<kRates>(kRates * body).array() += error;
    }
  };
  for (std::size_t c = 0; c < loop_rows_.size(); ++c) {
    const auto column = static_cast<Eigen::Index>(c);
    add(constraints_[loop_rows_[c].joint], column, accuracy_.entry_known_to);
    Eigen::Index row = 0;
    for (std::size_t k = 0; k < constraints_.tree_joints(); ++k) {
      for (int i = 0; i < constraints_[k].size(); ++i, ++row)
        add(constraints_[k], column,
            accuracy_.entry_known_to * std::abs(projection.tau(row, column)));
    }
  }
  return known_to;
}

void RedundantRows::SelectAnew(std::span<const BodyMotion> bodies) {
  if (any()) LeaveOutBehindRank(Factors(Project(bodies).x));
}

void RedundantRows::LeaveOutBehindRank(const Factors& factors) {
  std::fill(left_out_.begin(), left_out_.end(), RowSet{0});
  for (auto k = static_cast<Eigen::Index>(rank_); k < factors.cols(); ++k) {
    const LoopRow& row =
        loop_rows_[static_cast<std::size_t>(factors.colsPermutation().indices()[k])];
    left_out_[row.joint] = static_cast<RowSet>(left_out_[row.joint] | 1u << row.row);
  }
}

template <class Visit>
void RedundantRows::ForLoopRows(std::span<const BodyMotion> bodies, bool accelerations,
                                Visit visit) const {
  for (std::size_t k = constraints_.tree_joints(); k < constraints_.size(); ++k) {
    const JointConstraints& joint = constraints_[k];
    ConstraintValues values;
    joint.Evaluate(MotionOf(bodies, joint.parent()), MotionOf(bodies, joint.child()), accelerations,
                   values);
    const ConstraintVector& of = accelerations ? values.acceleration : values.position;
    const ConstraintJacobian g = ScaledRows(joint, bodies, reach_);
    for (int i = 0; i < joint.size(); ++i) visit(k, i, std::abs(of[i]) / g.row(i).norm());
  }
}

int RedundantRows::Opened(std::span<const BodyMotion> bodies) const {
  if (!any()) return -1;
  int opened = -1;
  double kept = kThresholds.opened / kThresholds.opened_beside_kept *
                *std::max_element(reach_.begin(), reach_.end());
  double open = 0;
  ForLoopRows(bodies, false, [&](std::size_t k, int i, double gap) {
    if (!Holds(left_out_[k], i)) {
      kept = std::max(kept, gap);
    } else if (gap > open) {
      open = gap;
      opened = static_cast<int>(k);
    }
  });
  return open > kThresholds.opened_beside_kept * kept ? opened : -1;
}

int RedundantRows::Contradicted(std::span<const BodyMotion> bodies, double scale) const {
  if (!any()) return -1;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const BodyMotion& body = bodies[b];
    scale = std::max({scale, body.acceleration.norm(), reach_[b] * body.angular_acceleration.norm(),
                      body.velocity.squaredNorm() / reach_[b],
                      reach_[b] * body.angular_velocity.squaredNorm()});
  }
  int contradicted = -1;
  double worst = std::max(kThresholds.contradiction, accuracy_.least_independent) * scale;
  ForLoopRows(bodies, true, [&](std::size_t k, int i, double left) {
    if (!Holds(left_out_[k], i) || !(left > worst)) return;
    worst = left;
    contradicted = static_cast<int>(k);
  });
  return contradicted;
}

std::vector<std::vector<ConstraintVector>> RedundantRows::NullVectors(
    std::span<const BodyMotion> bodies) {
  std::vector<Eigen::Index> kept, dependent;
  for (std::size_t c = 0; c < loop_rows_.size(); ++c) {
    const LoopRow& row = loop_rows_[c];
    (Holds(left_out_[row.joint], row.row) ? dependent : kept)
        .push_back(static_cast<Eigen::Index>(c));
  }
  std::vector<std::vector<ConstraintVector>> null_vectors(
      dependent.size(),
      std::vector<ConstraintVector>(constraints_.size(), ConstraintVector::Zero()));
  if (dependent.empty()) return null_vectors;
  const Projection p = Project(bodies);
  // The multipliers of the tree's unit rows, then (w, -1) of each row that is left out.
  Eigen::MatrixXd vectors =
      Eigen::MatrixXd::Zero(p.tau.rows() + p.x.cols(), static_cast<Eigen::Index>(dependent.size()));
  auto loops = vectors.bottomRows(p.x.cols());
  if (!kept.empty()) {
    const Eigen::MatrixXd x = p.x(Eigen::all, kept);
    loops(kept, Eigen::all) = x.colPivHouseholderQr().solve(p.x(Eigen::all, dependent));
  }
  for (std::size_t d = 0; d < dependent.size(); ++d)
    loops(dependent[d], static_cast<Eigen::Index>(d)) = -1;
  vectors.topRows(p.tau.rows()) = p.tau * loops;
  Eigen::Index row = 0;
  for (std::size_t k = 0; k < constraints_.size(); ++k) {
    const ConstraintJacobian g = ScaledRows(constraints_[k], bodies, reach_);
    for (int i = 0; i < constraints_[k].size(); ++i, ++row) {
      for (std::size_t d = 0; d < dependent.size(); ++d)
        null_vectors[d][k][i] = vectors(row, static_cast<Eigen::Index>(d)) / g.row(i).norm();
    }
  }
  return null_vectors;
}

}  // namespace mbsbench::absolute
