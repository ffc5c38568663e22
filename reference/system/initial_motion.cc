#include "reference/system/initial_motion.h"

#include <algorithm>

#include "problems/model/assembly.h"
#include "problems/model/error.h"
#include "problems/model/validation.h"
#include "reference/numerics/dense.h"
#include "reference/system/constraints.h"

namespace mbsbench::extended {

namespace {

constexpr int kAssemblySteps = 60;
constexpr double kAssembled = 1e-31;
constexpr double kRedundantRow =
    1e-20;  // remaining fraction of a row's square below which it is redundant in this position

struct FrameMotion {
  Vec3 position;
  Quat orientation;
  Vec3 velocity;
  Vec3 angular_velocity;
};

FrameMotion ParentFrameMotion(const JointData& joint, const Motion& motion) {
  const FrameData& frame = joint.on_parent;
  if (joint.parent == kGround) return {frame.position, frame.orientation, {}, {}};
  const BodyMotion& b = motion[static_cast<std::size_t>(joint.parent)];
  const Vec3 arm = RotationOf(b.orientation) * frame.position;
  return {b.position + arm, b.orientation * frame.orientation,
          b.velocity + Cross(b.angular_velocity, arm), b.angular_velocity};
}

// Residuals of all loop rows, lengths divided by L.
struct LoopRows {
  std::vector<LoopRow> at;
  std::vector<Real> unit;  // L or 1
  std::vector<Real> position, velocity;
};
LoopRows LoopRowsOf(const SystemData& system, const Motion& motion, const Scales& scales) {
  const std::vector<Mat3> rotations = RotationsOf(motion);
  LoopRows loop;
  for (std::size_t j = 0; j < system.loop_joints.size(); ++j) {
    const JointRows rows = RowsOf(system.loop_joints[j], motion, rotations);
    for (std::size_t i = 0; i < rows.count; ++i) {
      const Real unit = IsLength(rows, i) ? scales.length : Real(1);
      loop.at.push_back({j, i});
      loop.unit.push_back(unit);
      loop.position.push_back(rows.position[i] / unit);
      loop.velocity.push_back(rows.velocity[i] / unit);
    }
  }
  return loop;
}

// The dependent coordinates of a mechanism with loops, moved by their rates.
class LoopCloser {
 public:
  LoopCloser(const SystemData& system, const InitialCondition& initial, const Scales& scales)
      : system_(system),
        scales_(scales),
        at_(OffsetsOf(system.model)),
        dependent_(initial.dependent_joints) {
    for (int j : dependent_) {
      for (int k = At(at_.u, j); k < At(at_.u, j + 1); ++k)
        columns_.push_back(static_cast<std::size_t>(k));
    }
  }

  // Returns the independent rows.
  std::vector<LoopRow> Close(JointNumbers& joints) {
    // While loops are open more rows are independent: they are selected again once those are closed.
    CloseIndependentRows(joints);
    const IndependentRows independent = CloseIndependentRows(joints);
    RequireKnownRank(system_, independent);
    const LoopBounds closed = BoundsOnClosedLoops(MotionOf(system_, joints), scales_);
    if (const Real left = Largest(RowsAt(joints).position); !(left < closed.position))
      RefuseStart(left);
    const std::vector<Real> change = Correction(joints, RowsAt(joints).velocity);
    for (std::size_t c = 0; c < columns_.size(); ++c) joints.u[columns_[c]] += change[c];
    const Motion motion = MotionOf(system_, joints);
    const Real unit_of_rates = UnitOfRates(motion, scales_);
    const LoopRows rows = RowsAt(joints);
    if (!(Largest(rows.velocity) < BoundsOnClosedLoops(motion, scales_).velocity)) RefuseRates();
    for (const IndependentRows::Dropped& dropped : independent.dropped) {
      const auto i =
          static_cast<std::size_t>(std::ranges::find(rows.at, dropped.at) - rows.at.begin());
      const Real may_open = dropped.may_open / rows.unit[i];
      if (Abs(rows.position[i]) > may_open) RefuseStart(Abs(rows.position[i]));
      if (Abs(rows.velocity[i]) > may_open * unit_of_rates) RefuseRates();
    }
    return independent.rows;
  }

 private:
  static int At(const std::vector<int>& offsets, int j) {
    return offsets[static_cast<std::size_t>(j)];
  }
  LoopRows RowsAt(const JointNumbers& joints) const {
    return LoopRowsOf(system_, MotionOf(system_, joints), scales_);
  }
  Real Largest(const std::vector<Real>& values) const {  // of the rows that count
    Real largest = 0;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (counts_[i]) largest = Max(largest, Abs(values[i]));
    }
    return largest;
  }
  [[noreturn]] static void RefuseStart(Real left) {
    throw ModelError("the initial state does not close the loops: a residual of " +
                     ToText(left, 3) +
                     " remains; move the dependent coordinates nearer, or check the loop joints.");
  }
  [[noreturn]] static void RefuseRates() {
    throw ModelError(
        "the initial rates do not close the loops, whatever the dependent rates: check the "
        "driving rates.");
  }

  IndependentRows SelectRows(const JointNumbers& joints) const {
    const Motion motion = MotionOf(system_, joints);
    const std::vector<Mat3> rotations = RotationsOf(motion);
    std::vector<JointRows> rows;
    for (const JointData& joint : system_.loop_joints)
      rows.push_back(RowsOf(joint, motion, rotations));
    return SelectIndependentRows(system_, motion, rotations, rows);
  }

  // Newton's method for the rows that are independent here; from now on these count.
  IndependentRows CloseIndependentRows(JointNumbers& joints) {
    IndependentRows independent = SelectRows(joints);
    counts_.clear();
    for (const LoopRow& row : RowsAt(joints).at)
      counts_.push_back(std::ranges::count(independent.rows, row) > 0);
    Real worst = Largest(RowsAt(joints).position);
    for (int step = 0; step < kAssemblySteps && worst > Real(kAssembled); ++step) {
      const JointNumbers before = joints;
      MoveBy(Correction(joints, RowsAt(joints).position), joints);
      const Real next = Largest(RowsAt(joints).position);
      if (!(next < worst)) {
        joints = before;
        break;
      }
      worst = next;
    }
    return independent;
  }

  // The least change of dependent rates (per unit time) that makes the linearised rows that count vanish. The
  // loop rows are linear in the rates, so that one sweep per unit rate gives their exact Jacobian
  // A; the change is A' (A A')^-1 (-residual).
  std::vector<Real> Correction(JointNumbers joints, const std::vector<Real>& residual) const {
    const std::size_t rows = residual.size();
    Matrix a(rows, columns_.size());
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      std::fill(joints.u.begin(), joints.u.end(), Real(0));
      joints.u[columns_[c]] = 1;
      const std::vector<Real> column = RowsAt(joints).velocity;
      for (std::size_t i = 0; i < rows; ++i) a(i, c) = counts_[i] ? column[i] : Real(0);
    }
    Matrix normal(rows, rows);
    std::vector<Real> right(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      right[i] = -residual[i];
      for (std::size_t j = 0; j < rows; ++j) {
        for (std::size_t c = 0; c < columns_.size(); ++c) normal(i, j) += a(i, c) * a(j, c);
      }
    }
    const double redundant = std::max(kRedundantRow, RoundingOf(system_) * RoundingOf(system_));
    const std::vector<Real> w =
        PivotedCholesky(std::move(normal), redundant, redundant).Solve(right);
    std::vector<Real> change(columns_.size());
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      for (std::size_t i = 0; i < rows; ++i) change[c] += a(i, c) * w[i];
    }
    return change;
  }

  void MoveBy(const std::vector<Real>& change, JointNumbers& joints) const {
    const auto rotate = [](Real* q, const Real* omega) {
      const Vec3 w{omega[0], omega[1], omega[2]};
      const Real angle = Norm(w);
      if (IsZero(angle)) return;
      const Quat r = Normalised(Quat{q[0], q[1], q[2], q[3]} * AxisAngle((1 / angle) * w, angle));
      q[0] = r.w, q[1] = r.x, q[2] = r.y, q[3] = r.z;
    };
    const Real* u = change.data();
    for (int j : dependent_) {
      const JointType type = system_.joints[static_cast<std::size_t>(j)].type;
      Real* q = joints.q.data() + At(at_.q, j);
      const std::size_t plain = AxesOf(type).size();
      for (std::size_t i = 0; i < plain; ++i) q[i] += u[i];
      if (TurnsFreely(type)) rotate(q + plain, u + plain);
      u += RateCount(type);
    }
  }

  const SystemData& system_;
  const Scales& scales_;
  JointOffsets at_;
  std::vector<int> dependent_;
  std::vector<std::size_t> columns_;
  std::vector<bool> counts_;  // per row
};

}  // namespace

JointNumbers Extend(const JointState& joints) {
  return {{joints.q.begin(), joints.q.end()}, {joints.u.begin(), joints.u.end()}};
}

Motion MotionOf(const SystemData& system, const JointNumbers& joints) {
  const JointOffsets at = OffsetsOf(system.model);
  Motion motion(system.bodies.size());
  for (int b : system.tree.order) {
    const auto j = static_cast<std::size_t>(system.tree.joint[static_cast<std::size_t>(b)]);
    const JointData& joint = system.joints[j];
    const Real* q = joints.q.data() + at.q[j];
    const Real* u = joints.u.data() + at.u[j];
    // The parent's frame, moved to the child's.
    FrameMotion c = ParentFrameMotion(joint, motion);
    const auto shift = [&c](const Vec3& displacement, const Vec3& rate) {
      const Mat3 r = RotationOf(c.orientation);
      const Vec3 arm = r * displacement;
      c.velocity = c.velocity + Cross(c.angular_velocity, arm) + r * rate;
      c.position = c.position + arm;
    };
    const auto turn = [&c](const Quat& relative, const Vec3& rate_in_child) {
      c.orientation = c.orientation * Normalised(relative);
      c.angular_velocity = c.angular_velocity + RotationOf(c.orientation) * rate_in_child;
    };
    for (const JointAxis& one : AxesOf(joint.type)) {
      const Vec3 along = one.axis == 0   ? Vec3{1, 0, 0}
                         : one.axis == 1 ? Vec3{0, 1, 0}
                                         : Vec3{0, 0, 1};
      if (one.turns) {
        turn(AxisAngle(along, *q), *u * along);
      } else {
        shift(*q * along, *u * along);
      }
      ++q, ++u;
    }
    if (TurnsFreely(joint.type)) turn({q[0], q[1], q[2], q[3]}, {u[0], u[1], u[2]});
    BodyMotion& body = motion[static_cast<std::size_t>(b)];
    body.orientation = Normalised(c.orientation * Conjugate(joint.on_child.orientation));
    body.angular_velocity = c.angular_velocity;
    const Vec3 arm = RotationOf(body.orientation) * joint.on_child.position;
    body.position = c.position - arm;
    body.velocity = c.velocity - Cross(body.angular_velocity, arm);
  }
  return motion;
}

LoopBounds BoundsOnClosedLoops(const Motion& motion, const Scales& scales) {
  constexpr double kClosed = 1e-29, kRatesClosed = 1e-27;
  constexpr double kRoundOff = 20 * 1.9e-34;  // summed around a loop
  Real farthest = 0;
  for (const BodyMotion& body : motion) farthest = Max(farthest, Norm(body.position));
  const Real round_off = Real(kRoundOff) * farthest / scales.length;
  return {Real(kClosed) + round_off,
          (Real(kRatesClosed) + round_off) * UnitOfRates(motion, scales)};
}

JointState JointsNearClosed(const SystemData& system, const InitialCondition& initial,
                            const Scales& scales) {
  if (system.model.loop_precision == 0) return initial.joints;
  return Assemble(system.model, initial, static_cast<double>(scales.length)).state.joints;
}

ClosedStart CloseAtStart(SystemData system, const InitialCondition& initial, const Scales& scales) {
  Validate(system.model, initial.joints);
  JointNumbers joints = Extend(JointsNearClosed(system, initial, scales));
  system.PlaceDriven(joints.q, joints.u);
  ClosedStart start;
  if (!system.loop_joints.empty())
    start.independent = LoopCloser(system, initial, scales).Close(joints);
  start.motion = MotionOf(system, joints);
  return start;
}

}  // namespace mbsbench::extended
