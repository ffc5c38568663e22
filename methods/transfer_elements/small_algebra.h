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
  using Vector = Vec3<T>;
  static Mat3 OfQuaternion(const T& w, const T& x, const T& y, const T& z);

  Vec3<T> x, y, z;
};

// Symmetric matrix.
template <class T>
struct Sym3 {
  T xx{}, yy{}, zz{}, xy{}, xz{}, yz{};
};

// Writes an aggregate to memory scalar by scalar. The compiler copies whole aggregates by pairs of
// scalars through the stack, and loading a pair waits for the two stores that made it.
template <class T>
[[gnu::always_inline]] inline void Put(const Vec3<T>& a, Vec3<T>& to) {
  to.x = a.x, to.y = a.y, to.z = a.z;
}
template <class T>
[[gnu::always_inline]] inline void Put(const Mat3<T>& a, Mat3<T>& to) {
  Put(a.x, to.x), Put(a.y, to.y), Put(a.z, to.z);
}
template <class T>
[[gnu::always_inline]] inline void Put(const Sym3<T>& a, Sym3<T>& to) {
  to.xx = a.xx, to.yy = a.yy, to.zz = a.zz, to.xy = a.xy, to.xz = a.xz, to.yz = a.yz;
}

// Constants of a system stay double; a kernel lifts them to its scalar where it uses them.
template <class T>
[[gnu::always_inline]] inline Vec3<T> Lift(const Vec3<double>& a) {
  return {T(a.x), T(a.y), T(a.z)};
}
template <class T>
[[gnu::always_inline]] inline Mat3<T> Lift(const Mat3<double>& a) {
  return {Lift<T>(a.x), Lift<T>(a.y), Lift<T>(a.z)};
}
template <class T>
[[gnu::always_inline]] inline Sym3<T> Lift(const Sym3<double>& a) {
  return {T(a.xx), T(a.yy), T(a.zz), T(a.xy), T(a.xz), T(a.yz)};
}

template <class T>
[[gnu::always_inline]] inline Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
[[gnu::always_inline]] inline Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
[[gnu::always_inline]] inline Vec3<T> operator-(const Vec3<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
[[gnu::always_inline]] inline Vec3<T> operator*(const T& s, const Vec3<T>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
[[gnu::always_inline]] inline T Dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
[[gnu::always_inline]] inline Vec3<T> Cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// s + a x b. Sums are written from left to right, s + a b - c d, so that each product fuses into one
// multiply-add.
template <class T>
[[gnu::always_inline]] inline Vec3<T> AddCross(const Vec3<T>& s, const Vec3<T>& a,
                                               const Vec3<T>& b) {
  return {s.x + a.y * b.z - a.z * b.y, s.y + a.z * b.x - a.x * b.z, s.z + a.x * b.y - a.y * b.x};
}
template <class T>
[[gnu::always_inline]] inline Vec3<T> AddScaled(const Vec3<T>& s, const T& a, const Vec3<T>& b) {
  return {s.x + a * b.x, s.y + a * b.y, s.z + a * b.z};
}
// omega x (omega x r)
template <class T>
[[gnu::always_inline]] inline Vec3<T> DoubleCross(const Vec3<T>& omega, const Vec3<T>& r) {
  const T along = Dot(omega, r), square = Dot(omega, omega);
  return {along * omega.x - square * r.x, along * omega.y - square * r.y,
          along * omega.z - square * r.z};
}
template <class T>
[[gnu::always_inline]] inline Vec3<T> operator*(const Mat3<T>& a, const Vec3<T>& v) {
  return {a.x.x * v.x + a.y.x * v.y + a.z.x * v.z, a.x.y * v.x + a.y.y * v.y + a.z.y * v.z,
          a.x.z * v.x + a.y.z * v.y + a.z.z * v.z};
}
// s + a v
template <class T>
[[gnu::always_inline]] inline Vec3<T> AddTimes(const Vec3<T>& s, const Mat3<T>& a,
                                               const Vec3<T>& v) {
  return {s.x + a.x.x * v.x + a.y.x * v.y + a.z.x * v.z,
          s.y + a.x.y * v.x + a.y.y * v.y + a.z.y * v.z,
          s.z + a.x.z * v.x + a.y.z * v.y + a.z.z * v.z};
}
template <class T>
[[gnu::always_inline]] inline Vec3<T> TransposeTimes(const Mat3<T>& a, const Vec3<T>& v) {
  return {Dot(a.x, v), Dot(a.y, v), Dot(a.z, v)};
}
template <class T>
[[gnu::always_inline]] inline Vec3<T> AddTransposeTimes(const Vec3<T>& s, const Mat3<T>& a,
                                                        const Vec3<T>& v) {
  return {s.x + a.x.x * v.x + a.x.y * v.y + a.x.z * v.z,
          s.y + a.y.x * v.x + a.y.y * v.y + a.y.z * v.z,
          s.z + a.z.x * v.x + a.z.y * v.y + a.z.z * v.z};
}
template <class T>
[[gnu::always_inline]] inline Mat3<T> operator*(const Mat3<T>& a, const Mat3<T>& b) {
  return {a * b.x, a * b.y, a * b.z};
}
template <class T>
[[gnu::always_inline]] inline Mat3<T> operator+(const Mat3<T>& a, const Mat3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

template <class T>
[[gnu::always_inline]] inline Vec3<T> operator*(const Sym3<T>& a, const Vec3<T>& v) {
  return {a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
          a.xz * v.x + a.yz * v.y + a.zz * v.z};
}
template <class T>
[[gnu::always_inline]] inline Vec3<T> AddTimes(const Vec3<T>& s, const Sym3<T>& a,
                                               const Vec3<T>& v) {
  return {s.x + a.xx * v.x + a.xy * v.y + a.xz * v.z, s.y + a.xy * v.x + a.yy * v.y + a.yz * v.z,
          s.z + a.xz * v.x + a.yz * v.y + a.zz * v.z};
}
template <class T>
[[gnu::always_inline]] inline Sym3<T> operator+(const Sym3<T>& a, const Sym3<T>& b) {
  return {a.xx + b.xx, a.yy + b.yy, a.zz + b.zz, a.xy + b.xy, a.xz + b.xz, a.yz + b.yz};
}
template <class T>
[[gnu::always_inline]] inline T Trace(const Sym3<T>& a) {
  return a.xx + a.yy + a.zz;
}
template <class T>
[[gnu::always_inline]] inline Vec3<T> ColumnX(const Sym3<T>& a) {
  return {a.xx, a.xy, a.xz};
}
template <class T>
[[gnu::always_inline]] inline Vec3<T> ColumnY(const Sym3<T>& a) {
  return {a.xy, a.yy, a.yz};
}
template <class T>
[[gnu::always_inline]] inline Vec3<T> ColumnZ(const Sym3<T>& a) {
  return {a.xz, a.yz, a.zz};
}

// R J R' of a diagonal J and an orthogonal R: J.xx 1 + (J.yy - J.xx) y y' + (J.zz - J.xx) z z' with
// the columns y, z of R.
template <class T>
[[gnu::always_inline]] inline Sym3<T> RotatedDiagonal(const Mat3<T>& r, const Sym3<T>& j) {
  const Vec3<T> p = (j.yy - j.xx) * r.y, q = (j.zz - j.xx) * r.z;
  return {j.xx + p.x * r.y.x + q.x * r.z.x, j.xx + p.y * r.y.y + q.y * r.z.y,
          j.xx + p.z * r.y.z + q.z * r.z.z, p.x * r.y.y + q.x * r.z.y,
          p.x * r.y.z + q.x * r.z.z,        p.y * r.y.z + q.y * r.z.z};
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

// Column 0, 1 or 2.
template <int axis, class T>
[[gnu::always_inline]] inline const Vec3<T>& Column(const Mat3<T>& A) {
  return axis == 0 ? A.x : axis == 1 ? A.y : A.z;
}

// A after a turn about its own z axis.
template <class T>
[[gnu::always_inline]] inline Mat3<T> TurnedAboutZ(const Mat3<T>& A, const T& cosine,
                                                   const T& sine) {
  return {cosine * A.x + sine * A.y, cosine * A.y - sine * A.x, A.z};
}

// Columns of A in cyclic order, such that the one numbered `last` (0: x, 1: y, 2: z) comes last.
template <class T>
[[gnu::always_inline]] inline Mat3<T> AxesEndingWith(const Mat3<T>& A, int last) {
  constexpr Vec3<T> Mat3<T>::*kAxes[] = {&Mat3<T>::x, &Mat3<T>::y, &Mat3<T>::z, &Mat3<T>::x,
                                         &Mat3<T>::y};
  const Vec3<T>&x = A.*kAxes[last + 1], &y = A.*kAxes[last + 2], &z = A.*kAxes[last];
  return {{x.x, x.y, x.z}, {y.x, y.y, y.z}, {z.x, z.y, z.z}};
}

// Direction cosine matrix of the quaternion (w, x, y, z) of any norm: the stages of a Runge-Kutta
// step leave the unit sphere by O(h^2), and without the division this would multiply up along a
// chain.
template <class T>
[[gnu::always_inline]] inline Mat3<T> Mat3<T>::OfQuaternion(const T& w, const T& x, const T& y,
                                                            const T& z) {
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
