#include "methods/loops/loop_projection.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "methods/kinematics/joint_coordinates.h"
#include "methods/kinematics/joint_placement.h"
#include "methods/kinematics/reach.h"
#include "methods/loops/loop_corrections.h"
#include "methods/loops/mass_metric.h"
#include "methods/loops/nearly_dependent_loops.h"
#include "methods/loops/whole_response.h"
#include "methods/thresholds/thresholds.h"
#include "problems/model/known_rank.h"
#include "problems/model/topology.h"

namespace mbsbench {

namespace {

constexpr int kMostSteps = 12;
// Gaps relative to the size of a loop; products of directions have the size 1.
constexpr double kRoundOff = 2e-15;  // converged
constexpr double kStalled = 1e-12;   // above this Newton did not end at round-off
constexpr double kNoLength =
    1e-15;                          // of the largest reach: a loop of this size has none of its own
constexpr double kGoodStep = 0.05;  // new factors after a step that leaves more than this
constexpr int kMostRateSteps = 4;
constexpr double kNowhere = std::numeric_limits<double>::infinity();
// The factors are renewed if the old ones would change a rate by more than this fraction of the
// largest rate.
constexpr double kWeighedAlike = 1e-12;
constexpr double kRateRoundOff = 4e-16;  // of the largest summand of J u
constexpr double kMostWork = 1e8;        // multiplications to check a full rank

}  // namespace

LoopProjection::LoopProjection(const System& system, UseOfElimination elimination)
    : joint_count_(static_cast<int>(system.joints.size())),
      accuracy_(system),
      system_(LoopRowCount(system), accuracy_),
      metric_(std::make_unique<MassMetric>(system)) {
  const Topology tree = TopologyOf(system);
  const JointOffsets at = OffsetsOf(system);
  const std::vector<bool> driven = DrivenJoints(system);
  const WholeResponse whole(system);
  const double reach = std::ranges::max(ReachOf(system));
  column_of_rate_.assign(At(at.u.back()), -1);
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    if (!driven[j]) coordinates_.push_back({system.joints[j].type, at.q[j], at.u[j]});
  }
  const auto path_of = [&](int body) {  // towards the root
    std::vector<int> path;
    for (; body != kGround; body = tree.parent[At(body)]) path.push_back(body);
    return path;
  };
  int first_row = 0;
  std::size_t most_motions = 0, most_stops = 0;
  for (const Joint& joint : system.loop_joints) {
    Loop loop{LoopJoint(joint), {}, {}, first_row, 0};
    const auto first_column = [&](int body) {  // of its joint; marks all as moved by this loop
      const auto j = At(tree.joint[At(body)]);
      for (int k = 0; k < RateCount(system.joints[j].type); ++k) {
        int& column = column_of_rate_[At(at.u[j] + k)];
        if (column < 0) {
          column = static_cast<int>(columns_.size());
          columns_.push_back({at.q.back() + at.u[j] + k, driven[j], false, {}});
        }
        columns_[At(column)].runs.push_back({first_row, first_row + loop.joint.size(), 0});
      }
      return RateCount(system.joints[j].type) > 0 ? column_of_rate_[At(at.u[j])] : 0;
    };
    std::vector<int> child = path_of(joint.child), parent = path_of(joint.parent), common;
    while (!child.empty() && !parent.empty() && child.back() == parent.back()) {
      common.insert(common.begin(), child.back());
      child.pop_back();
      parent.pop_back();
    }
    loop.size = Norm(joint.parent_frame.position) + Norm(joint.child_frame.position) + joint.length;
    std::size_t motions = 0;
    for (int side : {0, 1}) {
      const std::vector<int>& path = side == 0 ? child : parent;
      for (auto body = path.rbegin(); body != path.rend(); ++body) {
        const auto j = At(tree.joint[At(*body)]);
        const Joint& on_path = system.joints[j];
        loop.sides[At(side)].push_back({on_path.type, on_path.parent_frame, on_path.child_frame,
                                        at.q[j], first_column(*body)});
        motions += At(RateCount(on_path.type));
        loop.size += Norm(on_path.parent_frame.position) + Norm(on_path.child_frame.position);
      }
    }
    if (loop.size <= kNoLength * reach) loop.size = reach;
    const int branches = static_cast<int>(child.size() + parent.size());
    const auto append = [&loop, branches](const std::vector<int>& path, int after) {
      for (std::size_t i = 0; i < path.size(); ++i) {
        const int next = static_cast<int>(loop.path.size()) + 1;
        loop.path.push_back({path[i], i + 1 < path.size() ? next : after});
      }
    };
    append(child, common.empty() ? -1 : branches);
    append(parent, common.empty() ? -1 : branches);
    append(common, -1);
    for (int body : common) first_column(body);
    for (int i = 0; i < loop.joint.size(); ++i) {
      const bool is_length = i < loop.joint.force_rows();
      length_.push_back(is_length ? loop.size : 0);
      system_.units()[At(first_row + i)] = is_length ? whole.OfForce() : whole.OfMoment();
      // The error of a distance's direction is that of its ends relative to its length.
      magnified_.push_back(joint.type == JointType::kDistance ? 1 + loop.size / joint.length : 1);
    }
    most_motions = std::max(most_motions, motions);
    most_stops = std::max(most_stops, loop.path.size());
    first_row += loop.joint.size();
    loops_.push_back(std::move(loop));
  }
  motions_.reserve(most_motions);
  metric_->Reserve(most_stops);
  residual_.resize(At(first_row));
  std::vector<double> sizes;
  for (const Loop& loop : loops_) sizes.push_back(loop.size);
  corrections_ = std::make_unique<LoopCorrections>(system, sizes, elimination);
  if (!corrections_->is_wanted()) corrections_.reset();
  if (!corrections_) ReserveColumns();
  answers_.resize(column_of_rate_.size());
  change_ = answers_;
  start_.resize(At(at.q.back()));
}

LoopProjection::~LoopProjection() = default;

// The body at the end of a side, the common ancestor at rest in the inertial axes.
BodyState LoopProjection::Follow(const std::vector<Link>& side, double sign, const double* y) {
  BodyState body;  // the common ancestor
  for (const Link& link : side) {
    const PlacedChild placed =
        PlaceChild(link.type, link.parent_frame, link.child_frame, body.position, body.orientation,
                   y + link.q, [&](int k, const Vector3& axis, bool turns, const Vector3& point) {
                     motions_.push_back({axis, turns, point, link.first_column + k, sign});
                   });
    body.position = placed.position;
    body.orientation = placed.orientation;
  }
  return body;
}

void LoopProjection::CalcLoop(const Loop& loop, const double* y) {
  motions_.clear();
  const BodyState child = Follow(loop.sides[0], 1, y);
  const BodyState parent = Follow(loop.sides[1], -1, y);
  std::array<LoopRow, LoopJoint::kMostRows> rows;
  const Vector3 point = loop.joint.CalcRows(parent, child, rows.data());
  const int size = system_.size();
  for (int i = 0; i < loop.joint.size(); ++i) {
    residual_[At(loop.first_row + i)] = rows[At(i)].position;
  }
  for (const RateMotion& motion : motions_) {
    columns_[At(motion.column)].turns = motion.turns;
    double* const column = jacobian_.data() + At(motion.column) * At(size) + loop.first_row;
    const Vector3 slide = motion.turns ? Cross(motion.axis, point - motion.point) : motion.axis;
    for (int i = 0; i < loop.joint.size(); ++i) {
      const LoopRow& row = rows[At(i)];
      const double turned = motion.turns ? Dot(row.moment, motion.axis) : 0;
      column[i] = motion.sign * (Dot(row.force, slide) + turned);
    }
  }
}

void LoopProjection::ReserveColumns() {
  jacobian_.resize(columns_.size() * residual_.size());
  reduced_.resize(jacobian_.size());
}

double LoopProjection::CalcRows(const double* y) {
  if (jacobian_.empty()) ReserveColumns();
  double worst = 0;
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    const Loop& loop = loops_[l];
    CalcLoop(loop, y);
    for (int i = loop.first_row; i < loop.first_row + loop.joint.size(); ++i) {
      const double unit = length_[At(i)] > 0 ? length_[At(i)] : 1;
      const double left = std::abs(residual_[At(i)]) / unit;
      if (!(left <= worst)) {  // NaN is worse than any residual
        worst = left;
        worst_loop_ = static_cast<int>(l);
      }
    }
  }
  return worst;
}

void LoopProjection::Factorise(const double* y, double gap) {
  metric_->Set(y);
  const auto at = [this](std::vector<double>& numbers, int rate, int row) {
    return numbers.data() + At(column_of_rate_[At(rate)]) * At(system_.size()) + row;
  };
  for (const Loop& loop : loops_) {
    metric_->Reduce(
        loop.path, loop.joint.size(),
        [&](int rate) -> const double* { return at(jacobian_, rate, loop.first_row); },
        [&](int rate) { return at(reduced_, rate, loop.first_row); });
  }
  system_.ClearMatrix();
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c].driven) continue;
    const double* const column = reduced_.data() + c * At(system_.size());
    AddProducts<1>(std::span<const RowRun>(columns_[c].runs), column, column, system_.size(),
                   system_.matrix().data());
  }
  system_.Factorise(gap);
}

// rates = -B' (B J') (J M^-1 J')^-1 residual, J without driven columns
void LoopProjection::Correct(std::span<const double> residual, std::span<double> rates) {
  std::copy(residual.begin(), residual.end(), system_.right_side().begin());
  system_.Solve(0);
  for (std::size_t u = 0; u < answers_.size(); ++u) {
    answers_[u] = 0;
    if (column_of_rate_[u] < 0) continue;
    const Column& moved = columns_[At(column_of_rate_[u])];
    if (moved.driven) continue;
    const double* const column = reduced_.data() + At(column_of_rate_[u]) * At(system_.size());
    for (const RowRun& run : moved.runs) {
      for (int i = run.begin; i < run.end; ++i)
        answers_[u] -= column[i] * system_.solution()[At(i)];
    }
  }
  metric_->Return(answers_, rates);
}

KnownRank LoopProjection::Rank(std::span<const double> y) {
  CalcRows(y.data());
  double size = 0;
  for (const Loop& loop : loops_) size = std::max(size, loop.size);
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(columns_.size()),
                                               static_cast<Eigen::Index>(system_.size()));
  Eigen::MatrixXd known_to = rows;
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c].driven) continue;
    const double* const column = jacobian_.data() + c * At(system_.size());
    const double unit = columns_[c].turns ? 1 : size;
    for (const RowRun& run : columns_[c].runs) {
      for (int i = run.begin; i < run.end; ++i) {
        const double length = length_[At(i)];
        const auto at = static_cast<Eigen::Index>(c);
        rows(at, i) = column[i] / (length > 0 ? length : 1) * unit;
        if (columns_[c].turns) {
          known_to(at, i) = accuracy_.entry_known_to * magnified_[At(i)];
        } else if (length > 0) {
          known_to(at, i) = accuracy_.entry_known_to * magnified_[At(i)] * unit / length;
        }
      }
    }
  }
  for (Eigen::Index i = 0; i < rows.cols(); ++i) {
    const double norm = rows.col(i).norm();
    if (!(norm > 0)) continue;
    rows.col(i) /= norm;
    known_to.col(i) /= norm;
  }
  return KnownRankOf({rows.data(), static_cast<std::size_t>(rows.size())},
                     {known_to.data(), static_cast<std::size_t>(known_to.size())},
                     static_cast<std::size_t>(rows.rows()));
}

// Newton's method, with factors kept while steps are good.
double LoopProjection::Close(double* y, bool compares_closely) {
  double left = CalcRows(y);
  factorised_at_ = kNowhere;
  for (int step = 0; step < kMostSteps && left > kRoundOff; ++step) {
    if (factorised_at_ == kNowhere) {
      Factorise(y, compares_closely ? left : 1);
      factorised_at_ = left;
    }
    Correct(residual_, change_);
    for (const Coordinates& joint : coordinates_)
      AdvanceJoint(joint.type, change_.data() + joint.u, y + joint.q);
    const double before = left;
    left = CalcRows(y);
    if (!(left < before)) break;  // round-off, or no way to close
    if (left > kGoodStep * before) factorised_at_ = kNowhere;
  }
  return left;
}

// As Project, with new factors for each correction.
bool LoopProjection::ProjectWhereLoopsMeet(std::span<double> y) {
  double left = corrections_->CalcRows(y.data());
  factorised_at_ = kNowhere;
  for (int step = 0; step < kMostSteps && left > kRoundOff; ++step) {
    if (factorised_at_ == kNowhere) {
      corrections_->SetMetric(*metric_, y.data());
      factorised_at_ = left;
    }
    if (!corrections_->Correct(*metric_, corrections_->gaps(), change_)) return false;
    for (const Coordinates& joint : coordinates_)
      AdvanceJoint(joint.type, change_.data() + joint.u, y.data() + joint.q);
    const double before = left;
    left = corrections_->CalcRows(y.data());
    if (!(left < before)) break;
    if (left > kGoodStep * before) factorised_at_ = kNowhere;
  }
  if (!(left <= kStalled)) return false;
  double largest = std::numeric_limits<double>::infinity();
  for (int step = 0; step < kMostRateSteps; ++step) {
    double now = 0;
    for (double rate : corrections_->gap_rates()) now = std::max(now, std::abs(rate));
    if (!(now < largest) || now <= kRateRoundOff * corrections_->largest_rate()) break;
    largest = now;
    if (step == 0 && factorised_at_ * now > kWeighedAlike * corrections_->largest_rate())
      corrections_->SetMetric(*metric_, y.data());
    if (!corrections_->Correct(*metric_, corrections_->gap_rates(), change_)) return false;
    for (std::size_t i = 0; i < change_.size(); ++i) y[start_.size() + i] += change_[i];
    corrections_->CalcRows(y.data());
  }
  return true;
}

Status LoopProjection::Project(std::span<double> y) {
  std::copy_n(y.begin(), start_.size(), start_.begin());
  if (corrections_) {
    start_rates_.assign(y.begin() + static_cast<std::ptrdiff_t>(start_.size()), y.end());
    if (ProjectWhereLoopsMeet(y)) return {};
    std::copy(start_.begin(), start_.end(), y.begin());
    std::copy(start_rates_.begin(), start_rates_.end(),
              y.begin() + static_cast<std::ptrdiff_t>(start_.size()));
  }
  bool compares_closely = false;
  // Rows that depend on others stay open by the rounding of their frames.
  const double rounding = accuracy_.is_rounded ? accuracy_.entry_known_to : 0;
  double left = Close(y.data(), compares_closely);
  if (!(left <= std::max(kStalled, rounding))) {  // nearly dependent rows may have been left out
    std::copy(start_.begin(), start_.end(), y.begin());
    compares_closely = true;
    left = Close(y.data(), compares_closely);
  }
  if (!(left <= std::max(kThresholds.open_loop, rounding))) {
    return {Status::Code::kSingular, joint_count_ + worst_loop_, -1,
            "the joint's loop cannot be closed from here"};
  }
  // J u, by the Jacobian at the projected position; a repetition compensates for round-off, and for factors that were
  // kept.
  double largest = std::numeric_limits<double>::infinity();
  for (int step = 0; step < kMostRateSteps; ++step) {
    std::fill(residual_.begin(), residual_.end(), 0.0);
    double summand = 0;  // the largest
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const double* const column = jacobian_.data() + c * At(system_.size());
      const double u = y[At(columns_[c].u)];
      for (const RowRun& run : columns_[c].runs) {
        for (int i = run.begin; i < run.end; ++i) {
          residual_[At(i)] += column[i] * u;
          summand = std::max(summand, std::abs(column[i] * u));
        }
      }
    }
    double now = 0;
    for (double r : residual_) now = std::max(now, std::abs(r));
    if (!(now < largest) || now <= kRateRoundOff * summand) break;
    largest = now;
    if (step == 0 && factorised_at_ * now > kWeighedAlike * summand)
      Factorise(y.data(), compares_closely ? left : 1);
    Correct(residual_, change_);
    for (std::size_t i = 0; i < change_.size(); ++i) y[start_.size() + i] += change_[i];
  }
  return {};
}

Status CheckLoopRank(const System& system, std::span<const double> y, int rank) {
  // Round-off can make rows independent, so a full rank has to agree with that of the geometry; if the check would take
  // too long, the rank is accepted.
  const double rows = LoopRowCount(system), rates = static_cast<double>(y.size()) / 2;
  if (rank == LoopRowCount(system) && rows * rows * rates > kMostWork) return {};
  const KnownRank known = LoopProjection(system).Rank(y);
  const RowAccuracy accuracy(system);
  return known.rank <= rank && known.least > accuracy.least_known ? Status()
                                                                  : NearlyDependentLoops(accuracy);
}

}  // namespace mbsbench
