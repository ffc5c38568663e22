// The rotation of a body over one step h, whose angular velocity W (body axes) is that of the step:
//   s(W) = sqrt(4/h^2 - |W|^2),                     h |W| < 2
//   increment of the orientation: quaternion h/2 (s, W)
//   Pi-(W) = h/2 (s J W + W x J W)                  angular momentum, body axes at the begin     (1)
//   Pi+(W) = h/2 (s J W - W x J W)                  the same, body axes at the end               (2)
// One increment of the rotation takes (2) to (1): without moments it is constant in inertial axes.
#pragma once

#include <cmath>

#include "methods/kinematics/absolute_motion.h"

namespace mbsbench::variational {

using absolute::Cross;
using absolute::Matrix3d;
using absolute::Vector3d;
using absolute::Vector4d;

class DiscreteSpin {
 public:
  DiscreteSpin(double h, const Vector3d& w) : h_(h), w_(w), s_(std::sqrt(4 / (h * h) - w.dot(w))) {}

  // Whether the body turns by less than half a turn: otherwise all else is not a number.
  bool possible() const { return s_ > 0; }
  // h/2 (s, W), a unit quaternion.
  Vector4d Increment() const { return 0.5 * h_ * Vector4d(s_, w_.x(), w_.y(), w_.z()); }
  Vector3d MomentumAtBegin(const Matrix3d& j) const {  // (1)
    return 0.5 * h_ * (s_ * (j * w_) + w_.cross(j * w_));
  }
  Vector3d MomentumAtEnd(const Matrix3d& j) const {  // (2)
    return 0.5 * h_ * (s_ * (j * w_) - w_.cross(j * w_));
  }
  // Derivative of (1) by W.
  Matrix3d MomentumByRate(const Matrix3d& j) const {
    const Vector3d jw = j * w_;
    return 0.5 * h_ * (s_ * j - jw * w_.transpose() / s_ + Cross(w_) * j - Cross(jw));
  }
  // Rotation at the end, in its body axes, by W.
  Matrix3d TurnByRate() const {
    const Vector3d u = 0.5 * h_ * w_;
    const double u0 = 0.5 * h_ * s_;
    return h_ * (u0 * Matrix3d::Identity() + u * u.transpose() / u0 - Cross(u));
  }

 private:
  double h_;
  Vector3d w_;
  double s_;
};

}  // namespace mbsbench::variational
