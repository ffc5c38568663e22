#include "problems/model/loop_misfit.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <string>

#include "problems/model/error.h"
#include "problems/model/geometry.h"
#include "problems/model/kinematics.h"
#include "problems/model/known_rank.h"
#include "problems/model/loop_rows.h"
#include "problems/model/sparse_loop_rows.h"

namespace mbsbench {

namespace {

constexpr int kMostSteps = 50;
constexpr double kRoundOff = 1e-14;        // last places of a double, accumulated over frames
constexpr double kLeastValue = 1e-6;       // of the largest singular value
constexpr double kStepOfRoundOff = 1e-15;  // [rad or m]
constexpr double kConverges = 0.5;         // ratio of two steps
constexpr double kLastPlace = 0x1p-53;

// Per loop joint, the arms around its loop; where it has none, those of the longest loop, or `length`.
std::vector<double> ArmsAround(const SparseLoopRows& rows, double length) {
  std::vector<double> arms = rows.sizes();
  const double longest = arms.empty() ? 0 : *std::max_element(arms.begin(), arms.end());
  for (double& a : arms) {
    if (!(a > 0)) a = longest > 0 ? longest : length;
  }
  return arms;
}

std::string Text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

// The loop rows over the rates `columns`: lengths in units of the arms around their loop, slides in those of the longest.
struct ScaledRows {
  ScaledRows(const System& system, const JointState& joints, const std::vector<int>& columns,
             double length) {
    std::vector<double> units(joints.u.size(), 0.0);
    for (int c : columns) units[static_cast<std::size_t>(c)] = 1;
    const std::vector<double> arms = ArmsAround(SparseLoopRows(system, joints, units), length);
    const double longest = *std::max_element(arms.begin(), arms.end());
    std::vector<bool> slides;
    for (const Joint& joint : system.joints) {
      for (int k = 0; k < RateCount(joint.type); ++k) {
        slides.push_back(IsLength(joint.type, k));
        if (slides.back()) units[slides.size() - 1] *= longest;
      }
    }
    const SparseLoopRows rows(system, joints, units);
    const std::vector<double> entries = rows.Full();
    const auto count = static_cast<Eigen::Index>(rows.rows().size());
    matrix.resize(count, static_cast<Eigen::Index>(columns.size()));
    for (std::size_t c = 0; c < columns.size(); ++c) {
      matrix.col(static_cast<Eigen::Index>(c)) =
          Eigen::Map<const Eigen::VectorXd>(entries.data() + columns[c] * count, count);
      column_units.push_back(units[static_cast<std::size_t>(columns[c])]);
    }
    known_to = Eigen::MatrixXd::Zero(count, matrix.cols());
    for (Eigen::Index i = 0; i < count; ++i) {
      const SparseLoopRows::Row& row = rows.rows()[static_cast<std::size_t>(i)];
      const Joint& joint = system.loop_joints[row.joint];
      row_units.push_back(row.is_length ? arms[row.joint] : 1);
      matrix.row(i) /= row_units.back();
      const double magnified =
          joint.type == JointType::kDistance ? 1 + arms[row.joint] / joint.length : 1;
      for (Eigen::Index c = 0; c < matrix.cols(); ++c) {
        const auto rate = static_cast<std::size_t>(columns[static_cast<std::size_t>(c)]);
        if (matrix(i, c) == 0) continue;
        if (!slides[rate]) {
          known_to(i, c) = magnified;
        } else if (row.is_length) {
          known_to(i, c) = magnified * longest / row_units.back();
        }
      }
    }
  }

  Eigen::MatrixXd matrix;
  Eigen::MatrixXd known_to;  // errors of its entries where frames are known to 1
  std::vector<double> row_units, column_units;
};

}  // namespace

LoopMisfit LoopMisfitOf(const System& system, const JointState& joints, double length) {
  LoopMisfit misfit;
  if (system.loop_joints.empty()) return misfit;
  const std::vector<double> arms =
      ArmsAround(SparseLoopRows(system, joints, std::vector<double>(joints.u.size(), 0.0)), length);
  const std::vector<BodyState> bodies = ForwardKinematics(system, joints);
  // Slides and free joints show in the positions of the bodies.
  double farthest = 0;
  for (const BodyState& body : bodies) farthest = std::max(farthest, Norm(body.position));
  for (std::size_t j = 0; j < system.loop_joints.size(); ++j) {
    const Joint& joint = system.loop_joints[j];
    ConstraintRows rows;
    AppendConstraintRows(joint, bodies, rows);
    for (std::size_t i = 0; i < rows.position.size(); ++i) {
      const double unit = rows.is_length[i] ? arms[j] : 1;
      const double open = std::abs(rows.position[i]) / unit;
      const double terms = rows.is_length[i] ? (arms[j] + farthest + length) / arms[j] : 2;
      if (!(open <= kRoundOff * terms)) misfit.is_round_off = false;
      if (misfit.joint == nullptr || !(open <= misfit.size))
        misfit.size = open, misfit.joint = &joint;
      if (std::isnan(open)) return misfit;
    }
  }
  return misfit;
}

bool Closes(const System& system, const LoopMisfit& misfit) {
  return misfit.is_round_off || misfit.size <= system.loop_precision;
}

void RefuseMisfit(const System& system, const LoopMisfit& misfit) {
  const std::string open = "the loop of joint '" + misfit.joint->name + "' closes only to " +
                           Text(misfit.size) + " of its length";
  throw ModelError(
      system.loop_precision > 0
          ? open + ", and its stated precision is " + Text(system.loop_precision) +
                ": move the dependent coordinates nearer, check the joint, or state a coarser one."
          : open +
                ", as with rounded frames: give them with more digits, or state "
                "\"loop_precision\": " +
                Text(PrecisionFor(misfit.size)) + ".",
      ModelError::Subject::kJoint, misfit.joint->name);
}

double LeastClosingValue(const System& system) {
  return std::max(kLeastValue, kDependentPerPrecision * system.loop_precision);
}

std::vector<double> LeastClosingChange(const System& system, const JointState& joints,
                                       const std::vector<int>& columns,
                                       const std::vector<double>& residual, double length) {
  const ScaledRows rows(system, joints, columns, length);
  Eigen::VectorXd right(rows.matrix.rows());
  for (Eigen::Index i = 0; i < right.size(); ++i) {
    const auto k = static_cast<std::size_t>(i);
    right[i] = -residual[k] / rows.row_units[k];
  }
  Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors;
  factors.setThreshold(LeastClosingValue(system));
  const Eigen::VectorXd x = factors.compute(rows.matrix).solve(right);
  std::vector<double> change(columns.size());
  for (std::size_t c = 0; c < columns.size(); ++c)
    change[c] = x[static_cast<Eigen::Index>(c)] * rows.column_units[c];
  return change;
}

JointState ClosedUpToMisfit(const System& system, JointState joints,
                            const std::vector<int>& columns, double length) {
  if (columns.empty()) return joints;
  double before = 0;
  for (int step = 0; step < kMostSteps; ++step) {
    const std::vector<double> change =
        LeastClosingChange(system, joints, columns, LoopRows(system, joints).position, length);
    double largest = 0;
    for (double x : change) largest = std::max(largest, std::abs(x));
    if (!std::isfinite(largest) || largest <= kStepOfRoundOff ||
        (step > 0 && !(largest < kConverges * before)))
      break;
    std::vector<double> rates(joints.u.size(), 0.0);
    for (std::size_t c = 0; c < columns.size(); ++c)
      rates[static_cast<std::size_t>(columns[c])] = change[c];
    Advance(system, rates, joints.q);
    before = largest;
  }
  return joints;
}

LoopFreedom LoopFreedomOf(const System& system, const JointState& joints, double length) {
  constexpr double kMostWork = 1e10;
  constexpr double kVanishes = 1e-14;  // round-off of an entry
  constexpr double kMoves =
      1e-2;  // a row that moves less is small itself, however independent it is
  constexpr double kPerRemainder = 1 / 20.;  // such rows are then dependent, with a margin of 5
  constexpr double kClearly = 2;  // times the least ratio of a remainder to its error that is known
  const std::vector<bool> driven = DrivenJoints(system);
  std::vector<int> moving;
  for (std::size_t j = 0; j < system.joints.size(); ++j)
    if (!driven[j]) moving.push_back(static_cast<int>(j));
  const std::vector<int> columns = RatesOf(system, moving);
  double rows = 0;
  for (const Joint& joint : system.loop_joints) rows += ConstraintCount(joint.type);
  if (rows == 0 || columns.empty() ||
      rows * std::pow(static_cast<double>(columns.size()), 3) > kMostWork)
    return {};
  const ScaledRows scaled(system, joints, columns, length);
  LoopFreedom freedom;
  freedom.is_known = true;
  for (Eigen::Index c = 0; c < scaled.matrix.cols(); ++c)
    if (scaled.matrix.col(c).norm() > kVanishes) ++freedom.rates;
  if (freedom.rates == 0) return {};
  Eigen::MatrixXd unit_rows = scaled.matrix.transpose(), known_to = scaled.known_to.transpose();
  for (Eigen::Index i = 0; i < unit_rows.cols(); ++i) {
    const double norm = std::max(unit_rows.col(i).norm(), kMoves);
    unit_rows.col(i) /= norm;
    known_to.col(i) /= norm;
  }
  const auto rank_within = [&](double error) {
    const Eigen::MatrixXd errors = error * known_to;
    return KnownRankOf({unit_rows.data(), static_cast<std::size_t>(unit_rows.size())},
                       {errors.data(), static_cast<std::size_t>(errors.size())},
                       static_cast<std::size_t>(unit_rows.rows()));
  };
  KnownRank known =
      rank_within(std::max(kVanishes, kDependentPerPrecision * system.loop_precision));
  freedom.rates -= known.rank;
  freedom.least = std::min(1., known.remainder);
  double precision = 0;
  while (known.rank > 0 && freedom.frees == 0) {
    const double next = PrecisionFor(kPerRemainder * known.remainder);
    if (!(next > precision && next <= kMostLoopPrecision)) break;
    precision = next;
    known = rank_within(kDependentPerPrecision * precision);
    if (known.rank > 0 &&
        known.least >= kClearly * kIndependentPerPrecision / kDependentPerPrecision)
      freedom.frees = precision;
  }
  return freedom;
}

// The loops are judged about a point of the ground near them: positions about it are differences that doubles hold exactly.
FarLoops FarLoopsOf(const System& system, const JointState& joints, double length) {
  double farthest = 0;
  const Joint* on_ground = nullptr;
  for (const auto* of : {&system.loop_joints, &system.joints}) {
    for (const Joint& joint : *of) {
      if (joint.parent != kGround) continue;
      farthest = std::max(farthest, Norm(joint.parent_frame.position));
      if (on_ground == nullptr) on_ground = &joint;
    }
  }
  if (system.loop_joints.empty() || system.loop_precision > 0 || farthest == 0) return {};
  System nearby = system;
  const Vector3 origin = on_ground->parent_frame.position;
  for (auto* of : {&nearby.loop_joints, &nearby.joints}) {
    for (Joint& joint : *of) {
      if (joint.parent == kGround)
        joint.parent_frame.position = joint.parent_frame.position - origin;
    }
  }
  const std::vector<double> arms =
      ArmsAround(SparseLoopRows(nearby, joints, std::vector<double>(joints.u.size(), 0.0)), length);
  const auto shortest = std::min_element(arms.begin(), arms.end());
  const double known_to = kLastPlace * farthest / *shortest;
  if (!(known_to > kRoundOff)) return {};
  const LoopFreedom freedom = LoopFreedomOf(nearby, joints, length);
  if (!freedom.is_known || freedom.least > kIndependentPerPrecision * known_to) return {};
  return {&system.loop_joints[static_cast<std::size_t>(shortest - arms.begin())], known_to,
          std::max(freedom.frees, PrecisionFor(known_to))};
}

void RefuseFarLoops(const System& system, const JointState& joints, double length) {
  const FarLoops far = FarLoopsOf(system, joints, length);
  if (far.joint == nullptr) return;
  throw ModelError("the loop of joint '" + far.joint->name +
                       "' is so far from the origin that its positions are known to " +
                       Text(far.known_to) +
                       " of its length only, and its freedom depends on that: state positions "
                       "from an origin nearby, or \"loop_precision\": " +
                       Text(far.precision) + ".",
                   ModelError::Subject::kJoint, far.joint->name);
}

double PrecisionFor(double misfit) {
  if (!(misfit > 0)) return 0;
  const double unit = std::pow(10, std::floor(std::log10(misfit)) - 1);
  char text[32];
  std::snprintf(text, sizeof text, "%.2g", std::ceil(misfit / unit) * unit);
  return std::strtod(text, nullptr);
}

}  // namespace mbsbench
