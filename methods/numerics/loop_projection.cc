#include "methods/numerics/loop_projection.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "methods/kinematics/joint_coordinates.h"
#include "methods/kinematics/tree_joint.h"
#include "methods/numerics/known_rank.h"
#include "methods/numerics/nearly_dependent_loops.h"
#include "problems/model/topology.h"

namespace mbsbench {

namespace {

constexpr int kMostSteps = 12;
constexpr double kRoundOff = 2e-15;  // of a loop's size: nothing is left to correct
constexpr double kClosed = 1e-9;     // of a loop's size: what may be left where Newton stalls
constexpr double kGoodStep = 0.05;   // a step that leaves more than this asks for new factors
constexpr int kMostRateSteps = 4;
constexpr double kMostWork = 1e8;  // multiplications to look at a rank that is full

}  // namespace

LoopProjection::LoopProjection(const System& system)
    : joint_count_(static_cast<int>(system.joints.size())), system_(LoopRowCount(system)) {
  const Topology tree = TopologyOf(system);
  const JointOffsets at = OffsetsOf(system);
  const std::vector<bool> driven = DrivenJoints(system);
  std::map<int, int> column_of_rate;
  const auto path_of = [&](int body) {  // towards the root
    std::vector<int> path;
    for (; body != kGround; body = tree.parent[At(body)]) path.push_back(body);
    return path;
  };
  int first_row = 0;
  std::size_t most_motions = 0;
  for (const Joint& joint : system.loop_joints) {
    Loop loop{LoopJoint(joint), {}, first_row, 0};
    std::vector<int> child = path_of(joint.child), parent = path_of(joint.parent);
    while (!child.empty() && !parent.empty() && child.back() == parent.back()) {
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
        Link link{on_path.type, on_path.parent_frame,  on_path.child_frame,
                  at.q[j],      at.q.back() + at.u[j], 0};
        for (int k = 0; k < RateCount(on_path.type); ++k) {
          const auto [found, is_new] =
              column_of_rate.emplace(link.u + k, static_cast<int>(columns_.size()));
          if (is_new) columns_.push_back({link.u + k, driven[j], false, {}});
          if (k == 0) link.first_column = found->second;
          columns_[At(found->second)].runs.push_back({first_row, first_row + loop.joint.size(), 0});
          ++motions;
        }
        loop.size += Norm(on_path.parent_frame.position) + Norm(on_path.child_frame.position);
        loop.sides[At(side)].push_back(link);
      }
    }
    for (int i = 0; i < loop.joint.size(); ++i) {
      length_.push_back(i < loop.joint.force_rows() ? loop.size : 0);
      // The direction of a distance is as well known as its ends are beside its length.
      magnified_.push_back(joint.type == JointType::kDistance ? 1 + loop.size / joint.length : 1);
    }
    most_motions = std::max(most_motions, motions);
    first_row += loop.joint.size();
    loops_.push_back(std::move(loop));
  }
  motions_.reserve(most_motions);
  residual_.resize(At(first_row));
  answer_ = residual_;
  jacobian_.resize(columns_.size() * At(first_row));
  change_.resize(columns_.size());
}

// The body at the end of a side, the common ancestor at rest in the inertial axes.
BodyState LoopProjection::Follow(const std::vector<Link>& side, double sign, const double* y) {
  BodyState body;  // the common ancestor
  for (const Link& link : side) {
    const double* const q = y + link.q;
    Quaternion axes = body.orientation * Normalised(link.parent_frame.orientation);
    Vector3 point = body.position + Rotate(body.orientation, link.parent_frame.position);
    // A rate along or about an axis of the frame whose direction cosines are m.
    const auto add = [&](int rate, const Matrix3& m, int axis, bool turns) {
      motions_.push_back(
          {{m(0, axis), m(1, axis), m(2, axis)}, turns, point, link.first_column + rate, sign});
      return motions_.back().axis;
    };
    ForJoint(link.type, [&](auto type) {
      using Joint = decltype(type);
      constexpr int kSlides = Joint::kSlides;
      if constexpr (kSlides > 0 || Joint::kTurning == Turning::kAboutZ) {
        const Matrix3 on_parent = DirectionCosineMatrix(axes);
        for (int k = 0; k < kSlides; ++k) {
          point = point + q[k] * add(k, on_parent, Joint::kSlideAxes[At(k)], false);
        }
        if constexpr (Joint::kTurning == Turning::kAboutZ) {
          add(kSlides, on_parent, 2, true);
          axes = axes * AxisAngle({0, 0, 1}, q[kSlides]);
        }
      }
      if constexpr (Joint::kTurnsFreely) {
        axes = axes * Quaternion{q[kSlides], q[kSlides + 1], q[kSlides + 2], q[kSlides + 3]};
        const Matrix3 on_child = DirectionCosineMatrix(axes);
        for (int k = 0; k < 3; ++k) add(kSlides + k, on_child, k, true);
      }
    });
    body.orientation = Normalised(axes * Conjugate(Normalised(link.child_frame.orientation)));
    body.position = point - Rotate(body.orientation, link.child_frame.position);
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

double LoopProjection::CalcRows(const double* y) {
  double worst = 0;
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    const Loop& loop = loops_[l];
    CalcLoop(loop, y);
    for (int i = loop.first_row; i < loop.first_row + loop.joint.size(); ++i) {
      const double left = std::abs(residual_[At(i)]) / loop.size;
      if (!(left <= worst)) {  // a residual that is not a number is worse than any
        worst = left;
        worst_loop_ = static_cast<int>(l);
      }
    }
  }
  return worst;
}

// A row that is a length is moved by turns in proportion to the loop's size, by slides not: their
// squares are compared in that size squared and 1.
void LoopProjection::SetUnits() {
  const std::span<double> units = system_.units();
  std::fill(units.begin(), units.end(), 0.0);
  std::fill(answer_.begin(), answer_.end(), 0.0);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c].driven) continue;
    const double* const column = jacobian_.data() + c * At(system_.size());
    for (const RowRun& run : columns_[c].runs) {
      for (int i = run.begin; i < run.end; ++i) {
        const double square = column[i] * column[i], length = length_[At(i)];
        units[At(i)] += square;
        answer_[At(i)] += length > 0 && columns_[c].turns ? square / (length * length) : square;
      }
    }
  }
  for (std::size_t i = 0; i < units.size(); ++i)
    units[i] = answer_[i] > 0 ? units[i] / answer_[i] : 1;
}

void LoopProjection::Factorise() {
  system_.ClearMatrix();
  SetUnits();
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    if (columns_[c].driven) continue;
    const double* const column = jacobian_.data() + c * At(system_.size());
    AddProducts<1>(std::span<const RowRun>(columns_[c].runs), column, column, system_.size(),
                   system_.matrix().data());
  }
  system_.Factorise();
}

// rates = -J' (J J')^-1 residual, J without driven columns
void LoopProjection::Correct(std::span<const double> residual, std::span<double> rates) {
  std::copy(residual.begin(), residual.end(), system_.right_side().begin());
  system_.Solve(0);
  for (std::size_t c = 0; c < columns_.size(); ++c) {
    const double* const column = jacobian_.data() + c * At(system_.size());
    double sum = 0;
    if (columns_[c].driven) {
      rates[c] = 0;
      continue;
    }
    for (const RowRun& run : columns_[c].runs) {
      for (int i = run.begin; i < run.end; ++i) sum -= column[i] * system_.solution()[At(i)];
    }
    rates[c] = sum;
  }
}

void LoopProjection::Advance(std::span<const double> rates, double* y) const {
  for (std::size_t l = 0; l < loops_.size(); ++l) {
    for (const std::vector<Link>& side : loops_[l].sides) {
      for (const Link& link : side) {
        // A joint that several loops share is moved by the first of them.
        if (RateCount(link.type) == 0 ||
            columns_[At(link.first_column)].runs.front().begin != loops_[l].first_row) {
          continue;
        }
        AdvanceJoint(link.type, rates.data() + link.first_column, y + link.q);
      }
    }
  }
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
          known_to(at, i) = kEntryKnownTo * magnified_[At(i)];
        } else if (length > 0) {
          known_to(at, i) = kEntryKnownTo * magnified_[At(i)] * unit / length;
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
  return KnownRankOf(std::move(rows), known_to);
}

Status LoopProjection::Project(std::span<double> y) {
  double left = CalcRows(y.data());
  bool factors_are_stale = true;
  // Newton, with factors kept while steps are good
  for (int step = 0; step < kMostSteps && left > kRoundOff; ++step) {
    if (factors_are_stale) Factorise();
    Correct(residual_, change_);
    Advance(change_, y.data());
    const double before = left;
    left = CalcRows(y.data());
    if (!(left < before)) break;  // round-off, or no way to close
    factors_are_stale = left > kGoodStep * before;
  }
  if (!(left <= kClosed)) {
    return {Status::Code::kSingular, joint_count_ + worst_loop_, -1,
            "the joint's loop cannot be closed from here"};
  }
  if (factors_are_stale) Factorise();
  // J u, by the Jacobian at the projected position; a repetition makes up for older factors.
  double largest = std::numeric_limits<double>::infinity();
  for (int step = 0; step < kMostRateSteps; ++step) {
    std::fill(residual_.begin(), residual_.end(), 0.0);
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      const double* const column = jacobian_.data() + c * At(system_.size());
      const double u = y[At(columns_[c].u)];
      for (const RowRun& run : columns_[c].runs) {
        for (int i = run.begin; i < run.end; ++i) residual_[At(i)] += column[i] * u;
      }
    }
    double now = 0;
    for (double r : residual_) now = std::max(now, std::abs(r));
    if (!(now < largest)) break;
    largest = now;
    Correct(residual_, change_);
    for (std::size_t c = 0; c < columns_.size(); ++c) y[At(columns_[c].u)] += change_[c];
  }
  return {};
}

Status CheckLoopRank(const System& system, std::span<const double> y, int rank) {
  // Round-off makes rows independent too, so a full rank has to be that of the geometry; where nobody would wait for the
  // answer it is believed.
  const double rows = LoopRowCount(system), rates = static_cast<double>(y.size()) / 2;
  if (rank == LoopRowCount(system) && rows * rows * rates > kMostWork) return {};
  const KnownRank known = LoopProjection(system).Rank(y);
  return known.rank <= rank && known.least > kLeastKnown ? Status() : NearlyDependentLoops();
}

}  // namespace mbsbench
