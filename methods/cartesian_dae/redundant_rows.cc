#include "methods/cartesian_dae/redundant_rows.h"

#include <algorithm>
#include <cmath>

#include "methods/cartesian_dae/sparse_lu.h"

namespace mbsbench::cartesian {

namespace {

// What is left of a row of length 1. Redundant rows leave 1e-15; a row that is far below this and not
// redundant belongs to a position so near to a singular one that its multiplier has no digits.
constexpr double kDependent = 1e-10;
// Entries of a null vector (whose largest are about 1) that are round-off, or what is left of the
// closure errors of a state from an integration.
constexpr double kUntouched = 1e-6;
// Gaps of rows left out, beside the reach of the largest body and beside those of the rows kept: more
// than any tolerance leaves.
constexpr double kOpen = 1e-3, kOpenBesideKept = 10;

const BodyMotion& Motion(std::span<const BodyMotion> bodies, int body) {
  static const BodyMotion ground = BodyMotion::Ground();
  return body == kGround ? ground : bodies[static_cast<std::size_t>(body)];
}

// Per body the largest distance of a joint's point from the mass centre; where all joints sit in it,
// the largest of the system.
std::vector<double> ReachOf(const System& system) {
  std::vector<double> reach(system.bodies.size());
  double largest = 0;
  const auto add = [&](int body, const Vector3& point) {
    if (body == kGround) return;
    double& of_body = reach[static_cast<std::size_t>(body)];
    of_body = std::max(of_body, Norm(point));
    largest = std::max(largest, of_body);
  };
  for (const auto* joints : {&system.joints, &system.loop_joints}) {
    for (const Joint& joint : *joints) {
      add(joint.parent, joint.parent_frame.position);
      add(joint.child, joint.child_frame.position);
    }
  }
  for (double& of_body : reach) {
    if (of_body == 0) of_body = largest > 0 ? largest : 1;
  }
  return reach;
}

}  // namespace

RedundantRows::RedundantRows(const System& system, const std::vector<JointLink>& links)
    : links_(links),
      tree_links_(system.joints.size()),
      reach_(ReachOf(system)),
      left_out_(links.size(), 0) {
  for (std::size_t k = tree_links_; k < links.size(); ++k) {
    for (int i = 0; i < links[k].constraints.size(); ++i) loop_rows_.push_back({k, i});
  }
  if (loop_rows_.empty()) return;
  size_ = kRates * static_cast<int>(system.bodies.size());
  std::vector<Entry> entries;
  for (int i = 0; i < size_; ++i) entries.push_back({i, i});
  for (std::size_t k = 0; k < tree_links_; ++k) {
    link_at_.push_back(size_);
    VisitLink(links[k], size_, ConstraintJacobian::Zero(), [&entries](int row, int column, double) {
      entries.push_back({row, column});
    });
    size_ += links[k].constraints.size();
  }
  matrix_ = Compress(size_, entries);
  lu_ = std::make_unique<SparseLu>(matrix_.pattern.column_start, matrix_.pattern.row);
}

RedundantRows::~RedundantRows() = default;

ConstraintJacobian RedundantRows::ScaledRows(const JointLink& link,
                                             std::span<const BodyMotion> bodies) const {
  ConstraintJacobian g = JacobianOf(link, Motion(bodies, link.parent), Motion(bodies, link.child));
  for (const int side : {0, 1}) {
    const int body = side == 0 ? link.parent : link.child;
    if (body == kGround) {
      g.middleCols<kRates>(kRates * side).setZero();
    } else {
      g.middleCols<3>(kRates * side + 3) /= reach_[static_cast<std::size_t>(body)];
    }
  }
  return g;
}

ConstraintJacobian RedundantRows::UnitRows(const JointLink& link,
                                           std::span<const BodyMotion> bodies) const {
  ConstraintJacobian g = ScaledRows(link, bodies);
  for (int i = 0; i < link.constraints.size(); ++i) g.row(i).normalize();
  return g;
}

RedundantRows::Projection RedundantRows::Project(std::span<const BodyMotion> bodies) {
  const int motions = kRates * static_cast<int>(bodies.size());
  std::vector<double> values(matrix_.pattern.row.size(), 0.0);
  std::size_t entry = 0;
  const auto put = [&](int, int, double value) {
    values[static_cast<std::size_t>(matrix_.place[entry++])] = value;
  };
  for (int i = 0; i < motions; ++i) put(i, i, 1);
  for (std::size_t k = 0; k < tree_links_; ++k)
    VisitLink(links_[k], link_at_[k], UnitRows(links_[k], bodies), put);
  const auto columns = static_cast<Eigen::Index>(loop_rows_.size());
  Projection projection{Eigen::MatrixXd::Zero(motions, columns),
                        Eigen::MatrixXd::Zero(size_ - motions, columns)};
  // The tree's rows are independent at every state: no failure to be expected.
  if (lu_->Factorise(values) >= 0) return projection;
  std::vector<double> right(static_cast<std::size_t>(size_));
  for (Eigen::Index c = 0; c < columns; ++c) {
    const LoopRow& at = loop_rows_[static_cast<std::size_t>(c)];
    const JointLink& link = links_[at.link];
    std::fill(right.begin(), right.end(), 0.0);
    const ConstraintJacobian g = UnitRows(link, bodies);
    for (int side : {0, 1}) {
      const int body = side == 0 ? link.parent : link.child;
      if (body == kGround) continue;
      for (int j = 0; j < kRates; ++j)
        right[static_cast<std::size_t>(kRates * body + j)] += g(at.row, kRates * side + j);
    }
    lu_->Solve(right);
    const Eigen::Map<Eigen::VectorXd> solution(right.data(), size_);
    projection.x.col(c) = solution.head(motions);
    projection.tau.col(c) = solution.tail(size_ - motions);
  }
  return projection;
}

void RedundantRows::Select(std::span<const BodyMotion> bodies) {
  if (loop_rows_.empty()) return;
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(Project(bodies).x);
  Eigen::Index rank = 0;
  while (rank < qr.nonzeroPivots() && std::abs(qr.matrixQR()(rank, rank)) > kDependent) ++rank;
  std::fill(left_out_.begin(), left_out_.end(), RowSet{0});
  for (Eigen::Index k = rank; k < qr.cols(); ++k) {
    const LoopRow& row = loop_rows_[static_cast<std::size_t>(qr.colsPermutation().indices()[k])];
    left_out_[row.link] = static_cast<RowSet>(left_out_[row.link] | 1u << row.row);
  }
}

int RedundantRows::Opened(std::span<const BodyMotion> bodies) const {
  if (std::all_of(left_out_.begin(), left_out_.end(), [](RowSet rows) { return rows == 0; }))
    return -1;
  int link = -1;
  double kept = kOpen / kOpenBesideKept * *std::max_element(reach_.begin(), reach_.end());
  double open = 0;
  for (std::size_t k = tree_links_; k < links_.size(); ++k) {
    ConstraintValues values;
    links_[k].constraints.Evaluate(Motion(bodies, links_[k].parent),
                                   Motion(bodies, links_[k].child), false, values);
    const ConstraintJacobian g = ScaledRows(links_[k], bodies);
    for (int i = 0; i < links_[k].constraints.size(); ++i) {
      const double gap = std::abs(values.position[i]) / g.row(i).norm();
      if (!Holds(left_out_[k], i)) {
        kept = std::max(kept, gap);
      } else if (gap > open) {
        open = gap;
        link = static_cast<int>(k);
      }
    }
  }
  return open > kOpenBesideKept * kept ? link : -1;
}

std::vector<bool> RedundantRows::DeterminedReactions(std::span<const BodyMotion> bodies) {
  std::vector<bool> determined(links_.size(), true);
  std::vector<Eigen::Index> kept, dependent;
  for (std::size_t c = 0; c < loop_rows_.size(); ++c) {
    const LoopRow& row = loop_rows_[c];
    (Holds(left_out_[row.link], row.row) ? dependent : kept)
        .push_back(static_cast<Eigen::Index>(c));
  }
  if (dependent.empty()) return determined;
  const Projection p = Project(bodies);
  // (w, -1) of each row that is left out, and the multipliers of the tree that go with it.
  Eigen::MatrixXd null_vectors =
      Eigen::MatrixXd::Zero(p.x.cols(), static_cast<Eigen::Index>(dependent.size()));
  if (!kept.empty()) {
    const Eigen::MatrixXd x = p.x(Eigen::all, kept);
    null_vectors(kept, Eigen::all) = x.colPivHouseholderQr().solve(p.x(Eigen::all, dependent));
  }
  for (std::size_t d = 0; d < dependent.size(); ++d)
    null_vectors(dependent[d], static_cast<Eigen::Index>(d)) = -1;
  const Eigen::MatrixXd tree = p.tau * null_vectors;
  const auto touched = [](const auto& rows) {
    return rows.size() > 0 && rows.cwiseAbs().maxCoeff() > kUntouched;
  };
  const int motions = kRates * static_cast<int>(bodies.size());
  for (std::size_t k = 0; k < tree_links_; ++k) {
    if (touched(tree.middleRows(link_at_[k] - motions, links_[k].constraints.size())))
      determined[k] = false;
  }
  for (std::size_t c = 0; c < loop_rows_.size(); ++c) {
    if (touched(null_vectors.row(static_cast<Eigen::Index>(c))))
      determined[loop_rows_[c].link] = false;
  }
  return determined;
}

}  // namespace mbsbench::cartesian
