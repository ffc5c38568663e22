#include "methods/cartesian_dae/redundant_rows.h"

#include <algorithm>

#include "methods/cartesian_dae/sparse_lu.h"

namespace mbsbench::cartesian {

namespace {

// Of the largest pivot of X. Redundant rows leave 1e-15 of it; a row that is far below this and not
// redundant belongs to a position so near to a singular one that its multiplier has no digits.
constexpr double kDependent = 1e-10;
// Entries of a null vector (whose largest are about 1) that are round-off, or what is left of the
// closure errors of a state from an integration.
constexpr double kUntouched = 1e-6;

}  // namespace

RedundantRows::RedundantRows(std::size_t bodies, const std::vector<JointLink>& links,
                             std::size_t tree_links)
    : links_(links), tree_links_(tree_links), left_out_(links.size(), 0) {
  for (std::size_t k = tree_links; k < links.size(); ++k) {
    for (int i = 0; i < links[k].constraints.size(); ++i) loop_rows_.push_back({k, i});
  }
  if (loop_rows_.empty()) return;
  size_ = kRates * static_cast<int>(bodies);
  std::vector<Entry> entries;
  for (int i = 0; i < size_; ++i) entries.push_back({i, i});
  for (std::size_t k = 0; k < tree_links; ++k) {
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

RedundantRows::Projection RedundantRows::Project(std::span<const BodyMotion> bodies) {
  const BodyMotion ground = BodyMotion::Ground();
  const auto motion = [&](int body) -> const BodyMotion& {
    return body == kGround ? ground : bodies[static_cast<std::size_t>(body)];
  };
  const auto jacobian = [&](const JointLink& link) {
    return JacobianOf(link, motion(link.parent), motion(link.child));
  };
  const int motions = kRates * static_cast<int>(bodies.size());
  std::vector<double> values(matrix_.pattern.row.size(), 0.0);
  std::size_t entry = 0;
  const auto put = [&](int, int, double value) {
    values[static_cast<std::size_t>(matrix_.place[entry++])] = value;
  };
  for (int i = 0; i < motions; ++i) put(i, i, 1);
  for (std::size_t k = 0; k < tree_links_; ++k)
    VisitLink(links_[k], link_at_[k], jacobian(links_[k]), put);
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
    const ConstraintJacobian g = jacobian(link);
    for (int side : {0, 1}) {
      const int body = side == 0 ? link.parent : link.child;
      if (body == kGround) continue;
      for (int j = 0; j < kRates; ++j)
        right[static_cast<std::size_t>(kRates * body + j)] += g(at.row, kRates * side + j);
    }
    const Eigen::Map<Eigen::VectorXd> solution(right.data(), size_);
    const double norm = solution.norm();
    lu_->Solve(right);
    projection.x.col(c) = solution.head(motions) / norm;
    projection.tau.col(c) = solution.tail(size_ - motions) / norm;
  }
  return projection;
}

void RedundantRows::Select(std::span<const BodyMotion> bodies) {
  if (loop_rows_.empty()) return;
  Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(Project(bodies).x);
  qr.setThreshold(kDependent);
  std::fill(left_out_.begin(), left_out_.end(), RowSet{0});
  for (Eigen::Index k = qr.rank(); k < qr.cols(); ++k) {
    const LoopRow& row = loop_rows_[static_cast<std::size_t>(qr.colsPermutation().indices()[k])];
    left_out_[row.link] = static_cast<RowSet>(left_out_[row.link] | 1u << row.row);
  }
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
  const Eigen::MatrixXd x = p.x(Eigen::all, kept);
  const Eigen::MatrixXd w = x.colPivHouseholderQr().solve(p.x(Eigen::all, dependent));
  // (w, -1) of each row that is left out, and the multipliers of the tree that go with it.
  Eigen::MatrixXd null_vectors = Eigen::MatrixXd::Zero(p.x.cols(), w.cols());
  null_vectors(kept, Eigen::all) = w;
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
