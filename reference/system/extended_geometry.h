// Vectors, quaternions and rotations in extended precision.
#pragma once

#include <array>

#include "problems/model/geometry.h"
#include "reference/numerics/real.h"

namespace mbsbench::extended {

struct Vec3 {
  Real x = 0, y = 0, z = 0;
};

// w + xi + yj + zk, body -> inertial like the model's. Functions that accept any length say so.
struct Quat {
  Real w = 1, x = 0, y = 0, z = 0;
};

struct Mat3 {
  std::array<Real, 9> m{1, 0, 0, 0, 1, 0, 0, 0, 1};  // row-major
  Real operator()(int i, int j) const { return m[static_cast<std::size_t>(3 * i + j)]; }
  Real& operator()(int i, int j) { return m[static_cast<std::size_t>(3 * i + j)]; }
};

inline Vec3 operator+(const Vec3& a, const Vec3& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
inline Vec3 operator-(const Vec3& a, const Vec3& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
inline Vec3 operator-(const Vec3& a) { return {-a.x, -a.y, -a.z}; }
inline Vec3 operator*(Real s, const Vec3& a) { return {s * a.x, s * a.y, s * a.z}; }
inline Real Dot(const Vec3& a, const Vec3& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
inline Vec3 Cross(const Vec3& a, const Vec3& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
inline Real Norm(const Vec3& a) { return Sqrt(Dot(a, a)); }

inline Quat operator*(const Quat& a, const Quat& b) {
  return {
      a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z, a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
      a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x, a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
inline Quat Conjugate(const Quat& q) { return {q.w, -q.x, -q.y, -q.z}; }
inline Real SquaredNorm(const Quat& q) { return q.w * q.w + q.x * q.x + q.y * q.y + q.z * q.z; }
inline Quat Normalised(const Quat& q) {
  const Real s = 1 / Sqrt(SquaredNorm(q));
  return {s * q.w, s * q.x, s * q.y, s * q.z};
}

inline Vec3 operator*(const Mat3& a, const Vec3& v) {
  return {a(0, 0) * v.x + a(0, 1) * v.y + a(0, 2) * v.z,
          a(1, 0) * v.x + a(1, 1) * v.y + a(1, 2) * v.z,
          a(2, 0) * v.x + a(2, 1) * v.y + a(2, 2) * v.z};
}
// a' v
inline Vec3 TransposeTimes(const Mat3& a, const Vec3& v) {
  return {a(0, 0) * v.x + a(1, 0) * v.y + a(2, 0) * v.z,
          a(0, 1) * v.x + a(1, 1) * v.y + a(2, 1) * v.z,
          a(0, 2) * v.x + a(1, 2) * v.y + a(2, 2) * v.z};
}

// Rotation of a quaternion of any nonzero length: between the stages of a step the length is not
// exactly one, and this makes the vector field smooth and independent of it.
inline Mat3 RotationOf(const Quat& q) {
  const Real s = 2 / SquaredNorm(q);
  const Real sx = s * q.x, sy = s * q.y, sz = s * q.z;
  const Real wx = sx * q.w, wy = sy * q.w, wz = sz * q.w;
  const Real xx = sx * q.x, xy = sx * q.y, xz = sx * q.z;
  const Real yy = sy * q.y, yz = sy * q.z, zz = sz * q.z;
  return {{1 - (yy + zz), xy - wz, xz + wy, xy + wz, 1 - (xx + zz), yz - wx, xz - wy, yz + wx,
           1 - (xx + yy)}};
}

inline Quat AxisAngle(const Vec3& axis, Real angle) {
  const Real s = Sin(angle / 2);
  return {Cos(angle / 2), s * axis.x, s * axis.y, s * axis.z};
}

// Angle of the rotation between two attitudes.
inline Real AngleBetween(const Quat& a, const Quat& b) {
  const Quat d = a * Conjugate(b);
  return 2 * Atan2(Norm(Vec3{d.x, d.y, d.z}), Abs(d.w));
}

// Exactly the doubles that a problem states.
inline Vec3 Extend(const Vector3& v) { return {v.x, v.y, v.z}; }
inline Quat Extend(const Quaternion& q) { return {q.w, q.x, q.y, q.z}; }
inline Mat3 Extend(const Matrix3& a) {
  Mat3 e;
  for (std::size_t i = 0; i < 9; ++i) e.m[i] = a.m[i];
  return e;
}
inline Vector3 Round(const Vec3& v) {
  return {static_cast<double>(v.x), static_cast<double>(v.y), static_cast<double>(v.z)};
}
inline Quaternion Round(const Quat& q) {
  return {static_cast<double>(q.w), static_cast<double>(q.x), static_cast<double>(q.y),
          static_cast<double>(q.z)};
}

}  // namespace mbsbench::extended
