// A constraint on points and vectors X_i, on any scalar: a sum of products of two affine forms,
//   Phi = s (sum_p f_p(t) A_p . B_p - d(t)),    A = sum_i a_i X_i + a_0                           (1)
// so that its derivatives are exact and short:
//   Phi_i   = s sum_p f_p (a_i B + b_i A)                                                         (2)
//   Phi_ij  = s sum_p f_p (a_i b_j + a_j b_i) I                                                   (3)
//   Phi'    = Phi_q q' + Phi_t,    Phi_t = s (sum_p f_p' A.B - d')                                (4)
//   Phi''   = Phi_q q'' + s (sum_p 2 f_p A'.B' + 2 f_p' (A'.B + A.B') + f_p'' A.B - d'')          (5)
// The factor s makes the gradient a unit vector at the start.
#pragma once

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace mbsbench::natural {

template <class Real>
using Vector = Eigen::Matrix<Real, 3, 1>;
template <class Real>
using Column = Eigen::Matrix<Real, Eigen::Dynamic, 1>;

inline std::size_t At(int i) { return static_cast<std::size_t>(i); }
template <class Integer>
Eigen::Index AsIndex(Integer i) {
  return static_cast<Eigen::Index>(i);
}

// An affine form of the free points and vectors, by their numbers.
struct AffineForm {
  std::vector<std::pair<int, double>> terms;
  Eigen::Vector3d constant = Eigen::Vector3d::Zero();

  void Add(double factor, const AffineForm& other);

  // The constant counts only if `is_value`: rates have none.
  template <class Real>
  Vector<Real> At(const Column<Real>& x, bool is_value) const {
    Vector<Real> value = Vector<Real>::Zero();
    if (is_value) value = constant.cast<Real>();
    for (const auto& [i, factor] : terms) value += Real(factor) * x.template segment<3>(3 * i);
    return value;
  }
};

// The data of (1) to (5) at one state.
template <class Real>
struct RowValues {
  std::vector<Vector<Real>> gradient;  // of each unknown of the row
  Real value, by_time, bias;           // Phi, Phi_t, Phi'' without Phi_q q''
};

class NaturalRow {
 public:
  // On a body (rigidity), or on a joint with the place of the row in it.
  int body = -1, joint = -1, of_joint = 0;
  double scale = 1;                                             // s
  double target = 0, target_rate = 0, target_acceleration = 0;  // d

  void AddProduct(const AffineForm& left, const AffineForm& right);
  // f and its rates.
  void SetFactor(std::size_t product, double factor, double rate, double acceleration);

  // Free points and vectors on which the row depends; none: it is no constraint.
  std::span<const int> unknowns() const { return unknowns_; }
  // Phi_ij, one number for the unknowns' places i and j in the row.
  double Bend(std::size_t i, std::size_t j) const {
    double bend = 0;
    for (const Product& p : products_)
      bend += p.factor * (p.on_left[i] * p.on_right[j] + p.on_left[j] * p.on_right[i]);
    return scale * bend;
  }

  template <class Real>
  void Evaluate(const Column<Real>& q, const Column<Real>& rates, RowValues<Real>& at) const {
    at.gradient.assign(unknowns_.size(), Vector<Real>::Zero());
    at.value = Real(-target), at.by_time = Real(-target_rate), at.bias = Real(-target_acceleration);
    for (const Product& p : products_) {
      const Vector<Real> A = p.left.At(q, true), B = p.right.At(q, true);
      const Vector<Real> A_rate = p.left.At(rates, false), B_rate = p.right.At(rates, false);
      const Real f(p.factor), value = A.dot(B);
      at.value += f * value;
      at.bias += Real(2) * f * A_rate.dot(B_rate);
      if (p.rate != 0 || p.acceleration != 0) {
        at.by_time += Real(p.rate) * value;
        at.bias +=
            Real(2 * p.rate) * (A_rate.dot(B) + A.dot(B_rate)) + Real(p.acceleration) * value;
      }
      for (std::size_t i = 0; i < unknowns_.size(); ++i) {
        if (p.on_left[i] != 0) at.gradient[i] += Real(p.on_left[i]) * f * B;
        if (p.on_right[i] != 0) at.gradient[i] += Real(p.on_right[i]) * f * A;
      }
    }
    const Real s(scale);
    for (Vector<Real>& gradient : at.gradient) gradient *= s;
    at.value *= s, at.by_time *= s, at.bias *= s;
  }
  // Phi_q x.
  template <class Real>
  Real Along(const RowValues<Real>& at, const Column<Real>& x) const {
    Real along(0);
    for (std::size_t i = 0; i < unknowns_.size(); ++i)
      along += at.gradient[i].dot(x.template segment<3>(3 * unknowns_[i]));
    return along;
  }
  // Adds Phi_q' f.
  template <class Real>
  void Pull(const RowValues<Real>& at, const Real& f, Column<Real>& x) const {
    for (std::size_t i = 0; i < unknowns_.size(); ++i)
      x.template segment<3>(3 * unknowns_[i]) += f * at.gradient[i];
  }

 private:
  struct Product {
    AffineForm left, right;
    std::vector<double> on_left, on_right;  // a and b of each unknown
    double factor = 1, rate = 0, acceleration = 0;
  };
  std::vector<Product> products_;
  std::vector<int> unknowns_;
};

}  // namespace mbsbench::natural
