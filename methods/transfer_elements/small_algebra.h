// Vectors and 3 x 3 matrices on any scalar (double, extended precision, SIMD packs) for the kernels
// that run once per body. Plain aggregates: an array of them is a flat array of scalars.
#pragma once

#include "problems/model/geometry.h"

namespace mbsbench {

template <class T>
struct Vec3 {
  T x{}, y{}, z{};
};

// Columns x, y, z: the axes of a frame, where the matrix is a direction cosine matrix.
template <class T>
struct Mat3 {
  Vec3<T> x, y, z;
};

// Symmetric matrix.
template <class T>
struct Sym3 {
  T xx{}, yy{}, zz{}, xy{}, xz{}, yz{};
};

// Constants of a system stay double; a kernel lifts them to its scalar where it uses them.
template <class T>
Vec3<T> Lift(const Vec3<double>& a) {
  return {T(a.x), T(a.y), T(a.z)};
}
template <class T>
Mat3<T> Lift(const Mat3<double>& a) {
  return {Lift<T>(a.x), Lift<T>(a.y), Lift<T>(a.z)};
}
template <class T>
Sym3<T> Lift(const Sym3<double>& a) {
  return {T(a.xx), T(a.yy), T(a.zz), T(a.xy), T(a.xz), T(a.yz)};
}

template <class T>
Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
Vec3<T> operator*(const T& s, const Vec3<T>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
T Dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
Vec3<T> Cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// omega x (omega x r)
template <class T>
Vec3<T> Centripetal(const Vec3<T>& omega, const Vec3<T>& r) {
  return Dot(omega, r) * omega - Dot(omega, omega) * r;
}

template <class T>
Vec3<T> operator*(const Mat3<T>& a, const Vec3<T>& v) {
  return {a.x.x * v.x + a.y.x * v.y + a.z.x * v.z, a.x.y * v.x + a.y.y * v.y + a.z.y * v.z,
          a.x.z * v.x + a.y.z * v.y + a.z.z * v.z};
}
template <class T>
Vec3<T> TransposeTimes(const Mat3<T>& a, const Vec3<T>& v) {
  return {Dot(a.x, v), Dot(a.y, v), Dot(a.z, v)};
}
template <class T>
Mat3<T> operator*(const Mat3<T>& a, const Mat3<T>& b) {
  return {a * b.x, a * b.y, a * b.z};
}
template <class T>
Mat3<T> operator+(const Mat3<T>& a, const Mat3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

template <class T>
Vec3<T> operator*(const Sym3<T>& a, const Vec3<T>& v) {
  return {a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
          a.xz * v.x + a.yz * v.y + a.zz * v.z};
}
template <class T>
Sym3<T> operator+(const Sym3<T>& a, const Sym3<T>& b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
template <class T>
T Trace(const Sym3<T>& a) {
  return a.xx + a.yy + a.zz;
}
template <class T>
Vec3<T> ColumnX(const Sym3<T>& a) {
  return {a.xx, a.xy, a.xz};
}
template <class T>
Vec3<T> ColumnY(const Sym3<T>& a) {
  return {a.xy, a.yy, a.yz};
}
template <class T>
Vec3<T> ColumnZ(const Sym3<T>& a) {
  return {a.xz, a.yz, a.zz};
}

// R J R'.
template <class T>
[[gnu::always_inline]] inline Sym3<T> Rotated(const Mat3<T>& r, const Sym3<T>& j) {
  // Columns of R J.
  const Vec3<T> p = j.xx * r.x + j.xy * r.y + j.xz * r.z;
  const Vec3<T> q = j.xy * r.x + j.yy * r.y + j.yz * r.z;
  const Vec3<T> s = j.xz * r.x + j.yz * r.y + j.zz * r.z;
  return {p.x * r.x.x + q.x * r.y.x + s.x * r.z.x, p.y * r.x.y + q.y * r.y.y + s.y * r.z.y,
          p.z * r.x.z + q.z * r.y.z + s.z * r.z.z, p.x * r.x.y + q.x * r.y.y + s.x * r.z.y,
          p.x * r.x.z + q.x * r.y.z + s.x * r.z.z, p.y * r.x.z + q.y * r.y.z + s.y * r.z.z};
}

// Direction cosine matrix of the quaternion (w, x, y, z) of any norm: the stages of a Runge-Kutta
// step leave the unit sphere by O(h^2), and without the division this would multiply up along a
// chain.
template <class T>
[[gnu::always_inline]] inline Mat3<T> RotationOf(const T& w, const T& x, const T& y, const T& z) {
  const T s = T(2) / (w * w + x * x + y * y + z * z);
  const T sx = s * x, sy = s * y, sz = s * z;
  const T wx = w * sx, wy = w * sy, wz = w * sz;
  const T xx = x * sx, xy = x * sy, xz = x * sz, yy = y * sy, yz = y * sz, zz = z * sz;
  const T one(1);
  return {{one - (yy + zz), xy + wz, xz - wy},
          {xy - wz, one - (xx + zz), yz + wx},
          {xz + wy, yz - wx, one - (xx + yy)}};
}

}  // namespace mbsbench
