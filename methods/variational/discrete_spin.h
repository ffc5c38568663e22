// The rotation of a body over one step h, whose angular velocity W (body axes) is that of the step:
//   s(W) = sqrt(4/h^2 - |W|^2),                     h |W| < 2
//   increment of the orientation: quaternion h/2 (s, W)
//   Pi-(W) = h/2 (s J W + W x J W)                  angular momentum, body axes at the begin     (1)
//   Pi+(W) = h/2 (s J W - W x J W)                  the same, body axes at the end               (2)
// One increment of the rotation takes (2) to (1): without moments it is constant in inertial axes.
#pragma once

#include <cmath>

#include "methods/kinematics/absolute_motion.h"
#include "methods/numerics/blocks_in_eigen.h"

namespace mbsbench::variational {

using absolute::Matrix3d;
using absolute::Vector3d;
using absolute::Vector4d;

template <typename Real = double>
class DiscreteSpin {
 public:
  using Vector = Eigen::Matrix<Real, 3, 1>;
  using Matrix = Eigen::Matrix<Real, 3, 3>;

  DiscreteSpin(const Real& h, const Vector& w) : h_(h), w_(w) {
    using std::sqrt;
    s_ = sqrt(Real(4) / (h * h) - w.dot(w));
  }

  // Whether the body rotates by less than half a turn: otherwise all results are NaN.
  bool possible() const { return s_ > Real(0); }
  // h/2 (s, W), a unit quaternion.
  Eigen::Matrix<Real, 4, 1> Increment() const {
    return Real(0.5) * h_ * Eigen::Matrix<Real, 4, 1>(s_, w_.x(), w_.y(), w_.z());
  }
  Vector MomentumAtBegin(const Matrix& j) const {  // (1)
    return Real(0.5) * h_ * (s_ * (j * w_) + w_.cross(j * w_));
  }
  Vector MomentumAtEnd(const Matrix& j) const {  // (2)
    return Real(0.5) * h_ * (s_ * (j * w_) - w_.cross(j * w_));
  }
  // Derivative of (1) by W.
  Matrix MomentumByRate(const Matrix& j) const {
    const Vector jw = j * w_;
    return Real(0.5) * h_ *
           (s_ * j - jw * w_.transpose() / s_ + CrossMatrix(w_) * j - CrossMatrix(jw));
  }
  // Rotation at the end, in its body axes, by W.
  Matrix TurnByRate() const {
    const Vector u = Real(0.5) * h_ * w_;
    const Real u0 = Real(0.5) * h_ * s_;
    return h_ * (u0 * Matrix::Identity() + u * u.transpose() / u0 - CrossMatrix(u));
  }

 private:
  Real h_;
  Vector w_;
  Real s_;
};

}  // namespace mbsbench::variational
