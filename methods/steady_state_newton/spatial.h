// Motions and forces of rigid bodies as six numbers about the inertial origin, inertial axes:
//   motion [omega; v]   v: velocity of the body-fixed point that is just passing the origin
//   wrench [n; f]       n: moment about the origin
// so that motions of a path add up without shifts, and so do the wrenches of a subtree. A small
// displacement [phi; x] of a body is a motion too: phi turns it, a point r of it moves by x + phi x r.
#pragma once

#include <Eigen/Dense>

namespace mbsbench::steady {

using Vector6 = Eigen::Matrix<double, 6, 1>;
using Matrix6 = Eigen::Matrix<double, 6, 6>;
using Matrix36 = Eigen::Matrix<double, 3, 6>;

inline Eigen::Matrix3d Skew(const Eigen::Vector3d& a) {
  Eigen::Matrix3d m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

inline Vector6 Stack(const Eigen::Vector3d& angular, const Eigen::Vector3d& linear) {
  Vector6 v;  // element by element: g++ 12 sees array bounds broken in Eigen's own assignment
  for (int i = 0; i < 3; ++i) {
    v[i] = angular[i];
    v[3 + i] = linear[i];
  }
  return v;
}

// Wrench of the force f along a line through p.
inline Vector6 ForceAt(const Eigen::Vector3d& p, const Eigen::Vector3d& f) {
  return Stack(p.cross(f), f);
}

// Rate of the motion vector s that is carried along by the motion m.
inline Vector6 Cross(const Vector6& m, const Vector6& s) {
  const Eigen::Vector3d omega = m.head<3>(), v = m.tail<3>(), a = s.head<3>(), b = s.tail<3>();
  return Stack(omega.cross(a), v.cross(a) + omega.cross(b));
}

// Cross(m, s) = CrossMatrix(m) s.
inline Matrix6 CrossMatrix(const Vector6& m) {
  Matrix6 c = Matrix6::Zero();
  const Eigen::Matrix3d omega = Skew(m.head<3>());
  c.topLeftCorner<3, 3>() = omega;
  c.bottomLeftCorner<3, 3>() = Skew(m.tail<3>());
  c.bottomRightCorner<3, 3>() = omega;
  return c;
}

// Velocity (or displacement) of the body-fixed point at r: [-r x, 1] times the motion of the body.
inline Matrix36 PointOf(const Eigen::Vector3d& r) {
  Matrix36 d;
  d << -Skew(r), Eigen::Matrix3d::Identity();
  return d;
}

}  // namespace mbsbench::steady
