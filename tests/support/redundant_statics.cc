#include "tests/support/redundant_statics.h"

#include <stdexcept>
#include <utility>

#include "problems/model/eigen.h"

namespace mbsbench {

namespace {

using Eigen::Index;
using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

const BodyState& StateOf(const SystemState& state, int body) {
  static const BodyState ground;
  return body == kGround ? ground : state.bodies[static_cast<std::size_t>(body)];
}

Vector3d PointOn(const SystemState& state, int body, const Vector3& point) {
  const BodyState& b = StateOf(state, body);
  return ToEigen(b.position + Rotate(b.orientation, point));
}

// Unit wrenches that the joint can exert, as columns.
MatrixXd UnitWrenches(const Joint& joint, const SystemState& state) {
  const Quaternion axes = StateOf(state, joint.child).orientation * joint.child_frame.orientation;
  MatrixXd unit = MatrixXd::Zero(6, 6);
  unit.topLeftCorner<3, 3>() = ToEigen(DirectionCosineMatrix(axes));
  unit.bottomRightCorner<3, 3>() = unit.topLeftCorner<3, 3>();
  switch (joint.type) {
    case JointType::kBall: return unit.leftCols(3);
    case JointType::kRevolute: return unit.leftCols(5);
    case JointType::kPrismatic: return unit(Eigen::all, {0, 1, 3, 4, 5});
    case JointType::kDistance: {
      MatrixXd along = MatrixXd::Zero(6, 1);
      along.topRows(3) = (PointOn(state, joint.child, joint.child_frame.position) -
                          PointOn(state, joint.parent, joint.parent_frame.position))
                             .normalized();
      return along;
    }
    case JointType::kFixed:
    case JointType::kFree:
    case JointType::kUniversal:
    case JointType::kCylindrical:
    case JointType::kPlanar: break;
  }
  throw std::invalid_argument("no statics of this joint");
}

}  // namespace

MatrixXd JointStatics::Least(const MatrixXd& solutions, double moment_factor) const {
  VectorXd weights = VectorXd::Ones(wrenches.rows());
  for (Index j = 0; j < weights.size(); j += 6)
    weights.segment(j + 3, 3).setConstant(moment_factor);
  const MatrixXd free = wrenches * null_space;
  return solutions - free * (weights.asDiagonal() * free)
                                .completeOrthogonalDecomposition()
                                .solve(weights.asDiagonal() * solutions);
}

JointStatics StaticsOf(const System& system, const SystemState& state) {
  std::vector<Joint> joints = system.joints;
  joints.insert(joints.end(), system.loop_joints.begin(), system.loop_joints.end());
  const auto size = static_cast<Index>(6 * joints.size());
  JointStatics s;
  s.on_bodies = MatrixXd::Zero(static_cast<Index>(6 * system.bodies.size()), size);
  s.wrenches = MatrixXd::Zero(size, size);
  Index columns = 0;
  for (std::size_t k = 0; k < joints.size(); ++k) {
    const Joint& joint = joints[k];
    const auto at = static_cast<Index>(6 * k);
    const MatrixXd unit = UnitWrenches(joint, state);
    s.wrenches.block(at, columns, 6, unit.cols()) = unit;
    columns += unit.cols();
    const Vector3d point = PointOn(state, joint.child, joint.child_frame.position);
    for (const auto& [body, sign] : {std::pair{joint.child, 1.}, {joint.parent, -1.}}) {
      if (body == kGround) continue;
      const Vector3d arm = point - PointOn(state, body, {});
      auto to_body = s.on_bodies.block<6, 6>(6 * body, at);
      to_body.diagonal().setConstant(sign);
      to_body.bottomLeftCorner<3, 3>() << 0, -arm.z(), arm.y(), arm.z(), 0, -arm.x(), -arm.y(),
          arm.x(), 0;
      to_body.bottomLeftCorner<3, 3>() *= sign;
    }
  }
  s.wrenches.conservativeResize(Eigen::NoChange, columns);
  Eigen::JacobiSVD<MatrixXd> svd(s.on_bodies * s.wrenches, Eigen::ComputeFullV);
  svd.setThreshold(1e-9);
  s.rank = static_cast<int>(svd.rank());
  s.gap = svd.singularValues()[s.rank - 1] /
          (s.rank < svd.singularValues().size() ? svd.singularValues()[s.rank] : 0);
  s.null_space = svd.matrixV().rightCols(columns - s.rank);
  return s;
}

VectorXd JointLoads(const System& system, const SystemState& state, const VectorXd& accelerations) {
  VectorXd loads(accelerations.size());
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    const Body& body = system.bodies[b];
    const auto at = static_cast<Index>(6 * b);
    const Matrix3d r = ToEigen(DirectionCosineMatrix(state.bodies[b].orientation));
    loads.segment<3>(at) = body.mass * (accelerations.segment<3>(at) - ToEigen(system.gravity));
    loads.segment<3>(at + 3) =
        r * ToEigen(body.inertia) * r.transpose() * accelerations.segment<3>(at + 3);
  }
  for (const SpringDamper& spring : system.forces.Of<SpringDamper>()) {
    const Vector3d a = PointOn(state, spring.body_a, spring.point_a),
                   b = PointOn(state, spring.body_b, spring.point_b);
    const double length = (b - a).norm();
    const Vector3d pull = spring.stiffness * (length - spring.free_length) / length * (b - a);
    for (const auto& [body, point, sign] :
         {std::tuple{spring.body_a, a, 1.}, {spring.body_b, b, -1.}}) {
      loads.segment<3>(6 * body) -= sign * pull;
      loads.segment<3>(6 * body + 3) -= sign * (point - PointOn(state, body, {})).cross(pull);
    }
  }
  return loads;
}

}  // namespace mbsbench
