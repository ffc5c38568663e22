// The Riccati transformation and its recursion.
// Source: Rui, Bestle, Wang et al. 2020, eqs 20 to 33
//
//   [z_a]   [T11 T12] [z_a]   [f_a]
//   [z_b] = [T21 T22] [z_b] + [f_b]      z_a = [m, q], z_b = [a, alpha] (20)
//        O                 I
//   z_a,I = S z_b,I + e (21)
#pragma once

#include "methods/thresholds/thresholds.h"
#include "methods/transfer_elements/state_vector.h"

namespace mbsbench {

// A transfer matrix rearranged as in eq. 20.
template <int Dimension, class T = double>
struct RearrangedTransfer {
  using Types = TransferTypes<Dimension, T>;
  typename Types::HalfMatrix T11, T12, T21, T22;
  typename Types::HalfVector f_a, f_b;
};

template <int Dimension, class T>
RearrangedTransfer<Dimension, T> Rearranged(
    const Eigen::Matrix<T, StateLayout<Dimension>::kSize, StateLayout<Dimension>::kSize>& U) {
  constexpr int kHalf = StateLayout<Dimension>::kHalf;
  RearrangedTransfer<Dimension, T> r;
  r.T11 = U.template block<kHalf, kHalf>(kHalf, kHalf);
  r.T12 = U.template block<kHalf, kHalf>(kHalf, 0);
  r.T21 = U.template block<kHalf, kHalf>(0, kHalf);
  r.T22 = U.template block<kHalf, kHalf>(0, 0);
  r.f_a = U.template block<kHalf, 1>(kHalf, 2 * kHalf);
  r.f_b = U.template block<kHalf, 1>(0, 2 * kHalf);
  return r;
}

// S and e at one connection point.
template <int Dimension, class T = double>
struct RiccatiCoefficients {
  using Types = TransferTypes<Dimension, T>;
  typename Types::HalfMatrix S = Types::HalfMatrix::Zero();  // zero at a free tip (34)
  typename Types::HalfVector e = Types::HalfVector::Zero();
};

// Backward relation of an element, eq. 25: z_b,I = P (z_b,O + q).
template <int Dimension, class T = double>
struct BackSubstitution {
  using Types = TransferTypes<Dimension, T>;
  typename Types::HalfMatrix P;
  typename Types::HalfVector q;
};

// From the input to the output of an element, eqs 24, 29 and 30, with P = (T21 S + T22)^-1 already
// in `back`; fills back.q.
template <int Dimension, class T>
RiccatiCoefficients<Dimension, T> Advanced(const RearrangedTransfer<Dimension, T>& t,
                                           const RiccatiCoefficients<Dimension, T>& in,
                                           BackSubstitution<Dimension, T>& back) {
  back.q = -(t.T21 * in.e + t.f_b);  // (24)
  RiccatiCoefficients<Dimension, T> out;
  out.S = (t.T11 * in.S + t.T12) * back.P;        // (29)
  out.e = t.T11 * in.e + t.f_a + out.S * back.q;  // (30)
  return out;
}

// P of a body: T21 = 0 and T22 = [I, -r_IO~; 0, I], so no inverse is needed.
template <int Dimension, class T>
typename TransferTypes<Dimension, T>::HalfMatrix InverseThroughBody(
    const RearrangedTransfer<Dimension, T>& t) {
  using L = StateLayout<Dimension>;
  auto P = t.T22;
  P.template topRightCorner<L::kTranslations, L::kRotations>() *= T(-1);
  return P;
}

// P of a hinge: the lower rows of N = T21 S + T22 are the angular acceleration beyond the hinge in
// terms of z_b before it. det N is the determinant of its block for alpha, in the plane the D of
// eqs 46 and 47. False if it vanishes: P is then undetermined.
template <int Dimension, class T>
bool InverseThroughHinge(const RearrangedTransfer<Dimension, T>& t,
                         const RiccatiCoefficients<Dimension, T>& in,
                         typename TransferTypes<Dimension, T>::HalfMatrix& P) {
  using L = StateLayout<Dimension>;
  using Types = TransferTypes<Dimension, T>;
  constexpr int kT = L::kTranslations, kR = L::kRotations;
  const Eigen::Matrix<T, kR, L::kHalf> T21 = t.T21.template bottomRows<kR>();
  const Eigen::Matrix<T, kR, L::kHalf> N = T21 * in.S + t.T22.template bottomRows<kR>();
  const typename Types::RotationMatrix D = N.template rightCols<kR>();
  const typename Types::RotationMatrix sums =
      T21.cwiseAbs() * in.S.template rightCols<kR>().cwiseAbs();
  typename Types::RotationMatrix inverse;
  bool invertible = false;
  using std::abs;
  if constexpr (kR == 1) {
    invertible = abs(D(0, 0)) > kThresholds.no_pivot * sums(0, 0);
    inverse(0, 0) = T(1) / D(0, 0);
  } else {
    T determinant;
    D.computeInverseAndDetWithCheck(inverse, determinant, invertible, T(0));
    // 1 / |D^-1| is the distance to the nearest singular matrix.
    invertible = invertible && T(1) > kThresholds.no_pivot * sums.norm() * inverse.norm();
  }
  P.setIdentity();
  P.template bottomLeftCorner<kR, kT>().noalias() = -inverse * N.template leftCols<kT>();
  P.template bottomRightCorner<kR, kR>() = inverse;
  return invertible;
}

}  // namespace mbsbench
