// Vectors, 3 x 3 matrices and symmetric 3 x 3 matrices on any scalar (double, extended precision,
// SIMD packs), for kernels that run once per body: aggregates of scalars, every product written
// out.
#pragma once

#include <limits>
#include <type_traits>

#include "methods/numerics/lanes.h"
#include "problems/model/geometry.h"

namespace mbsbench {

template <class T>
struct Vec {
  T x{}, y{}, z{};
};

// Rows x, y, z.
template <class T>
struct Mat {
  using Vector = Vec<T>;
  static Mat OfQuaternion(const T& w, const T& x, const T& y, const T& z);

  Vec<T> x, y, z;
};

template <class T>
struct Sym {
  T xx{}, xy{}, xz{}, yy{}, yz{}, zz{};
};

// Writes an aggregate to memory scalar by scalar. The compiler copies whole aggregates through the
// stack in pairs of scalars, and loading a pair stalls on the two stores.
template <class T>
[[gnu::always_inline]] inline void Put(const Vec<T>& a, Vec<T>& to) {
  to.x = a.x, to.y = a.y, to.z = a.z;
}
template <class T>
[[gnu::always_inline]] inline void Put(const Mat<T>& a, Mat<T>& to) {
  Put(a.x, to.x), Put(a.y, to.y), Put(a.z, to.z);
}
template <class T>
[[gnu::always_inline]] inline void Put(const Sym<T>& a, Sym<T>& to) {
  to.xx = a.xx, to.xy = a.xy, to.xz = a.xz, to.yy = a.yy, to.yz = a.yz, to.zz = a.zz;
}

template <class T>
[[gnu::always_inline]] inline Vec<T> operator+(const Vec<T>& a, const Vec<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
[[gnu::always_inline]] inline Vec<T> operator-(const Vec<T>& a, const Vec<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
[[gnu::always_inline]] inline Vec<T> operator-(const Vec<T>& a) {
  return {-a.x, -a.y, -a.z};
}
template <class T>
[[gnu::always_inline]] inline Vec<T> operator*(const T& s, const Vec<T>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
[[gnu::always_inline]] inline T Dot(const Vec<T>& a, const Vec<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
[[gnu::always_inline]] inline Vec<T> Cross(const Vec<T>& a, const Vec<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
// Sums are written from left to right, s + a b - c d, so that each product fuses into one
// multiply-add.
template <class T>
[[gnu::always_inline]] inline Vec<T> AddCross(const Vec<T>& s, const Vec<T>& a, const Vec<T>& b) {
  return {s.x + a.y * b.z - a.z * b.y, s.y + a.z * b.x - a.x * b.z, s.z + a.x * b.y - a.y * b.x};
}
template <class T>
[[gnu::always_inline]] inline Vec<T> AddScaled(const Vec<T>& s, const T& a, const Vec<T>& b) {
  return {s.x + a * b.x, s.y + a * b.y, s.z + a * b.z};
}
// a x (a x b), by two dot products.
template <class T>
[[gnu::always_inline]] inline Vec<T> DoubleCross(const Vec<T>& a, const Vec<T>& b) {
  const T along = Dot(a, b), square = Dot(a, a);
  return {along * a.x - square * b.x, along * a.y - square * b.y, along * a.z - square * b.z};
}

template <class T>
[[gnu::always_inline]] inline Vec<T> AddDoubleCross(const Vec<T>& s, const Vec<T>& a,
                                                    const Vec<T>& b) {
  const T along = Dot(a, b), square = Dot(a, a);
  return {s.x + along * a.x - square * b.x, s.y + along * a.y - square * b.y,
          s.z + along * a.z - square * b.z};
}

template <class T>
[[gnu::always_inline]] inline Mat<T> operator+(const Mat<T>& a, const Mat<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
[[gnu::always_inline]] inline Vec<T> operator*(const Mat<T>& a, const Vec<T>& v) {
  return {Dot(a.x, v), Dot(a.y, v), Dot(a.z, v)};
}
template <class T>
[[gnu::always_inline]] inline Vec<T> AddTimes(const Vec<T>& s, const Mat<T>& a, const Vec<T>& v) {
  return {s.x + a.x.x * v.x + a.x.y * v.y + a.x.z * v.z,
          s.y + a.y.x * v.x + a.y.y * v.y + a.y.z * v.z,
          s.z + a.z.x * v.x + a.z.y * v.y + a.z.z * v.z};
}
// a' v
template <class T>
[[gnu::always_inline]] inline Vec<T> TransposeTimes(const Mat<T>& a, const Vec<T>& v) {
  return {a.x.x * v.x + a.y.x * v.y + a.z.x * v.z, a.x.y * v.x + a.y.y * v.y + a.z.y * v.z,
          a.x.z * v.x + a.y.z * v.y + a.z.z * v.z};
}
template <class T>
[[gnu::always_inline]] inline Vec<T> AddTransposeTimes(const Vec<T>& s, const Mat<T>& a,
                                                       const Vec<T>& v) {
  return {s.x + a.x.x * v.x + a.y.x * v.y + a.z.x * v.z,
          s.y + a.x.y * v.x + a.y.y * v.y + a.z.y * v.z,
          s.z + a.x.z * v.x + a.y.z * v.y + a.z.z * v.z};
}
template <class T>
[[gnu::always_inline]] inline Mat<T> operator*(const Mat<T>& a, const Mat<T>& b) {
  return {TransposeTimes(b, a.x), TransposeTimes(b, a.y), TransposeTimes(b, a.z)};
}
template <class T>
[[gnu::always_inline]] inline Mat<T> Transposed(const Mat<T>& a) {
  return {{a.x.x, a.y.x, a.z.x}, {a.x.y, a.y.y, a.z.y}, {a.x.z, a.y.z, a.z.z}};
}
// a' b
template <class T>
[[gnu::always_inline]] inline Mat<T> TransposeTimes(const Mat<T>& a, const Mat<T>& b) {
  return Transposed(a) * b;
}
template <class T>
[[gnu::always_inline]] inline Mat<T> Identity() {
  return {{T(1), T(0), T(0)}, {T(0), T(1), T(0)}, {T(0), T(0), T(1)}};
}
template <class T>
[[gnu::always_inline]] inline bool IsIdentity(const Mat<T>& a) {
  const auto is = [](const Vec<T>& v, int x, int y, int z) {
    return v.x == T(x) && v.y == T(y) && v.z == T(z);
  };
  return is(a.x, 1, 0, 0) && is(a.y, 0, 1, 0) && is(a.z, 0, 0, 1);
}

template <class T>
[[gnu::always_inline]] inline Sym<T> operator+(const Sym<T>& a, const Sym<T>& b) {
  return {a.xx + b.xx, a.xy + b.xy, a.xz + b.xz, a.yy + b.yy, a.yz + b.yz, a.zz + b.zz};
}
template <class T>
[[gnu::always_inline]] inline Vec<T> operator*(const Sym<T>& a, const Vec<T>& v) {
  return {a.xx * v.x + a.xy * v.y + a.xz * v.z, a.xy * v.x + a.yy * v.y + a.yz * v.z,
          a.xz * v.x + a.yz * v.y + a.zz * v.z};
}
template <class T>
[[gnu::always_inline]] inline Vec<T> AddTimes(const Vec<T>& s, const Sym<T>& a, const Vec<T>& v) {
  return {s.x + a.xx * v.x + a.xy * v.y + a.xz * v.z, s.y + a.xy * v.x + a.yy * v.y + a.yz * v.z,
          s.z + a.xz * v.x + a.yz * v.y + a.zz * v.z};
}
template <class T>
[[gnu::always_inline]] inline T Trace(const Sym<T>& a) {
  return a.xx + a.yy + a.zz;
}

// H += [h]x
template <class T>
[[gnu::always_inline]] inline void AddCrossMatrix(const Vec<T>& h, Mat<T>& H) {
  H.x.y = H.x.y - h.z;
  H.x.z = H.x.z + h.y;
  H.y.x = H.y.x + h.z;
  H.y.z = H.y.z - h.x;
  H.z.x = H.z.x - h.y;
  H.z.y = H.z.y + h.x;
}

// [r]x M
template <class T>
[[gnu::always_inline]] inline Mat<T> CrossTimes(const Vec<T>& r, const Sym<T>& M) {
  return {{r.y * M.xz - r.z * M.xy, r.y * M.yz - r.z * M.yy, r.y * M.zz - r.z * M.yz},
          {r.z * M.xx - r.x * M.xz, r.z * M.xy - r.x * M.yz, r.z * M.xz - r.x * M.zz},
          {r.x * M.xy - r.y * M.xx, r.x * M.yy - r.y * M.xy, r.x * M.yz - r.y * M.xz}};
}

// H + [r]x M
template <class T>
[[gnu::always_inline]] inline Mat<T> PlusCrossTimes(const Mat<T>& H, const Vec<T>& r,
                                                    const Sym<T>& M) {
  return {{H.x.x + r.y * M.xz - r.z * M.xy, H.x.y + r.y * M.yz - r.z * M.yy,
           H.x.z + r.y * M.zz - r.z * M.yz},
          {H.y.x + r.z * M.xx - r.x * M.xz, H.y.y + r.z * M.xy - r.x * M.yz,
           H.y.z + r.z * M.xz - r.x * M.zz},
          {H.z.x + r.x * M.xy - r.y * M.xx, H.z.y + r.x * M.yy - r.y * M.xy,
           H.z.z + r.x * M.yz - r.y * M.xz}};
}

// S - G [r]x, where the result is known to be symmetric.
template <class T>
[[gnu::always_inline]] inline Sym<T> MinusTimesCross(const Sym<T>& S, const Mat<T>& G,
                                                     const Vec<T>& r) {
  return {S.xx + r.y * G.x.z - r.z * G.x.y, S.xy + r.z * G.x.x - r.x * G.x.z,
          S.xz + r.x * G.x.y - r.y * G.x.x, S.yy + r.z * G.y.x - r.x * G.y.z,
          S.yz + r.x * G.y.y - r.y * G.y.x, S.zz + r.x * G.z.y - r.y * G.z.x};
}

// -G [r]x, where the result is known to be symmetric.
template <class T>
[[gnu::always_inline]] inline Sym<T> MinusTimesCross(const Mat<T>& G, const Vec<T>& r) {
  return {r.y * G.x.z - r.z * G.x.y, r.z * G.x.x - r.x * G.x.z, r.x * G.x.y - r.y * G.x.x,
          r.z * G.y.x - r.x * G.y.z, r.x * G.y.y - r.y * G.y.x, r.x * G.z.y - r.y * G.z.x};
}

// S + [r]x H', upper half.
template <class T>
[[gnu::always_inline]] inline Sym<T> PlusCrossTimesTransposed(const Sym<T>& S, const Vec<T>& r,
                                                              const Mat<T>& H) {
  return {S.xx + r.y * H.x.z - r.z * H.x.y, S.xy + r.y * H.y.z - r.z * H.y.y,
          S.xz + r.y * H.z.z - r.z * H.z.y, S.yy + r.z * H.y.x - r.x * H.y.z,
          S.yz + r.z * H.z.x - r.x * H.z.z, S.zz + r.x * H.z.y - r.y * H.z.x};
}

// R a R': a symmetric matrix transformed into the axes to which R rotates.
template <class T>
[[gnu::always_inline]] inline Sym<T> Turned(const Mat<T>& R, const Sym<T>& a) {
  const Vec<T> x = a * R.x, y = a * R.y, z = a * R.z;  // columns of a R'
  return {Dot(R.x, x), Dot(R.x, y), Dot(R.x, z), Dot(R.y, y), Dot(R.y, z), Dot(R.z, z)};
}
// R d R' for a diagonal matrix d and an orthogonal R: d.x 1 + (d.y - d.x) r2 r2' + (d.z - d.x) r3
// r3' with the columns r2, r3 of R.
template <class T>
[[gnu::always_inline]] inline Sym<T> TurnedDiagonal(const Mat<T>& R, const Sym<T>& d) {
  const T y = d.yy - d.xx, z = d.zz - d.xx;
  const Vec<T> r2{R.x.y, R.y.y, R.z.y}, r3{R.x.z, R.y.z, R.z.z};
  const Vec<T> a = y * r2, b = z * r3;
  return {d.xx + a.x * r2.x + b.x * r3.x, a.x * r2.y + b.x * r3.y, a.x * r2.z + b.x * r3.z,
          d.xx + a.y * r2.y + b.y * r3.y, a.y * r2.z + b.y * r3.z, d.xx + a.z * r2.z + b.z * r3.z};
}

// Direction cosine matrix of a quaternion of any length: within a step integrators leave the unit
// sphere, and errors of the length would multiply along a chain.
template <class T>
[[gnu::always_inline]] inline Mat<T> Mat<T>::OfQuaternion(const T& w, const T& x, const T& y,
                                                          const T& z) {
  const T s = T(2) / (w * w + x * x + y * y + z * z);
  const T sx = s * x, sy = s * y, sz = s * z;
  const T xx = sx * x, xy = sx * y, xz = sx * z, yy = sy * y, yz = sy * z, zz = sz * z;
  const T wx = sx * w, wy = sy * w, wz = sz * w;
  return {{T(1) - (yy + zz), xy - wz, xz + wy},
          {xy + wz, T(1) - (xx + zz), yz - wx},
          {xz - wy, yz + wx, T(1) - (xx + yy)}};
}

// Column 0, 1 or 2.
template <int axis, class T>
[[gnu::always_inline]] inline Vec<T> Column(const Mat<T>& R) {
  constexpr T Vec<T>::*kEntry = axis == 0 ? &Vec<T>::x : axis == 1 ? &Vec<T>::y : &Vec<T>::z;
  return {R.x.*kEntry, R.y.*kEntry, R.z.*kEntry};
}

// R after a turn about its own z axis.
template <class T>
[[gnu::always_inline]] inline Mat<T> TurnedAboutZ(const Mat<T>& R, const T& cosine, const T& sine) {
  const auto turned = [&cosine, &sine](const Vec<T>& row) -> Vec<T> {
    return {row.x * cosine + row.y * sine, row.y * cosine - row.x * sine, row.z};
  };
  return {turned(R.x), turned(R.y), turned(R.z)};
}

// Axes of R in cyclic order, such that the one numbered `last` (0: x, 1: y, 2: z) comes last.
template <class T>
[[gnu::always_inline]] inline Mat<T> AxesEndingWith(const Mat<T>& R, int last) {
  constexpr T Vec<T>::*kAxes[] = {&Vec<T>::x, &Vec<T>::y, &Vec<T>::z, &Vec<T>::x, &Vec<T>::y};
  const auto x = kAxes[last + 1], y = kAxes[last + 2], z = kAxes[last];
  return {{R.x.*x, R.x.*y, R.x.*z}, {R.y.*x, R.y.*y, R.y.*z}, {R.z.*x, R.z.*y, R.z.*z}};
}

// A direction cosine matrix with the rounding errors of right angles removed.
template <class T>
Mat<T> Squared(Mat<T> R) {
  using Limits =
      std::numeric_limits<std::conditional_t<std::numeric_limits<T>::is_specialized, T, double>>;
  const T few_roundings(4 * Limits::epsilon());
  for (Vec<T> Mat<T>::*row : {&Mat<T>::x, &Mat<T>::y, &Mat<T>::z}) {
    for (T Vec<T>::*column : {&Vec<T>::x, &Vec<T>::y, &Vec<T>::z}) {
      T& entry = R.*row.*column;
      for (int right : {-1, 0, 1}) {
        const T off = entry - T(right);
        if (off < few_roundings && -off < few_roundings) entry = T(right);
      }
    }
  }
  return R;
}

// Unit quaternion of a direction cosine matrix, by the largest of the four squares, so that none is
// computed as a small difference.
inline Quaternion QuaternionOf(const Mat<double>& R) {
  const double trace = R.x.x + R.y.y + R.z.z;
  Quaternion q;
  if (trace >= R.x.x && trace >= R.y.y && trace >= R.z.z) {
    q = {1 + trace, R.z.y - R.y.z, R.x.z - R.z.x, R.y.x - R.x.y};
  } else if (R.x.x >= R.y.y && R.x.x >= R.z.z) {
    q = {R.z.y - R.y.z, 1 + 2 * R.x.x - trace, R.x.y + R.y.x, R.x.z + R.z.x};
  } else if (R.y.y >= R.z.z) {
    q = {R.x.z - R.z.x, R.x.y + R.y.x, 1 + 2 * R.y.y - trace, R.y.z + R.z.y};
  } else {
    q = {R.y.x - R.x.y, R.x.z + R.z.x, R.y.z + R.z.y, 1 + 2 * R.z.z - trace};
  }
  return Normalised(q);
}

// Inertia of a mass m in c about the origin (Steiner's theorem).
template <class T>
Sym<T> PointInertia(const T& m, const Vec<T>& c) {
  const Vec<T> mc = m * c;
  const T square = Dot(mc, c);
  return {square - mc.x * c.x, -mc.x * c.y, -mc.x * c.z,
          square - mc.y * c.y, -mc.y * c.z, square - mc.z * c.z};
}

// The type of a system's constants: the scalar of one lane, since all lanes are equal.
template <class T>
struct ConstantOf {
  using type = T;
};
template <std::size_t n>
struct ConstantOf<LanesOf<n>> {
  using type = double;
};
template <class T>
using Constant = typename ConstantOf<T>::type;

// Constants as scalars of a kernel.
template <class T, class C>
[[gnu::always_inline]] inline Vec<T> Raise(const Vec<C>& a) {
  return {T(a.x), T(a.y), T(a.z)};
}
template <class T, class C>
[[gnu::always_inline]] inline Mat<T> Raise(const Mat<C>& a) {
  return {Raise<T>(a.x), Raise<T>(a.y), Raise<T>(a.z)};
}
template <class T, class C>
[[gnu::always_inline]] inline Sym<T> Raise(const Sym<C>& a) {
  return {T(a.xx), T(a.xy), T(a.xz), T(a.yy), T(a.yz), T(a.zz)};
}

// Exact conversion from the types of the model.
template <class T>
[[gnu::always_inline]] inline Vec<T> Lift(const Vector3& v) {
  return {T(v.x), T(v.y), T(v.z)};
}
template <class T>
[[gnu::always_inline]] inline Mat<T> Lift(const Quaternion& q) {
  return Mat<T>::OfQuaternion(T(q.w), T(q.x), T(q.y), T(q.z));
}
inline Vector3 Plain(const Vec<double>& v) { return {v.x, v.y, v.z}; }
inline Vec<double> Lifted(const Vector3& v) { return {v.x, v.y, v.z}; }
template <class T>
[[gnu::always_inline]] inline Sym<T> LiftSymmetric(const SymmetricMatrix3& m) {
  return {T(m(0, 0)), T(m(0, 1)), T(m(0, 2)), T(m(1, 1)), T(m(1, 2)), T(m(2, 2))};
}

}  // namespace mbsbench
