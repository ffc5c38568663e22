// Articulated-body inertias in blocks, about a point P and in inertial axes:
//
//   [n]   [J   H] [alpha]   [n0]      n, alpha: moment about P, angular acceleration
//   [f] = [H'  M] [  a  ] + [f0]      f, a: force, acceleration of the point of the body in P
//
// is the wrench on the root-side end of a subtree that causes this motion (Featherstone 2008, eq.
// 7.17 ff., there I^A and p^A). J and M are symmetric; for one rigid body M = m 1 and H = m [c]x,
// but not after joints have been eliminated.
#pragma once

#include "methods/numerics/block_factors.h"

namespace mbsbench::articulated_body {

template <class T>
struct ArticulatedInertia {
  Sym<T> M;
  Mat<T> H;
  Sym<T> J;
  Vec<T> n0, f0;
};

// Adds a subtree to the accumulated sum of the body that carries it. The carrier's point is at -r
// from the subtree's (a = a_carrier + alpha_carrier x r, n_carrier = n + r x f). kFirst: the sum is
// still empty.
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

// AddShifted for a subtree that transmits forces only (J = 0, H = 0, n0 = 0), outboard of a ball
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

}  // namespace mbsbench::articulated_body
