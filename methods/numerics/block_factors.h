// A = L D L' of a symmetric positive definite 3 x 3 matrix, on any scalar.
#pragma once

#include "methods/numerics/block_algebra.h"

namespace mbsbench {

// Whether a > b holds; for SIMD packs, in all lanes.
template <class T>
[[gnu::always_inline]] inline bool Exceeds(const T& a, const T& b) {
  return a > b;
}

// In a sweep to the root: keeps the first failure, because groups nearer to the root only inherit its
// infinities.
inline void NoteSingular(bool regular, int index, int& singular) {
  if (!regular && singular == 0) [[unlikely]]
    singular = index;
}

template <class T>
struct Factors {
  T l21{}, l31{}, l32{};
  Vec<T> inverse_d;
  bool regular = false;
};

// By fraction-free elimination (Bareiss): as stable as the usual one, but the divisions are independent. Regular if A is
// positive definite and its smallest eigenvalue is above the fraction `least_share` of the trace: det A by the sum of the
// principal minors, which is between a third of the eigenvalue and all of it. Unlike pivots, that does not depend on the
// axes: if the null vector is at an angle a from an axis, pivots contain rounding errors times 1 / cos^2 a. (If two
// eigenvalues vanish, both numbers are round-off; then the sum of the minors is too small.)
template <class T>
[[gnu::always_inline]] inline Factors<T> Factorised(const Sym<T>& A, double least_share) {
  const T b22 = A.xx * A.yy - A.xy * A.xy;  // minors of the first elimination step
  const T b23 = A.xx * A.yz - A.xy * A.xz;
  const T b33 = A.xx * A.zz - A.xz * A.xz;
  const T c33 = b22 * b33 - b23 * b23;
  const T i1 = T(1) / A.xx, i2 = T(1) / b22, i3 = T(1) / c33;
  const T minors = b22 + b33 + (A.yy * A.zz - A.yz * A.yz);
  const T trace = Trace(A), least = T(least_share) * trace;
  return {A.xy * i1,
          A.xz * i1,
          b23 * i2,
          {i1, A.xx * i2, A.xx * b22 * i3},
          Exceeds(A.xx, T(0)) && Exceeds(b22, T(0)) && Exceeds(minors, least * trace) &&
              Exceeds(c33, least * A.xx * minors)};
}

// L^-1 applied to rows, and L'^-1.
template <class R, class T>
[[gnu::always_inline]] inline void SolveLower(const Factors<T>& f, R& first, R& second, R& third) {
  second = second - f.l21 * first;
  third = third - f.l31 * first - f.l32 * second;
}
template <class R, class T>
[[gnu::always_inline]] inline void SolveUpper(const Factors<T>& f, R& first, R& second, R& third) {
  second = second - f.l32 * third;
  first = first - f.l21 * second - f.l31 * third;
}

// L^-1 b, D^-1 b, L'^-1 b
template <class T>
[[gnu::always_inline]] inline Vec<T> Forward(const Factors<T>& f, Vec<T> b) {
  SolveLower(f, b.x, b.y, b.z);
  return b;
}
template <class T>
[[gnu::always_inline]] inline Vec<T> Scaled(const Factors<T>& f, const Vec<T>& b) {
  return {f.inverse_d.x * b.x, f.inverse_d.y * b.y, f.inverse_d.z * b.z};
}
template <class T>
[[gnu::always_inline]] inline Vec<T> Backward(const Factors<T>& f, Vec<T> b) {
  SolveUpper(f, b.x, b.y, b.z);
  return b;
}

}  // namespace mbsbench
