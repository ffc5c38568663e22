// The algebra of one step, on any scalar: the averages of the generalised-alpha method and the increment of a rotation.
//
// The acceleration-like a of the method belongs to the time t_n + (alpha_m - alpha_f) h. With the spectral radius rho at
// infinite frequency,
//   alpha_m = (2 rho - 1)/(rho + 1)    alpha_f = rho/(rho + 1)    gamma = 1/2 + alpha_f - alpha_m
//   beta = (gamma + 1/2)^2/4                                                                      (1)
//   (1 - alpha_m) a_n+1 + alpha_m a_n = (1 - alpha_f) V'_n+1 + alpha_f V'_n                       (2)
// A rotation vector w (body axes at the begin) turns a body by |w| about w:
//   exp(w)  = quaternion (cos t/2, sin(t/2)/t w),                    t = |w|                      (3)
//   exp(w + dw) = exp(w) exp(T(w) dw),  T(w) = I - (1 - cos t)/t^2 [w]x + (t - sin t)/t^3 [w]x^2  (4)
#pragma once

#include <Eigen/Dense>
#include <cmath>

#include "methods/numerics/blocks_in_eigen.h"

namespace mbsbench::lie {

template <typename Real = double>
struct Averages {
  explicit Averages(const Real& rho) {  // (1)
    alpha_m = (Real(2) * rho - Real(1)) / (rho + Real(1));
    alpha_f = rho / (rho + Real(1));
    gamma = Real(0.5) + alpha_f - alpha_m;
    beta = Real(0.25) * (gamma + Real(0.5)) * (gamma + Real(0.5));
    c = (Real(1) - alpha_f) / (Real(1) - alpha_m);
  }
  // a_n+1 by (2).
  template <class Vector>
  Vector Next(const Vector& rate, const Vector& rate_n, const Vector& a_n) const {
    return c * rate + (alpha_f * rate_n - alpha_m * a_n) / (Real(1) - alpha_m);
  }

  Real alpha_m, alpha_f, gamma, beta;
  Real c;  // da_n+1/dV'_n+1
};

template <typename Real = double>
class RotationIncrement {
 public:
  using Vector = Eigen::Matrix<Real, 3, 1>;
  using Matrix = Eigen::Matrix<Real, 3, 3>;

  explicit RotationIncrement(const Vector& w) : w_(w) {
    using std::sqrt;
    turn_ = sqrt(w.dot(w));
  }

  const Real& turn() const { return turn_; }
  // (3)
  Eigen::Matrix<Real, 4, 1> Exp() const {
    using std::cos;
    const Real scale = HalfSineByTurn();
    return {cos(Real(0.5) * turn_), scale * w_[0], scale * w_[1], scale * w_[2]};
  }
  // (4), with (1 - cos t)/t^2 = 2 (sin(t/2)/t)^2
  Matrix Tangent() const {
    const Real half = HalfSineByTurn();
    const Matrix cross = CrossMatrix(w_);
    return Matrix::Identity() - Real(2) * half * half * cross + SineGapByCube() * cross * cross;
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

  Vector w_;
  Real turn_;
};

}  // namespace mbsbench::lie
