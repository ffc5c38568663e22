#include "methods/equivalent_particles/mass_particles.h"

#include "methods/thresholds/thresholds.h"
#include "problems/model/eigen.h"
#include "problems/model/error.h"

namespace mbsbench::equivalent_particles {

AffineFrame::AffineFrame(std::span<const Vector3d> points, const std::string& body)
    : count_(static_cast<int>(points.size())), origin_(points.front()) {
  if (count_ == 1) return;
  Eigen::Matrix<double, 3, Eigen::Dynamic, 0, 3, 3> edges(3, count_ - 1);
  for (int i = 1; i < count_; ++i) edges.col(i - 1) = points[static_cast<std::size_t>(i)] - origin_;
  const Eigen::JacobiSVD<Eigen::MatrixXd> svd(edges, Eigen::ComputeThinU | Eigen::ComputeThinV);
  const auto& sizes = svd.singularValues();
  if (!(sizes(count_ - 2) > kThresholds.nearly_flat * sizes(0))) {
    const char* const fault[] = {"coincide", "lie nearly on a line", "lie nearly in a plane"};
    throw ModelError("body '" + body + "': its " + std::to_string(count_) + " primary particles " +
                         fault[count_ - 2] +
                         ", so that they do not determine its masses; move one of them.",
                     ModelError::Subject::kBody, body);
  }
  inverse_.topRows(count_ - 1) =
      svd.matrixV() * sizes.cwiseInverse().asDiagonal() * svd.matrixU().transpose();
  // One Newton step towards the inverse: the singular values cost the last digit.
  const Eigen::MatrixXd inverse = inverse_.topRows(count_ - 1);
  inverse_.topRows(count_ - 1) = 2 * inverse - inverse * edges * inverse;
}

Vector4d AffineFrame::OfDirection(const Vector3d& direction) const {
  Vector4d weights;
  weights.tail<3>() = inverse_ * direction;
  weights[0] = -weights.tail<3>().sum();
  return weights;
}

Vector4d AffineFrame::OfPoint(const Vector3d& point) const {
  Vector4d weights = OfDirection(point - origin_);
  weights[0] += 1;
  return weights;
}

Matrix3d EulerTensor(const Matrix3& inertia) {
  const Matrix3d j = ToEigen(inertia);
  return j.trace() / 2 * Matrix3d::Identity() - j;
}

Matrix4d SecondMoments(const AffineFrame& frame, const Body& body, const Vector3d& centre,
                       const Matrix3d& axes) {
  // About the mass centre with weights of directions, then the centre itself.
  const Matrix3d euler = axes * EulerTensor(body.inertia) * axes.transpose();
  Eigen::Matrix<double, 4, 3> directions;
  for (int i = 0; i < 3; ++i) directions.col(i) = frame.OfDirection(Vector3d::Unit(i));
  const Vector4d at = frame.OfPoint(centre);
  return directions * euler * directions.transpose() + body.mass * at * at.transpose();
}

}  // namespace mbsbench::equivalent_particles
