#include "problems/model/conserved_momenta.h"

#include <algorithm>
#include <cmath>
#include <string_view>

#include "problems/model/eigen.h"

namespace mbsbench {

namespace {

using Eigen::Vector3d;
using Vector6d = Eigen::Matrix<double, 6, 1>;

constexpr double kNegligible = 1e-10;  // of directions and places of joints

// What acts from the ground.
struct ActsFromGround : FieldVisitor {
  void Body(std::string_view, int) { on_bodies = true; }
  void BodyOrGround(std::string_view, int body) { on_bodies |= body == kGround; }
  void Joint(int joint) { joints.push_back(joint); }
  bool on_bodies = false;
  std::vector<int> joints = {};
};

bool IsOnGround(const Joint& joint) { return joint.parent == kGround || joint.child == kGround; }
const Frame& FrameOnGround(const Joint& joint) {
  return joint.parent == kGround ? joint.parent_frame : joint.child_frame;
}

// Rigid motions (omega, v / length), with the velocity v of the inertial origin.
class RigidMotions {
 public:
  explicit RigidMotions(double length) : length_(length) {}

  // Those with turn . omega + move . v = 0 remain.
  void Forbid(const Vector3& turn, const Vector3& move) {
    Vector6d row;
    row.head<3>() = ToEigen(turn);
    row.tail<3>() = length_ * ToEigen(move);
    forbidden_.push_back(row.normalized());
  }
  // Those motions remain that leave a joint whose motion is resisted at rest.
  void ForbidBy(const Joint& joint, bool is_resisted) {
    bool slides[3] = {}, turns[3] = {};
    if (!is_resisted) {
      std::fill_n(turns, 3, TurnsFreely(joint.type) || joint.type == JointType::kDistance);
      bool has_turned = false;
      for (const JointAxis& motion : AxesOf(joint.type)) {
        if (!motion.turns) {
          slides[motion.axis] = true;
        } else if (joint.child == kGround) {  // the last axis is fixed there
          std::fill_n(turns, 3, false);
          turns[motion.axis] = true;
        } else if (!has_turned) {  // the first one is
          turns[motion.axis] = has_turned = true;
        }
      }
    }
    const Frame& frame = FrameOnGround(joint);
    const Vector3 unit[] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (int i = 0; i < 3; ++i) {
      const Vector3 along = Rotate(frame.orientation, unit[i]);
      if (!slides[i]) Forbid(Cross(frame.position, along), along);
      if (!turns[i]) Forbid(along, {});
    }
  }

  ConservedMomenta Momenta() const {
    Eigen::MatrixXd rows =
        Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(forbidden_.size()) + 6, 6);
    for (std::size_t i = 0; i < forbidden_.size(); ++i)
      rows.row(static_cast<Eigen::Index>(i)) = forbidden_[i].transpose();
    const Eigen::JacobiSVD<Eigen::MatrixXd> allowed(rows, Eigen::ComputeFullV);
    const auto count = (allowed.singularValues().array() < kNegligible).count();
    ConservedMomenta momenta;
    if (count == 0) return momenta;
    const Eigen::Matrix<double, 6, Eigen::Dynamic> all = allowed.matrixV().rightCols(count);
    // Combined so that some do not turn, and the others turn about axes perpendicular to each other.
    const Eigen::MatrixXd turns = all.topRows(3);
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(turns, Eigen::ComputeFullV);
    for (Eigen::Index i = 0; i < count; ++i) {
      const double turn = i < svd.singularValues().size() ? svd.singularValues()[i] : 0;
      const Vector6d motion = all * svd.matrixV().col(i);
      const Vector3d axis = motion.head<3>(), move = motion.tail<3>();
      if (turn < kNegligible)
        momenta.directions.push_back(FromEigen(move));
      else
        momenta.axes.push_back({FromEigen(axis / turn), FromEigen(length_ / turn * move)});
    }
    return momenta;
  }

 private:
  double length_;
  std::vector<Vector6d> forbidden_ = {};  // rows of unit length
};

}  // namespace

double ConservedMomenta::Linear(const Momentum& change) const {
  double squares = 0;
  for (const Vector3& direction : directions) squares += std::pow(Dot(direction, change.linear), 2);
  return std::sqrt(squares);
}

double ConservedMomenta::Angular(const Momentum& change) const {
  double squares = 0;
  for (const auto& [axis, offset] : axes)
    squares += std::pow(Dot(axis, change.angular) + Dot(offset, change.linear), 2);
  return std::sqrt(squares);
}

ConservedMomenta ConservedMomentaOf(const System& system) {
  ActsFromGround acting;
  system.forces.ForEach([&acting](const auto& element) { VisitFields(element, acting); });
  if (acting.on_bodies || system.rope_flight) return {};
  std::vector<bool> resisted = DrivenJoints(system);
  for (int joint : acting.joints) resisted[static_cast<std::size_t>(joint)] = true;
  double length = 0;
  for (const auto* joints : {&system.joints, &system.loop_joints}) {
    for (const Joint& joint : *joints)
      if (IsOnGround(joint)) length = std::max(length, Norm(FrameOnGround(joint).position));
  }
  RigidMotions motions(length > 0 ? length : 1);
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    if (IsOnGround(system.joints[j])) motions.ForbidBy(system.joints[j], resisted[j]);
  }
  for (const Joint& joint : system.loop_joints)
    if (IsOnGround(joint)) motions.ForbidBy(joint, false);
  if (const double g = Norm(system.gravity); g > 0) {
    const Vector3 down = 1 / g * system.gravity;
    motions.Forbid({}, down);
    for (const Vector3& axis : {Vector3{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}) {
      if (const Vector3 across = Cross(down, axis); Norm(across) > kNegligible)
        motions.Forbid(across, {});
    }
  }
  return motions.Momenta();
}

}  // namespace mbsbench
