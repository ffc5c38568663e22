// Articulated-body inertias in blocks, about a point P and in inertial axes:
//
//   [n]   [J   H] [alpha]   [n0]      n, alpha: moment about P, angular acceleration
//   [f] = [H'  M] [  a  ] + [f0]      f, a: force, acceleration of the point of the body in P
//
// is what has to act on the root-side end of a subtree to make it move so (Featherstone 2008,
// eq. 7.17 ff., there I^A and p^A). J and M are symmetric; for one rigid body M = m 1 and
// H = m [c]x, but not after joints have been eliminated.
#pragma once

#include "methods/numerics/block_algebra.h"

namespace mbsbench::articulated_body {

template <class T>
struct ArticulatedInertia {
  Sym<T> M;
  Mat<T> H;
  Sym<T> J;
  Vec<T> n0, f0;
};

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

// Adds a subtree to what the body that carries it has gathered so far. The carrier's point lies at
// -r from the subtree's (a = a_carrier + alpha_carrier x r, n_carrier = n + r x f). kFirst: it has
// gathered nothing.
template <bool kFirst, class T>
[[gnu::always_inline]] inline void AddShifted(const ArticulatedInertia<T>& subtree, const Vec<T>& r,
                                              const ArticulatedInertia<T>& so_far,
                                              ArticulatedInertia<T>& sum) {
  const Mat<T> G = PlusCrossTimes(subtree.H, r, subtree.M);
  if constexpr (kFirst) {
    Put(subtree.M, sum.M);
    Put(G, sum.H);
    Put(MinusTimesCross(PlusCrossTimesTransposed(subtree.J, r, subtree.H), G, r), sum.J);
    Put(AddCross(subtree.n0, r, subtree.f0), sum.n0);
    Put(subtree.f0, sum.f0);
    return;
  }
  Put(so_far.M + subtree.M, sum.M);
  Put(so_far.H + G, sum.H);
  Put(MinusTimesCross(PlusCrossTimesTransposed(so_far.J + subtree.J, r, subtree.H), G, r), sum.J);
  Put(AddCross(so_far.n0 + subtree.n0, r, subtree.f0), sum.n0);
  Put(so_far.f0 + subtree.f0, sum.f0);
}

// The same for a subtree that passes forces only (J = 0, H = 0, n0 = 0): what is behind a ball
// joint.
template <bool kFirst, class T>
[[gnu::always_inline]] inline void AddShiftedForce(const Sym<T>& M, const Vec<T>& f0,
                                                   const Vec<T>& r,
                                                   const ArticulatedInertia<T>& so_far,
                                                   ArticulatedInertia<T>& sum) {
  const Mat<T> G = CrossTimes(r, M);
  if constexpr (kFirst) {
    Put(M, sum.M);
    Put(G, sum.H);
    Put(MinusTimesCross(G, r), sum.J);
    Put(Cross(r, f0), sum.n0);
    Put(f0, sum.f0);
    return;
  }
  Put(so_far.M + M, sum.M);
  Put(so_far.H + G, sum.H);
  Put(MinusTimesCross(so_far.J, G, r), sum.J);
  Put(AddCross(so_far.n0, r, f0), sum.n0);
  Put(so_far.f0 + f0, sum.f0);
}

// Below this share of the trace a joint-space inertia is round-off: its inverse would carry no
// more than three true digits.
inline constexpr double kSingularShare = 1e-13;

// Whether a > b holds; for SIMD packs, in all lanes.
template <class T>
[[gnu::always_inline]] inline bool Exceeds(const T& a, const T& b) {
  return a > b;
}

// A = L D L' of a symmetric positive definite 3 x 3 matrix, by fraction-free elimination (Bareiss):
// as stable as the usual one, but no division waits for another.
template <class T>
struct Factors {
  T l21, l31, l32;
  Vec<T> inverse_d;
  bool regular;
};
template <class T>
[[gnu::always_inline]] inline Factors<T> Factorised(const Sym<T>& A) {
  const T b22 = A.xx * A.yy - A.xy * A.xy;  // minors of the first elimination step
  const T b23 = A.xx * A.yz - A.xy * A.xz;
  const T b33 = A.xx * A.zz - A.xz * A.xz;
  const T c33 = b22 * b33 - b23 * b23;
  const T i1 = T(1) / A.xx, i2 = T(1) / b22, i3 = T(1) / c33;
  const T b11_b22 = A.xx * b22;
  const T least = T(kSingularShare) * Trace(A);
  return {A.xy * i1,
          A.xz * i1,
          b23 * i2,
          {i1, A.xx * i2, b11_b22 * i3},
          Exceeds(A.xx, least) && Exceeds(b22, least * A.xx) && Exceeds(c33, least * b11_b22)};
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

}  // namespace mbsbench::articulated_body
