#include "problems/model/assembly.h"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>

#include "problems/model/error.h"
#include "problems/model/kinematics.h"
#include "problems/model/loop_misfit.h"
#include "problems/model/loop_rows.h"
#include "problems/model/sparse_loop_rows.h"
#include "problems/model/validation.h"

namespace mbsbench {

namespace {

constexpr int kNewtonSteps = 50;
constexpr double kClosed = 1e-14;            // of `length`; a few units of round-off
constexpr double kLargestCorrection = 1e-3;  // of `length`, or rad

constexpr double kClosedRates = 1e-9;  // of the largest speed in the system
// Rows that depend on others up to this multiple of the precision keep such a part of a rate.
constexpr double kRatesPerPrecision = 100;
// Rows x rows x columns of a full Jacobian from which its sparse form is cheaper.
constexpr double kMuchWork = 1e6;
// Least singular value of rows of unit length above which they are clearly independent.
constexpr double kPlainlyIndependent = 1e-6;

std::string Text(double value) {
  char text[32];
  std::snprintf(text, sizeof text, "%.3g", value);
  return text;
}

// Largest residual of the loops and the loop joint that has it; lengths are divided by `length`.
struct Worst {
  double residual = 0;
  const Joint* joint = nullptr;
};
enum class Level { kPosition, kVelocity };
Worst WorstOf(const System& system, const std::vector<BodyState>& bodies, double length,
              Level level) {
  Worst worst;
  for (const Joint& joint : system.loop_joints) {
    ConstraintRows rows;
    AppendConstraintRows(joint, bodies, rows);
    const std::vector<double>& values = level == Level::kPosition ? rows.position : rows.velocity;
    for (std::size_t i = 0; i < values.size(); ++i) {
      const double residual = std::abs(values[i]) / (rows.is_length[i] ? length : 1);
      // NaN is worse than any residual.
      if (worst.joint == nullptr || !(residual <= worst.residual)) worst = {residual, &joint};
      if (std::isnan(residual)) return worst;
    }
  }
  return worst;
}

// The rows of a joint without free rotation also vanish at half a turn.
void RefuseTurnedJoints(const System& system, const std::vector<BodyState>& bodies) {
  const auto axes_of = [&bodies](const Frame& frame, int body) {
    return body == kGround ? frame.orientation
                           : bodies[static_cast<std::size_t>(body)].orientation * frame.orientation;
  };
  for (const Joint& joint : system.loop_joints) {
    if (joint.type != JointType::kPrismatic && joint.type != JointType::kFixed) continue;
    if (AngleBetween(axes_of(joint.parent_frame, joint.parent),
                     axes_of(joint.child_frame, joint.child)) > M_PI / 2) {
      throw ModelError("the initial state closes loop joint '" + joint.name +
                           "' with its two frames half a turn apart: turn one of them.",
                       ModelError::Subject::kJoint, joint.name);
    }
  }
}

// The largest speed of a body [1/s], lengths divided by `length`.
double LargestRate(const std::vector<BodyState>& bodies, double length) {
  double rate = 0;
  for (const BodyState& b : bodies) {
    rate = std::max({rate, Norm(b.velocity) / length, Norm(b.angular_velocity)});
  }
  return rate;
}

// LeastChange by the sparse form of the rows; empty if rows may be dependent.
std::optional<Eigen::VectorXd> SparseLeastChange(const System& system, const JointState& joints,
                                                 const std::vector<int>& columns,
                                                 const std::vector<double>& residual) {
  std::vector<double> units(joints.u.size());
  for (int c : columns) units[static_cast<std::size_t>(c)] = 1;
  SparseLoopRows rows(system, joints, std::move(units));
  std::vector<double> row_units;
  for (const SparseLoopRows::Row& row : rows.rows()) {
    if (!(row.length > 0)) return std::nullopt;
    row_units.push_back(1 / row.length);
  }
  if (!rows.Factorise(row_units) || !(rows.LeastSingularValue() > kPlainlyIndependent))
    return std::nullopt;
  JointState changed = joints;
  std::fill(changed.u.begin(), changed.u.end(), 0.0);
  std::vector<double> left = residual;
  for (int pass = 0; pass < 2; ++pass) {  // the second compensates for round-off
    for (std::size_t i = 0; i < left.size(); ++i) left[i] *= -row_units[i];
    const std::vector<double> rates = rows.LeastRates(left);
    for (std::size_t k = 0; k < rates.size(); ++k) changed.u[k] += rates[k];
    left = LoopRows(system, changed).velocity;
    for (std::size_t i = 0; i < left.size(); ++i) left[i] += residual[i];
  }
  Eigen::VectorXd change(static_cast<Eigen::Index>(columns.size()));
  for (std::size_t c = 0; c < columns.size(); ++c)
    change[static_cast<Eigen::Index>(c)] = changed.u[static_cast<std::size_t>(columns[c])];
  return change;
}

// The least change of the rates `columns` that changes the loop rows by -residual.
Eigen::VectorXd LeastChange(const System& system, const JointState& joints,
                            const std::vector<int>& columns, const std::vector<double>& residual) {
  const double count = static_cast<double>(residual.size());
  if (count * count * static_cast<double>(columns.size()) > kMuchWork) {
    if (std::optional<Eigen::VectorXd> change =
            SparseLeastChange(system, joints, columns, residual))
      return *change;
  }
  const std::vector<double> jacobian = LoopJacobian(system, joints, columns);
  const auto rows = static_cast<Eigen::Index>(residual.size());
  return Eigen::Map<const Eigen::MatrixXd>(jacobian.data(), rows,
                                           static_cast<Eigen::Index>(columns.size()))
      .completeOrthogonalDecomposition()
      .solve(-Eigen::Map<const Eigen::VectorXd>(residual.data(), rows));
}

// Moves the rates `columns` until the loops are closed to round-off or get no better. Returns the sum of the changes.
Eigen::VectorXd CloseExactly(const System& system, const std::vector<int>& columns, double length,
                             JointState& joints) {
  const auto residual = [&] {
    return WorstOf(system, ForwardKinematics(system, joints), length, Level::kPosition).residual;
  };
  Eigen::VectorXd moved = Eigen::VectorXd::Zero(static_cast<Eigen::Index>(columns.size()));
  double worst = residual();
  for (int step = 0; step < kNewtonSteps && worst > kClosed && !columns.empty(); ++step) {
    const Eigen::VectorXd delta =
        LeastChange(system, joints, columns, LoopRows(system, joints).position);
    const std::vector<double> before = joints.q;
    std::vector<double> rates(joints.u.size(), 0.0);
    for (Eigen::Index c = 0; c < delta.size(); ++c) {
      rates[static_cast<std::size_t>(columns[static_cast<std::size_t>(c)])] = delta[c];
    }
    Advance(system, rates, joints.q);
    const double next = residual();
    if (!(next < worst)) {  // round-off floor, or no progress
      joints.q = before;
      break;
    }
    moved += delta;
    worst = next;
  }
  return moved;
}

Eigen::VectorXd ToVector(const std::vector<double>& x) {
  return Eigen::Map<const Eigen::VectorXd>(x.data(), static_cast<Eigen::Index>(x.size()));
}

// The change of the coordinates that the rates `columns` move; of a free rotation, its angle.
Eigen::VectorXd ChangeOf(const System& system, const std::vector<int>& columns,
                         const JointState& before, const JointState& after) {
  std::vector<double> all;
  std::size_t at = 0;
  for (const Joint& joint : system.joints) {
    const std::size_t plain = AxesOf(joint.type).size();
    for (std::size_t i = 0; i < plain; ++i) all.push_back(after.q[at + i] - before.q[at + i]);
    if (TurnsFreely(joint.type)) {
      const auto turn = [&](const JointState& s) {
        return Quaternion{s.q[at + plain], s.q[at + plain + 1], s.q[at + plain + 2],
                          s.q[at + plain + 3]};
      };
      all.insert(all.end(), 3, AngleBetween(turn(before), turn(after)));
    }
    at += static_cast<std::size_t>(CoordinateCount(joint.type));
  }
  std::vector<double> change;
  for (int c : columns) change.push_back(all[static_cast<std::size_t>(c)]);
  return ToVector(change);
}

// A coordinate that moved by more than is allowed, and by how much.
struct TooFar {
  const Joint* joint = nullptr;
  double moved = 0, allowed = 0;
  bool is_length = false;
};
TooFar MovedTooFar(const System& system, const std::vector<int>& columns,
                   const Eigen::VectorXd& moved, double length) {
  const JointOffsets at = OffsetsOf(system);
  for (Eigen::Index c = 0; c < moved.size(); ++c) {
    const int rate = columns[static_cast<std::size_t>(c)];
    const auto after = std::upper_bound(at.u.begin(), at.u.end(), rate);
    const auto j = static_cast<std::size_t>(after - at.u.begin() - 1);
    const Joint& joint = system.joints[j];
    const bool is_length = IsLength(joint.type, rate - at.u[j]);
    const double allowed = kLargestCorrection * (is_length ? length : 1);
    if (!(std::abs(moved[c]) <= allowed)) return {&joint, std::abs(moved[c]), allowed, is_length};
  }
  return {};
}

// Loops that do not close, or only far away, may have rounded frames: these close up to a small misfit nearby.
void RefuseRoundedLoops(const System& system, const JointState& start,
                        const std::vector<int>& columns, double length) {
  const JointState nearby = ClosedUpToMisfit(system, start, columns, length);
  const Eigen::VectorXd moved = ChangeOf(system, columns, start, nearby);
  if (MovedTooFar(system, columns, moved, length).joint != nullptr) return;
  const LoopMisfit misfit = LoopMisfitOf(system, nearby, length);
  if (!misfit.is_round_off && misfit.size <= kMostLoopPrecision) RefuseMisfit(system, misfit);
}

}  // namespace

Assembly Assemble(const System& system, const InitialCondition& initial, double length) {
  Validate(system, initial.joints);
  Assembly assembly;
  JointState& joints = assembly.state.joints;
  joints = initial.joints;

  if (!system.loop_joints.empty()) {
    const std::vector<int> columns = RatesOf(system, initial.dependent_joints);
    const bool is_rounded = system.loop_precision > 0;
    Eigen::VectorXd moved;
    if (is_rounded) {
      joints = ClosedUpToMisfit(system, std::move(joints), columns, length);
      if (const LoopMisfit misfit = LoopMisfitOf(system, joints, length); !Closes(system, misfit))
        RefuseMisfit(system, misfit);
      moved = ChangeOf(system, columns, initial.joints, joints);
    } else {
      moved = CloseExactly(system, columns, length, joints);
      const bool is_round_off = LoopMisfitOf(system, joints, length).is_round_off;
      if (!is_round_off || MovedTooFar(system, columns, moved, length).joint != nullptr)
        RefuseRoundedLoops(system, initial.joints, columns, length);
      const Worst open =
          WorstOf(system, ForwardKinematics(system, joints), length, Level::kPosition);
      if (!is_round_off && !(open.residual < 1e-11)) {
        throw ModelError(
            "the initial state does not close loop joint '" + open.joint->name +
                "': a residual of " + Text(open.residual) +
                " L remains; move the dependent coordinates nearer, or check the joint (rounded "
                "frames take 7 digits).",
            ModelError::Subject::kJoint, open.joint->name);
      }
      RefuseFarLoops(system, joints, length);
    }
    // Given and computed rates: the former are the scale if the latter are round-off.
    double largest_rate = LargestRate(ForwardKinematics(system, joints), length);
    if (!columns.empty()) {
      assembly.largest_position_correction = moved.cwiseAbs().maxCoeff();
      if (const TooFar far = MovedTooFar(system, columns, moved, length); far.joint != nullptr) {
        throw ModelError("closing the loops would move joint '" + far.joint->name + "' by " +
                             Text(far.moved) + (far.is_length ? " m" : " rad") + " (allowed: " +
                             Text(far.allowed) + (far.is_length ? ", 1e-3 of the length L" : "") +
                             "): the initial state is inconsistent; rough guesses are "
                             "assembled by 'mbsbench check FILE --assemble'.",
                         ModelError::Subject::kJoint, far.joint->name);
      }
      const std::vector<double> rate_residual = LoopRows(system, joints).velocity;
      const Eigen::VectorXd delta =
          is_rounded ? ToVector(LeastClosingChange(system, joints, columns, rate_residual, length))
                     : LeastChange(system, joints, columns, rate_residual);
      for (Eigen::Index c = 0; c < delta.size(); ++c) {
        joints.u[static_cast<std::size_t>(columns[static_cast<std::size_t>(c)])] += delta[c];
      }
      assembly.largest_velocity_correction = delta.cwiseAbs().maxCoeff();
    }
    const std::vector<BodyState> bodies = ForwardKinematics(system, joints);
    RefuseTurnedJoints(system, bodies);
    const Worst rate = WorstOf(system, bodies, length, Level::kVelocity);
    largest_rate = std::max(largest_rate, LargestRate(bodies, length));
    const double allowed = std::max(kClosedRates, kRatesPerPrecision * system.loop_precision);
    if (!(rate.residual <= allowed * largest_rate)) {
      throw ModelError("the initial rates break loop joint '" + rate.joint->name +
                           "', and the dependent joints cannot correct it: a residual of " +
                           Text(rate.residual) + " L/s remains; the initial state is inconsistent.",
                       ModelError::Subject::kJoint, rate.joint->name);
    }
  }
  assembly.state.bodies = ForwardKinematics(system, joints);
  return assembly;
}

}  // namespace mbsbench
