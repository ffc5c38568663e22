// The rotation of a quaternion q = (w, u) as a quadratic form, and its derivatives.
//
//   R(q) p  = (w^2 - u.u) p + 2 (u.p) u + 2 w (u x p)                                    (1)
//   D(q, p) = d(R p)/dq, 3 x 4, linear in q and in p                                     (2)
//   f . R(q) p = 1/2 q' N(f, p) q,  N(f, p) = its Hessian, 4 x 4, independent of q       (3)
//   so that D(q, p)' f = N(f, p) q
//
// (1) is homogeneous: for q' = 1/2 q * omega it gives d(R p)/dt = R (omega x p) at every norm of q.
// So one set of exact derivatives serves Newton's iterates, whose quaternions are unit to the
// iteration's accuracy only.
#pragma once

#include <Eigen/Dense>

namespace mbsbench::cartesian {

using Eigen::Matrix3d;
using Eigen::Matrix4d;
using Eigen::Vector3d;
using Eigen::Vector4d;
using Matrix34 = Eigen::Matrix<double, 3, 4>;
using Matrix43 = Eigen::Matrix<double, 4, 3>;

// Cross(a) b = a x b.
inline Matrix3d Cross(const Vector3d& a) {
  Matrix3d m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

inline Matrix3d RotationForm(const Vector4d& q) {
  const double ww = q[0] * q[0], xx = q[1] * q[1], yy = q[2] * q[2], zz = q[3] * q[3];
  const double wx = q[0] * q[1], wy = q[0] * q[2], wz = q[0] * q[3];
  const double xy = q[1] * q[2], xz = q[1] * q[3], yz = q[2] * q[3];
  Matrix3d r;
  r << ww + xx - yy - zz, 2 * (xy - wz), 2 * (xz + wy),  //
      2 * (xy + wz), ww - xx + yy - zz, 2 * (yz - wx),   //
      2 * (xz - wy), 2 * (yz + wx), ww - xx - yy + zz;
  return r;
}

// D(q, p), eq. (2).
inline Matrix34 RotationGradient(const Vector4d& q, const Vector3d& p) {
  const Vector3d u = q.tail<3>();
  Matrix34 d;
  d.col(0) = 2 * (q[0] * p + u.cross(p));
  d.rightCols<3>() = 2 * (u * p.transpose() - p * u.transpose() - q[0] * Cross(p));
  d.rightCols<3>().diagonal().array() += 2 * u.dot(p);
  return d;
}

// d(R(q)' f)/dq: R(q)' is R of the conjugate quaternion.
inline Matrix34 TransposedRotationGradient(const Vector4d& q, const Vector3d& f) {
  Matrix34 d = RotationGradient({q[0], -q[1], -q[2], -q[3]}, f);
  d.rightCols<3>() *= -1;
  return d;
}

// N(f, p), eq. (3).
inline Matrix4d RotationHessian(const Vector3d& f, const Vector3d& p) {
  const double fp = f.dot(p);
  const Vector3d c = p.cross(f);
  Matrix4d n;
  n(0, 0) = 2 * fp;
  n.block<3, 1>(1, 0) = 2 * c;
  n.block<1, 3>(0, 1) = 2 * c.transpose();
  n.block<3, 3>(1, 1) = 2 * (f * p.transpose() + p * f.transpose());
  n.block<3, 3>(1, 1).diagonal().array() -= 2 * fp;
  return n;
}

// N(f, p) q without forming N.
inline Vector4d RotationPullback(const Vector4d& q, const Vector3d& f, const Vector3d& p) {
  const Vector3d u = q.tail<3>();
  const double fp = f.dot(p);
  const Vector3d c = p.cross(f);
  Vector4d g;
  g[0] = 2 * (fp * q[0] + c.dot(u));
  g.tail<3>() = 2 * (q[0] * c + p.dot(u) * f + f.dot(u) * p - fp * u);
  return g;
}

// q * (0, omega) = L(q) omega = Omega(omega) q.
inline Matrix43 LeftProduct(const Vector4d& q) {
  Matrix43 l;
  l << -q[1], -q[2], -q[3],  //
      q[0], -q[3], q[2],     //
      q[3], q[0], -q[1],     //
      -q[2], q[1], q[0];
  return l;
}
inline Matrix4d RightProduct(const Vector3d& omega) {
  Matrix4d m;
  m << 0, -omega[0], -omega[1], -omega[2],  //
      omega[0], 0, omega[2], -omega[1],     //
      omega[1], -omega[2], 0, omega[0],     //
      omega[2], omega[1], -omega[0], 0;
  return m;
}

}  // namespace mbsbench::cartesian
