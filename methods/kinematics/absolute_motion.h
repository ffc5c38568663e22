// The motion of a body in absolute coordinates, and derivatives for a pair of bodies.
//
// A body's position is (r, phi): r of the mass centre in inertial axes, phi the right increment of its
// rotation, R exp[phi]. Its rates are V = (v, omega), omega in body axes. So the derivative of any
// g(r, phi) is at once the G of g' = G V; forces are conjugate to the rates, moments in body axes.
#pragma once

#include <Eigen/Dense>
#include <span>
#include <vector>

#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench::absolute {

using Eigen::Matrix3d;
using Eigen::Vector3d;
using Eigen::Vector4d;

inline constexpr int kRates = 6;          // per body: 3 of r or v, 3 of phi or omega
inline constexpr int kPair = 2 * kRates;  // of parent and child
inline constexpr int kParentTurn = 3, kChild = kRates, kChildTurn = kRates + 3;  // places in a pair
using BodyVector = Eigen::Matrix<double, kRates, 1>;
using PairVectorOfRates = Eigen::Matrix<double, kPair, 1>;
using PairRow = Eigen::Matrix<double, 1, kPair>;
using PairColumns = Eigen::Matrix<double, 3, kPair>;
using PairMatrix = Eigen::Matrix<double, kPair, kPair>;

struct BodyMotion {
  Vector3d position = Vector3d::Zero();              // r
  Vector4d quaternion{1, 0, 0, 0};                   // q, body -> inertial, of about unit length
  Vector3d velocity = Vector3d::Zero();              // v
  Vector3d angular_velocity = Vector3d::Zero();      // omega
  Matrix3d rotation = Matrix3d::Identity();          // R(q / |q|)
  Vector3d acceleration = Vector3d::Zero();          // v'
  Vector3d angular_acceleration = Vector3d::Zero();  // omega'

  void SetQuaternion(const Vector4d& q);
};

// The motion of a body, or of the ground.
const BodyMotion& MotionOf(std::span<const BodyMotion> bodies, int body);

// With unit quaternions.
std::vector<BodyMotion> MotionsOf(std::span<const BodyState> bodies);
BodyState StateOf(const BodyMotion& body);

// Cross(a) b = a x b.
inline Matrix3d Cross(const Vector3d& a) {
  Matrix3d m;
  m << 0, -a.z(), a.y(), a.z(), 0, -a.x(), -a.y(), a.x(), 0;
  return m;
}

// q * (0, omega) = L(q) omega = Omega(omega) q; at unit length q' = 1/2 L(q) omega and
// d phi = 2 L(q)' dq.
inline Eigen::Matrix<double, 4, 3> LeftProduct(const Vector4d& q) {
  Eigen::Matrix<double, 4, 3> l;
  l << -q[1], -q[2], -q[3],  //
      q[0], -q[3], q[2],     //
      q[3], q[0], -q[1],     //
      -q[2], q[1], q[0];
  return l;
}
inline Eigen::Matrix4d RightProduct(const Vector3d& omega) {
  Eigen::Matrix4d m;
  m << 0, -omega[0], -omega[1], -omega[2],  //
      omega[0], 0, omega[2], -omega[1],     //
      omega[1], -omega[2], 0, omega[0],     //
      omega[2], omega[1], -omega[0], 0;
  return m;
}

}  // namespace mbsbench::absolute
