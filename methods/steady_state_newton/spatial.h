// Motions and forces of rigid bodies as six numbers about the inertial origin, inertial axes:
//   motion [omega; v]   v: velocity of the body-fixed point that is at the origin
//   wrench [n; f]       n: moment about the origin
// so that motions of a path are added without shifts, and so are the wrenches of a subtree. A small
// displacement [phi; x] of a body is a motion too: it rotates by phi, and its point r moves by x + phi
// x r.
#pragma once

#include <Eigen/Dense>

#include "methods/numerics/blocks_in_eigen.h"
#include "problems/model/eigen.h"

namespace mbsbench::steady {

template <typename Real>
struct Spatial {
  using Vector3 = Eigen::Matrix<Real, 3, 1>;
  using Matrix3 = Eigen::Matrix<Real, 3, 3>;
  using Vector6 = Eigen::Matrix<Real, 6, 1>;
  using Matrix6 = Eigen::Matrix<Real, 6, 6>;
  using Matrix36 = Eigen::Matrix<Real, 3, 6>;

  static Vector3 Vector(const mbsbench::Vector3& v) { return ToEigen(v).template cast<Real>(); }

  static Matrix3 Skew(const Vector3& a) { return mbsbench::CrossMatrix(a); }

  static Vector6 Stack(const Vector3& angular, const Vector3& linear) {
    Vector6 v;  // element by element: g++ 12 warns of array bounds in Eigen's own assignment
    for (int i = 0; i < 3; ++i) {
      v[i] = angular[i];
      v[3 + i] = linear[i];
    }
    return v;
  }
  static Vector3 Angular(const Vector6& v) { return v.template head<3>(); }
  static Vector3 Linear(const Vector6& v) { return v.template tail<3>(); }

  // Wrench of the force f along a line through p.
  static Vector6 ForceAt(const Vector3& p, const Vector3& f) { return Stack(p.cross(f), f); }

  // Rate of the motion vector s that moves with the motion m.
  static Vector6 Cross(const Vector6& m, const Vector6& s) {
    const Vector3 omega = Angular(m), v = Linear(m), a = Angular(s), b = Linear(s);
    return Stack(omega.cross(a), v.cross(a) + omega.cross(b));
  }

  // Cross(m, s) = CrossMatrix(m) s.
  static Matrix6 CrossMatrix(const Vector6& m) {
    Matrix6 c = Matrix6::Zero();
    const Matrix3 omega = Skew(Angular(m));
    c.template topLeftCorner<3, 3>() = omega;
    c.template bottomLeftCorner<3, 3>() = Skew(Linear(m));
    c.template bottomRightCorner<3, 3>() = omega;
    return c;
  }

  // Velocity (or displacement) of the body-fixed point at r: [-r x, 1] times the motion of the body.
  static Matrix36 PointOf(const Vector3& r) {
    Matrix36 d;
    d << -Skew(r), Matrix3::Identity();
    return d;
  }
};

}  // namespace mbsbench::steady
