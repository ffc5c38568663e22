// The constraint rows of a joint, its driver's included, with all derivatives in the Jacobians of the DAE variants, on any scalar.
// absolute_constraints.h is the fast version.
//
// x: displacements and right increments of rotation of parent and child; V: their v and omega. A vector between points of both bodies
// (chi = 1), or a direction of one (chi = 0, the other s zero):
//
//   A   = chi (r_c - r_p) + R_c s_c - R_p s_p                                                                (a)
//   A'  = chi (v_c - v_p) + R_c (omega_c x s_c) - R_p (omega_p x s_p)                                        (b)
//   A'' = chi (v_c' - v_p') + R_c (omega_c' x s_c + omega_c x (omega_c x s_c)) - the same of p               (c)
//   by x: -R w~ of each R w above; by V: of A' as of A by x, of A'' -R ((omega x s)~ + omega~ s~)            (d)
//
// The rows are those of blocked_rows.h: components of d, |d| - l, or products with a factor f(t). Their derivatives follow from (d) by
// the rules for products and quotients.
//
//   g = f A.B,   g' = f (A.B)' + f' A.B,   g'' = f (A.B)'' + 2 f' (A.B)' + f'' A.B                           (e)
//   |d|' = d.d' / |d|,   |d|'' = (d.d'' + d'.d' - |d|' |d|') / |d|                                           (f)
//   driver: cos(phi) y_p.x_c - sin(phi) x_p.x_c of a revolute, d.z_p - phi of a prismatic joint              (g)
//
// A multiplier pulls at A with F, the factor of A in lambda g. The bodies get L'F with L = A by x, and
//
//   L'F by x = L' (F by x), and in the rows and columns of each rotation +-s~ (R'F)~                         (h)
#pragma once

#include <cmath>
#include <optional>
#include <vector>

#include "methods/kinematics/blocked_rows.h"
#include "methods/numerics/blocks_in_eigen.h"
#include "problems/model/driver_motion.h"
#include "problems/model/eigen.h"
#include "problems/model/system.h"

namespace mbsbench::cartesian {

template <typename Real>
class ConstraintEquations {
 public:
  using Vector = Eigen::Matrix<Real, 3, 1>;
  using Matrix = Eigen::Matrix<Real, 3, 3>;
  using Coordinate = MovedCoordinate<Real>;  // also a factor and its rates
  // a = v' and alpha = omega'; the default is the ground.
  struct Motion {
    Vector r = Vector::Zero(), v = r, omega = r, a = r, alpha = r;
    Matrix R = Matrix::Identity();
  };
  // Columns: the value, its derivatives by x, those by V.
  using Number = Eigen::Matrix<Real, 1, 25>;
  using Numbers = Eigen::Matrix<Real, 3, 25>;
  static constexpr int kByX = 1, kByV = 13;
  struct Row {
    Number g = Number::Zero(), rate = g, acceleration = g;
  };

  std::vector<Row> rows;
  Eigen::Matrix<Real, 12, 12> force_by_x = Eigen::Matrix<Real, 12, 12>::Zero();  // of G' lambda

  // The coordinate is that of a driver, if the joint has one.
  ConstraintEquations(const Joint& joint, const std::optional<Coordinate>& driven,
                      const Motion& parent, const Motion& child,
                      const Eigen::Matrix<Real, 6, 1>& lambda)
      : joint_(joint), parent_(parent), child_(child), lambda_(lambda) {
    const BlockedRows blocked = BlockedRowsOf(joint.type);
    const Between d = MakeBetween(Real(1), ToEigen(joint.parent_frame.position).cast<Real>(),
                                  ToEigen(joint.child_frame.position).cast<Real>());
    const Coordinate one{Real(1), Real(0), Real(0)};
    if (blocked.keeps_distance) AddDistance(d);
    if (blocked.lengths == 3) AddPoint(d);
    if (blocked.lengths == 2)
      for (const int i : {0, 1}) AddProduct(rows.emplace_back(), OnParent(i), d, one);
    if (blocked.lengths == 1) AddProduct(rows.emplace_back(), OnParent(2), d, one);
    for (const BlockedRows::Product& of : blocked.products())
      AddProduct(rows.emplace_back(), OnParent(of.on_parent), OnChild(of.on_child), one);
    if (!driven) return;
    const auto& [phi, rate, acceleration] = *driven;  // (g)
    Row& row = rows.emplace_back();
    if (joint.type == JointType::kRevolute) {
      using std::cos, std::sin;
      const Real c = cos(phi), s = sin(phi);
      AddProduct(row, OnParent(1), OnChild(0), {c, -rate * s, -acceleration * s - rate * rate * c});
      AddProduct(row, OnParent(0), OnChild(0),
                 {-s, -rate * c, -acceleration * c + rate * rate * s});
    } else {
      AddProduct(row, OnParent(2), d, one);
      row.g[0] -= phi, row.rate[0] -= rate, row.acceleration[0] -= acceleration;
    }
  }

 private:
  struct Between {
    Numbers value = Numbers::Zero(), rate = value, acceleration = value;
    Vector s_p, s_c;
  };
  Between MakeBetween(const Real& chi, const Vector& s_p, const Vector& s_c) const {
    Between A;
    A.s_p = s_p, A.s_c = s_c;
    const auto add = [&](const Motion& body, const Vector& s, const Real& sign, int at) {
      const Vector w = body.omega.cross(s), w2 = body.alpha.cross(s) + body.omega.cross(w);
      const Real joins = sign * chi;
      const Matrix R = sign * body.R;
      A.value.col(0) += joins * body.r + R * s;                                              // (a)
      A.rate.col(0) += joins * body.v + R * w;                                               // (b)
      A.acceleration.col(0) += joins * body.a + R * w2;                                      // (c)
      const int by_v = kByV + at, by_r = kByX + at, by_omega = by_v + 3, by_phi = by_r + 3;  // (d)
      for (int i = 0; i < 3; ++i) A.value(i, by_r + i) = A.rate(i, by_v + i) = joins;
      const Matrix s_tilde = CrossMatrix<Real>(s), w_tilde = CrossMatrix<Real>(w);
      A.value.template middleCols<3>(by_phi) = -R * s_tilde;
      A.rate.template middleCols<3>(by_phi) = -R * w_tilde;
      A.rate.template middleCols<3>(by_omega) = -R * s_tilde;
      A.acceleration.template middleCols<3>(by_phi) = -R * CrossMatrix<Real>(w2);
      A.acceleration.template middleCols<3>(by_omega) =
          -R * (w_tilde + CrossMatrix<Real>(body.omega) * s_tilde);
    };
    add(parent_, s_p, Real(-1), 0);
    add(child_, s_c, Real(1), 6);
    return A;
  }
  static Vector AxisOf(const Frame& frame, int axis) {
    const Matrix axes = ToEigen(DirectionCosineMatrix(Normalised(frame.orientation))).cast<Real>();
    return axes.col(axis);
  }
  Between OnParent(int axis) const {
    return MakeBetween(Real(0), -AxisOf(joint_.parent_frame, axis), Vector::Zero());
  }
  Between OnChild(int axis) const {
    return MakeBetween(Real(0), Vector::Zero(), AxisOf(joint_.child_frame, axis));
  }

  static Number Dot(const Numbers& a, const Numbers& b) {
    Number product = a.col(0).transpose() * b + b.col(0).transpose() * a;
    product[0] = a.col(0).dot(b.col(0));
    return product;
  }
  static Number Quotient(const Number& a, const Number& b) {
    const Real quotient = a[0] / b[0];
    Number result = (a - quotient * b) / b[0];
    result[0] = quotient;
    return result;
  }
  const Real& Lambda() const { return lambda_[static_cast<Eigen::Index>(rows.size()) - 1]; }

  // (e)
  void AddProduct(Row& row, const Between& A, const Between& B, const Coordinate& f) {
    const Number value = Dot(A.value, B.value), rate = Dot(A.rate, B.value) + Dot(A.value, B.rate),
                 second = Dot(A.acceleration, B.value) + Real(2) * Dot(A.rate, B.rate) +
                          Dot(A.value, B.acceleration);
    row.g += f.position * value;
    row.rate += f.position * rate + f.rate * value;
    row.acceleration += f.position * second + (Real(2) * f.rate) * rate + f.acceleration * value;
    Pull(A, (Lambda() * f.position) * B.value);
    Pull(B, (Lambda() * f.position) * A.value);
  }
  // (f)
  void AddDistance(const Between& d) {
    Row& row = rows.emplace_back();
    using std::sqrt;
    const Number square = Dot(d.value, d.value);
    const Real length = sqrt(square[0]);
    row.g = square / (Real(2) * length);
    row.g[0] = length;
    row.rate = Quotient(Dot(d.value, d.rate), row.g);
    Number square_of_rate = (Real(2) * row.rate[0]) * row.rate;
    square_of_rate[0] = row.rate[0] * row.rate[0];
    row.acceleration =
        Quotient(Dot(d.value, d.acceleration) + Dot(d.rate, d.rate) - square_of_rate, row.g);
    Numbers F;
    for (int i = 0; i < 3; ++i) F.row(i) = Lambda() * Quotient(d.value.row(i), row.g);
    Pull(d, F);
    row.g[0] -= Real(joint_.length);
  }
  void AddPoint(const Between& d) {
    for (int i = 0; i < 3; ++i)
      rows.push_back({d.value.row(i), d.rate.row(i), d.acceleration.row(i)});
    Numbers F = Numbers::Zero();
    F.col(0) = lambda_.template head<3>();
    Pull(d, F);
  }
  // (h)
  void Pull(const Between& A, const Numbers& F) {
    force_by_x +=
        A.value.template middleCols<12>(kByX).transpose() * F.template middleCols<12>(kByX);
    const auto add = [&](const Matrix& R, const Vector& s, const Real& sign, int at) {
      const Vector in_body = R.transpose() * F.col(0);
      force_by_x.template block<3, 3>(at, at) +=
          sign * (CrossMatrix<Real>(s) * CrossMatrix<Real>(in_body));
    };
    add(parent_.R, A.s_p, Real(-1), 3);
    add(child_.R, A.s_c, Real(1), 9);
  }

  const Joint& joint_;
  const Motion &parent_, &child_;
  const Eigen::Matrix<Real, 6, 1> lambda_;
};

}  // namespace mbsbench::cartesian
