// Transfer matrix of a smooth ball hinge (in the plane: a pin).
// Source: Rui, Bestle, Wang et al. 2020, eq. 10
//
// a, m and q pass unchanged. The angular acceleration beyond the hinge comes from the third block
// row u_3 of the body on its root side, whose output end transmits no moment either:
//   0 = u_31 a + u_32 alpha + u_33 m + u_34 q + u_35.
// So such a hinge exists only where that output end is a ball hinge too and u_32 is regular. u_32
// vanishes on a body whose output is the centre of percussion of its input.
#pragma once

#include <Eigen/LU>

#include "methods/transfer_elements/state_vector.h"

namespace mbsbench {

// `outboard` is the transfer matrix of the body on the root side.
template <int Dimension, class T>
typename TransferTypes<Dimension, T>::Transfer BallHingeTransfer(
    const Eigen::Matrix<T, StateLayout<Dimension>::kSize, StateLayout<Dimension>::kSize>&
        outboard) {
  using L = StateLayout<Dimension>;
  constexpr int kR = L::kRotations;
  using Types = TransferTypes<Dimension, T>;
  const typename Types::RotationMatrix u_32 = outboard.template block<kR, kR>(L::kM, L::kAlpha);
  typename Types::Transfer U = Types::Transfer::Identity();
  U.template middleRows<kR>(L::kAlpha) = -u_32.inverse() * outboard.template middleRows<kR>(L::kM);
  U.template block<kR, kR>(L::kAlpha, L::kAlpha).setZero();
  return U;
}

}  // namespace mbsbench
