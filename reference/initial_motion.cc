#include "reference/initial_motion.h"

#include <algorithm>

#include "problems/model/error.h"
#include "problems/model/validation.h"
#include "reference/constraints.h"
#include "reference/dense.h"

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

// Residuals of all loop rows.
struct LoopRows {
  std::vector<Real> position, velocity;
};
LoopRows LoopRowsOf(const SystemData& system, const JointNumbers& joints) {
  const Motion motion = MotionOf(system, joints);
  const std::vector<Mat3> rotations = RotationsOf(motion);
  LoopRows loop;
  for (const JointData& joint : system.loop_joints) {
    const JointRows rows = RowsOf(joint, motion, rotations);
    for (std::size_t i = 0; i < rows.count; ++i) {
      loop.position.push_back(rows.position[i]);
      loop.velocity.push_back(rows.velocity[i]);
    }
  }
  return loop;
}

// The dependent coordinates of a mechanism with loops, moved by their rates.
class LoopCloser {
 public:
  LoopCloser(const SystemData& system, const InitialCondition& initial)
      : system_(system), at_(OffsetsOf(system.model)), dependent_(initial.dependent_joints) {
    for (int j : dependent_) {
      for (int k = At(at_.u, j); k < At(at_.u, j + 1); ++k)
        columns_.push_back(static_cast<std::size_t>(k));
    }
  }

  void Close(JointNumbers& joints) const {
    Real worst = Largest(LoopRowsOf(system_, joints).position);
    for (int step = 0; step < kAssemblySteps && worst > Real(kAssembled); ++step) {
      const JointNumbers before = joints;
      MoveBy(Correction(joints, LoopRowsOf(system_, joints).position), joints);
      const Real next = Largest(LoopRowsOf(system_, joints).position);
      if (!(next < worst)) {
        joints = before;
        break;
      }
      worst = next;
    }
    if (!(worst < Real(1e-29))) {
      throw ModelError(
          "the initial state does not close the loops: a residual of " + ToText(worst, 3) +
          " remains; move the dependent coordinates nearer, or check the loop joints.");
    }
    const std::vector<Real> change = Correction(joints, LoopRowsOf(system_, joints).velocity);
    for (std::size_t c = 0; c < columns_.size(); ++c) joints.u[columns_[c]] += change[c];
    if (!(Largest(LoopRowsOf(system_, joints).velocity) < Real(1e-27))) {
      throw ModelError(
          "the initial rates do not close the loops, whatever the dependent rates: check the "
          "driving rates.");
    }
  }

 private:
  static int At(const std::vector<int>& offsets, int j) {
    return offsets[static_cast<std::size_t>(j)];
  }
  static Real Largest(const std::vector<Real>& values) {
    Real largest = 0;
    for (Real v : values) largest = Max(largest, Abs(v));
    return largest;
  }

  // The least change of dependent rates (per unit time) that makes the linearised rows vanish. The
  // loop rows are linear in the rates, so that one sweep per unit rate gives their exact Jacobian
  // A; the change is A' (A A')^-1 (-residual).
  std::vector<Real> Correction(JointNumbers joints, const std::vector<Real>& residual) const {
    const std::size_t rows = residual.size();
    Matrix a(rows, columns_.size());
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      std::fill(joints.u.begin(), joints.u.end(), Real(0));
      joints.u[columns_[c]] = 1;
      const std::vector<Real> column = LoopRowsOf(system_, joints).velocity;
      for (std::size_t i = 0; i < rows; ++i) a(i, c) = column[i];
    }
    Matrix normal(rows, rows);
    std::vector<Real> right(rows);
    for (std::size_t i = 0; i < rows; ++i) {
      right[i] = -residual[i];
      for (std::size_t j = 0; j < rows; ++j) {
        for (std::size_t c = 0; c < columns_.size(); ++c) normal(i, j) += a(i, c) * a(j, c);
      }
    }
    const std::vector<Real> w =
        PivotedCholesky(std::move(normal), kRedundantRow, kRedundantRow).Solve(right);
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
  JointOffsets at_;
  std::vector<int> dependent_;
  std::vector<std::size_t> columns_;
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

Motion InitialMotion(SystemData system, const InitialCondition& initial) {
  Validate(system.model, initial.joints);
  JointNumbers joints = Extend(initial.joints);
  system.PlaceDriven(joints.q, joints.u);
  if (!system.loop_joints.empty()) LoopCloser(system, initial).Close(joints);
  return MotionOf(system, joints);
}

}  // namespace mbsbench::extended
