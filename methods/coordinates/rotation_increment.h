// The increment of a rotation over a step, on any scalar. A rotation vector w (body axes at the begin) turns a body by |w|
// about w:
//   exp(w)  = quaternion (cos t/2, sin(t/2)/t w),                    t = |w|                      (1)
//   exp(w + dw) = exp(w) exp(T(w) dw),  T(w) = I - (1 - cos t)/t^2 [w]x + (t - sin t)/t^3 [w]x^2  (2)
//   T(w)^-1 = I + 1/2 [w]x + (1 - t/2 cot(t/2))/t^2 [w]x^2                                        (3)
#pragma once

#include <Eigen/Dense>
#include <cmath>

#include "methods/numerics/blocks_in_eigen.h"

namespace mbsbench {

template <typename Real = double>
class RotationIncrement {
 public:
  using Vector = Eigen::Matrix<Real, 3, 1>;
  using Matrix = Eigen::Matrix<Real, 3, 3>;

  explicit RotationIncrement(const Vector& w) : w_(w) {
    using std::sqrt;
    turn_ = sqrt(w.dot(w));
  }

  // (1)
  Eigen::Matrix<Real, 4, 1> Exp() const {
    using std::cos;
    const Real scale = HalfSineByTurn();
    return {cos(Real(0.5) * turn_), scale * w_[0], scale * w_[1], scale * w_[2]};
  }
  // T of (2), with (1 - cos t)/t^2 = 2 (sin(t/2)/t)^2
  Matrix Tangent() const {
    const Real half = HalfSineByTurn();
    const Matrix cross = CrossMatrix(w_);
    return Matrix::Identity() - Real(2) * half * half * cross + SineGapByCube() * cross * cross;
  }
  // T^-1 v of (3).
  Vector InverseTangent(const Vector& v) const {
    const Vector turned = w_.cross(v);
    return v + Real(0.5) * turned + CotangentGapBySquare() * w_.cross(turned);
  }

 private:
  Real HalfSineByTurn() const {
    using std::sin;
    return turn_ > Real(0) ? Real(sin(Real(0.5) * turn_) / turn_) : Real(0.5);
  }
  // (t - sin t)/t^3; by its series where the difference would lose digits.
  Real SineGapByCube() const {
    using std::sin;
    const Real square = turn_ * turn_;
    if (turn_ > Real(0.1)) return (turn_ - sin(turn_)) / (square * turn_);
    return (Real(1) -
            square / Real(20) * (Real(1) - square / Real(42) * (Real(1) - square / Real(72)))) /
           Real(6);
  }
  // (1 - t/2 cot(t/2))/t^2; by its series where the difference would lose digits.
  Real CotangentGapBySquare() const {
    using std::cos;
    const Real square = turn_ * turn_;
    if (turn_ > Real(0.1))
      return (Real(1) - cos(Real(0.5) * turn_) / (Real(2) * HalfSineByTurn())) / square;
    return (Real(1) +
            square / Real(60) * (Real(1) + square / Real(42) * (Real(1) + square / Real(40)))) /
           Real(12);
  }

  Vector w_;
  Real turn_;
};

}  // namespace mbsbench
