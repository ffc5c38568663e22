#include "problems/model/rough_assembly.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <utility>

#include "problems/model/error.h"
#include "problems/model/geometry.h"
#include "problems/model/loop_misfit.h"
#include "problems/model/loop_rows.h"
#include "problems/model/sparse_loop_rows.h"
#include "problems/model/validation.h"

namespace mbsbench {

namespace {

constexpr int kIterations = 100;
constexpr int kHalvings = 20;
constexpr double kLongestStep = 0.3;  // of a coordinate in one iteration [L or rad]
constexpr double kClosed = 1e-14;     // residual; a few units of round-off
constexpr double kNearlyClosed = 1e-11;
constexpr double kFarthest = 1;  // a guess further off is an error of the file [L or rad]
constexpr double kOther = 1e-3;  // two positions further apart are two solutions [L or rad]
constexpr double kAsNear = 1.5;  // ratio of distances from the guess that counts as about as near
constexpr double kDependent = 1e-10;  // pivot of a column that depends on others
// Newton's method stops about the root of round-off short of a singular position.
constexpr double kSingular = 1e-6;
constexpr double kClearly =
    1e-3;  // a singular value along which loops certainly close, of the largest
// As in assembly: rows x rows x columns from which the sparse form of the rows is cheaper, and the least singular value of rows
// of unit length that shows none to depend on others.
constexpr double kMuchWork = 1e6, kPlainlyIndependent = 1e-6;

std::string Text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

// One search: lengths in units of L, so that a slide by L and a turn by a radian weigh the same.
class Closure {
 public:
  Closure(const System& system, double length) : system_(system), length_(length) {
    for (const Joint& joint : system.joints) {
      for (int k = 0; k < RateCount(joint.type); ++k)
        unit_.push_back(IsLength(joint.type, k) ? length : 1);
    }
  }

  Eigen::VectorXd Residuals(const JointState& joints) const {
    const ConstraintRows rows = LoopRows(system_, joints);
    Eigen::VectorXd r(static_cast<Eigen::Index>(rows.position.size()));
    for (Eigen::Index i = 0; i < r.size(); ++i) {
      const auto k = static_cast<std::size_t>(i);
      r[i] = rows.position[k] / (rows.is_length[k] ? length_ : 1);
    }
    return r;
  }
  double Worst(const JointState& joints) const {
    return Residuals(joints).lpNorm<Eigen::Infinity>();
  }
  // From now on moves along larger singular values only, relative to the largest.
  void MoveAlong(double least_value) { least_value_ = least_value; }

  bool IsClosed(const JointState& joints) const {
    return system_.loop_precision > 0 ? Closes(system_, LoopMisfitOf(system_, joints, length_))
                                      : Worst(joints) < kNearlyClosed;
  }
  // Index of the loop joint with the largest residual.
  const Joint& WorstJoint(const JointState& joints) const {
    const Eigen::VectorXd r = Residuals(joints);
    Eigen::Index worst = 0, end = 0;
    r.cwiseAbs().maxCoeff(&worst);
    for (const Joint& joint : system_.loop_joints) {
      end += ConstraintCount(joint.type);
      if (worst < end) return joint;
    }
    return system_.loop_joints.back();
  }

  Eigen::MatrixXd Jacobian(const JointState& joints, const std::vector<int>& columns) const {
    return InFull(RowsOver(joints, columns), columns);
  }

  // The least change of the rates `columns` that closes the loops to first order; `r`: their residuals.
  Eigen::VectorXd Step(const JointState& joints, const std::vector<int>& columns,
                       const Eigen::VectorXd& r) const {
    SparseLoopRows rows = RowsOver(joints, columns);
    if (static_cast<double>(r.size() * r.size()) * static_cast<double>(columns.size()) >
        kMuchWork) {
      if (const std::optional<Eigen::VectorXd> step = SparseStep(rows, columns, r)) return *step;
    }
    Eigen::CompleteOrthogonalDecomposition<Eigen::MatrixXd> factors;
    factors.setThreshold(std::max(least_value_, LeastClosingValue(system_)));
    return factors.compute(InFull(rows, columns)).solve(-r);
  }

  JointState Moved(const JointState& from, const std::vector<int>& columns,
                   const Eigen::VectorXd& step) const {
    std::vector<double> rates(from.u.size(), 0.0);
    for (Eigen::Index c = 0; c < step.size(); ++c) {
      const auto u = static_cast<std::size_t>(columns[static_cast<std::size_t>(c)]);
      rates[u] = step[c] * unit_[u];
    }
    JointState to = from;
    Advance(system_, rates, to.q);
    return to;
  }

  // Moves `joints` until the loops are closed or nothing gets better; returns the iterations.
  int Close(const std::vector<int>& columns, JointState& joints) const {
    int iterations = 0;
    Eigen::VectorXd r = Residuals(joints);
    while (iterations < kIterations && r.lpNorm<Eigen::Infinity>() > kClosed) {
      Eigen::VectorXd step = Step(joints, columns, r);
      const double longest = step.lpNorm<Eigen::Infinity>();
      if (!std::isfinite(longest)) break;
      if (longest > kLongestStep) step *= kLongestStep / longest;
      bool better = false;
      for (int k = 0; k < kHalvings && !better; ++k, step /= 2) {
        const JointState next = Moved(joints, columns, step);
        const Eigen::VectorXd at_next = Residuals(next);
        better = at_next.norm() < r.norm();
        if (better) {
          joints = next;
          r = at_next;
        }
      }
      if (!better) break;
      ++iterations;
    }
    return iterations;
  }

  // Largest change of a coordinate, and the joint that has it [L or rad].
  double Distance(const JointState& a, const JointState& b, const Joint** which = nullptr) const {
    double farthest = 0;
    std::size_t at = 0;
    const auto see = [&](double distance, const Joint& joint) {
      if (!(distance > farthest)) return;
      farthest = distance;
      if (which != nullptr) *which = &joint;
    };
    for (const Joint& joint : system_.joints) {
      const std::size_t plain = AxesOf(joint.type).size();
      for (std::size_t i = 0; i < plain; ++i) {
        const double unit = IsLength(joint.type, static_cast<int>(i)) ? length_ : 1;
        see(std::abs(a.q[at + i] - b.q[at + i]) / unit, joint);
      }
      if (TurnsFreely(joint.type)) {
        const auto turn = [at = at + plain](const JointState& s) {
          return Quaternion{s.q[at], s.q[at + 1], s.q[at + 2], s.q[at + 3]};
        };
        see(AngleBetween(turn(a), turn(b)), joint);
      }
      at += static_cast<std::size_t>(CoordinateCount(joint.type));
    }
    return farthest;
  }

 private:
  SparseLoopRows RowsOver(const JointState& joints, const std::vector<int>& columns) const {
    std::vector<double> units(unit_.size(), 0.0);
    for (int c : columns) units[static_cast<std::size_t>(c)] = unit_[static_cast<std::size_t>(c)];
    return {system_, joints, std::move(units)};
  }

  Eigen::MatrixXd InFull(const SparseLoopRows& rows, const std::vector<int>& columns) const {
    const std::vector<double> entries = rows.Full();
    const auto count = static_cast<Eigen::Index>(rows.rows().size());
    Eigen::MatrixXd g(count, static_cast<Eigen::Index>(columns.size()));
    for (Eigen::Index c = 0; c < g.cols(); ++c) {
      g.col(c) = Eigen::Map<const Eigen::VectorXd>(
          entries.data() + columns[static_cast<std::size_t>(c)] * count, count);
    }
    for (Eigen::Index i = 0; i < count; ++i) {
      if (rows.rows()[static_cast<std::size_t>(i)].is_length) g.row(i) /= length_;
    }
    return g;
  }

  // Empty if rows may be dependent.
  std::optional<Eigen::VectorXd> SparseStep(SparseLoopRows& rows, const std::vector<int>& columns,
                                            const Eigen::VectorXd& r) const {
    std::vector<double> row_units, wanted;
    for (const SparseLoopRows::Row& row : rows.rows()) {
      if (!(row.length > 0)) return std::nullopt;
      row_units.push_back(1 / row.length);
      wanted.push_back(-r[static_cast<Eigen::Index>(wanted.size())] * row_units.back() *
                       (row.is_length ? length_ : 1));
    }
    if (!rows.Factorise(row_units) || !(rows.LeastSingularValue() > kPlainlyIndependent))
      return std::nullopt;
    const std::vector<double> rates = rows.LeastRates(wanted);
    Eigen::VectorXd step(static_cast<Eigen::Index>(columns.size()));
    for (Eigen::Index c = 0; c < step.size(); ++c) {
      const auto u = static_cast<std::size_t>(columns[static_cast<std::size_t>(c)]);
      step[c] = rates[u] / unit_[u];
    }
    return step;
  }

  const System& system_;
  double length_;
  std::vector<double> unit_;  // per rate
  double least_value_ = 0;
};

double DependentBelow(const System& system) {
  return std::max(kDependent, kDependentPerPrecision * system.loop_precision);
}

// Joints whose coordinates follow from the others' through the loops: the columns with the largest
// pivots, joint by joint.
std::vector<int> DependentAmong(const System& system, const std::vector<int>& joints,
                                const Eigen::MatrixXd& jacobian) {
  const double dependent_below = DependentBelow(system);
  const Eigen::ColPivHouseholderQR<Eigen::MatrixXd> qr(jacobian);
  std::vector<int> joint_of;
  for (int j : joints) {
    const int n = RateCount(system.joints[static_cast<std::size_t>(j)].type);
    joint_of.insert(joint_of.end(), static_cast<std::size_t>(n), j);
  }
  std::vector<int> dependent;
  for (Eigen::Index k = 0; k < qr.nonzeroPivots(); ++k) {
    if (std::abs(qr.matrixQR()(k, k)) <= dependent_below) break;
    const int column = static_cast<int>(qr.colsPermutation().indices()[k]);
    dependent.push_back(joint_of[static_cast<std::size_t>(column)]);
  }
  std::sort(dependent.begin(), dependent.end());
  dependent.erase(std::unique(dependent.begin(), dependent.end()), dependent.end());
  return dependent;
}

// Tree joints that no driver holds.
std::vector<int> JointsThatMove(const System& system) {
  const std::vector<bool> driven = DrivenJoints(system);
  std::vector<int> moving;
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    if (!driven[j] && RateCount(system.joints[j].type) > 0) moving.push_back(static_cast<int>(j));
  }
  return moving;
}

// A small gap that closes far away closes where rounded frames happen to agree: along a singular value that is hardly one.
bool RanAlongFreedom(const Closure& closure, const JointState& from, const JointState& to) {
  constexpr double kFar = 1e-3;  // [L or rad]
  const double moved = closure.Distance(from, to);
  return moved > kFar && closure.Worst(from) < kClearly * moved;
}

// The precision of frames that show to be rounded, by the misfit of the loops or, if this vanishes by chance, by constraints that
// differ from others by last digits, perhaps of positions far from the origin: too little to be known to count, too much for
// round-off. Else 0.
double RoundingOf(const System& system, const JointState& closed, double length,
                  const LoopMisfit& misfit) {
  constexpr double kUnknown = 1e-11;  // remainder of a row of unit length
  if (!misfit.is_round_off) return misfit.size <= kMostRounding ? PrecisionFor(misfit.size) : 0;
  const LoopFreedom freedom = LoopFreedomOf(system, closed, length);
  return freedom.least < kUnknown ? freedom.frees : FarLoopsOf(system, closed, length).precision;
}

// Another position that closes the loops, about as near to the guess as `closed`, of what the rates
// `columns` move; searched from the mirror image of `closed` in the guess and from points about it.
std::optional<JointState> OtherPosition(const Closure& closure, const std::vector<int>& columns,
                                        const JointState& guess, const JointState& closed,
                                        double distance) {
  const double radius = std::max(2 * distance, kOther);
  const auto n = static_cast<Eigen::Index>(columns.size());
  constexpr Eigen::Index kMostProbed = 12;  // coordinates; each costs two searches
  for (Eigen::Index c = 0; c < std::min(n, kMostProbed); ++c) {
    for (double sign : {1.0, -1.0}) {
      Eigen::VectorXd step = Eigen::VectorXd::Zero(n);
      step[c] = sign * radius;
      JointState other = closure.Moved(guess, columns, step);
      closure.Close(columns, other);
      if (closure.IsClosed(other) && closure.Distance(other, closed) > kOther &&
          closure.Distance(other, guess) < kAsNear * distance) {
        return other;
      }
    }
  }
  return std::nullopt;
}

}  // namespace

std::optional<SystemState> CloseLoops(const System& system, const JointState& near, double length) {
  const std::vector<int> moving = JointsThatMove(system);
  const Closure closure(system, length);
  InitialCondition closed{near, moving};
  closure.Close(RatesOf(system, moving), closed.joints);
  if (!closure.IsClosed(closed.joints)) return std::nullopt;
  try {
    return Assemble(system, closed, length).state;
  } catch (const ModelError&) {  // the rates cannot be made consistent
    return std::nullopt;
  }
}

RoughAssembly AssembleFromGuess(const System& given, const InitialCondition& guess, double length,
                                Rounding rounding) {
  Validate(given, guess.joints);
  RoughAssembly result;
  result.closed = guess;
  result.loop_precision = given.loop_precision;
  if (given.loop_joints.empty()) return result;

  System system = given;
  Closure closure(system, length);
  result.residual_before = result.residual = closure.Worst(guess.joints);
  std::vector<int> moving = guess.dependent_joints;
  result.chose_dependent = moving.empty();
  if (moving.empty()) moving = JointsThatMove(system);

  JointState& joints = result.closed.joints;
  result.iterations = closure.Close(RatesOf(system, moving), joints);
  if (rounding == Rounding::kTaken && system.loop_precision == 0 &&
      RanAlongFreedom(closure, guess.joints, joints)) {
    joints = guess.joints;
    closure.MoveAlong(kClearly);
    result.iterations = closure.Close(RatesOf(system, moving), joints);
  }
  const double left = closure.Worst(joints);
  const std::string from = "the guess has a residual of " + Text(result.residual_before) + " L";
  const LoopMisfit misfit = LoopMisfitOf(system, joints, length);
  if (rounding == Rounding::kTaken && system.loop_precision == 0)
    result.loop_precision = system.loop_precision = RoundingOf(system, joints, length, misfit);
  if (!Closes(system, misfit)) {
    if (system.loop_precision > 0 ||
        misfit.size <= (rounding == Rounding::kTaken ? kMostRounding : kMostLoopPrecision))
      RefuseMisfit(system, misfit);
    const Joint& open = closure.WorstJoint(joints);
    throw ModelError(
        from + ", and after " + std::to_string(result.iterations) +
            " iterations of Newton's method one of " + Text(left) + " L remains at loop joint '" +
            open.name + "': " +
            (result.chose_dependent
                 ? "no position near the guess closes the loops; check lengths and frames, or "
                   "state "
                   "their precision if they are rounded."
                 : "the joints marked dependent do not close the loops; check lengths and frames "
                   "(rounded ones take 7 digits), or mark other joints or none."),
        ModelError::Subject::kJoint, open.name);
  }
  const Joint* which = nullptr;
  result.farthest = closure.Distance(joints, guess.joints, &which);
  if (result.farthest > kFarthest) {
    throw ModelError(from + ", and closing the loops would move joint '" + which->name + "' by " +
                         Text(result.farthest) +
                         " rad or L (allowed: 1): that may be another position than the intended "
                         "one; guess nearer.",
                     ModelError::Subject::kJoint, which->name);
  }

  Eigen::MatrixXd jacobian = closure.Jacobian(joints, RatesOf(system, moving));
  if (result.chose_dependent) {
    result.closed.dependent_joints = DependentAmong(system, moving, jacobian);
    jacobian = closure.Jacobian(joints, RatesOf(system, result.closed.dependent_joints));
  }
  const std::vector<int> columns = RatesOf(system, result.closed.dependent_joints);
  if (result.farthest > 0 && jacobian.cols() > 0) {
    const Eigen::VectorXd sizes = jacobian.jacobiSvd().singularValues();
    const auto singular = [&](double size) {
      return size < kSingular * sizes[0] && size > DependentBelow(system) * sizes[0];
    };
    if (std::any_of(sizes.begin(), sizes.end(), singular)) {
      throw ModelError(from +
                       ", and the loops close only at a singular position, from which the "
                       "mechanism can continue in several ways: move an independent coordinate.");
    }
    const bool isolated =
        sizes.size() == jacobian.cols() && sizes.minCoeff() > kSingular * sizes[0];
    JointState start = joints;  // the guess, with the independent coordinates already moved
    const JointOffsets at = OffsetsOf(system);
    for (int j : result.closed.dependent_joints) {
      const auto i = static_cast<std::size_t>(j);
      std::copy(guess.joints.q.begin() + at.q[i], guess.joints.q.begin() + at.q[i + 1],
                start.q.begin() + at.q[i]);
    }
    if (const auto other = isolated
                               ? OtherPosition(closure, columns, start, joints, result.farthest)
                               : std::nullopt) {
      closure.Distance(*other, joints, &which);
      throw ModelError(from +
                           ", and two positions about as near to it close the loops; they differ "
                           "most in joint '" +
                           which->name + "': guess nearer to the intended one.",
                       ModelError::Subject::kJoint, which->name);
    }
  }
  joints =
      Assemble(system, result.closed, length).state.joints;  // to the last digit, and the rates
  result.residual = closure.Worst(joints);
  return result;
}

}  // namespace mbsbench
