// Transfer matrices of smooth ball hinges (in the plane: pins).
// Source: Rui, Bestle, Wang et al. 2020, eqs 10 to 13
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

// One input, eq. 10; `outboard` is the transfer matrix of the body on the root side.
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

// Multi-hinge before a body with several inputs, main transfer equation (11): column block of I_1,
// eq. 12, for input = 1, of I_k, eq. 13, for input = k. The minus signs before u_32^-1 are lost
// from our text of both.
template <int Dimension, class T>
typename TransferTypes<Dimension, T>::StateToInputs MultiHingeTransfer(
    const Eigen::Matrix<T, StateLayout<Dimension>::kSize, Eigen::Dynamic>& outboard, int input) {
  using L = StateLayout<Dimension>;
  constexpr int kR = L::kRotations;
  using Types = TransferTypes<Dimension, T>;
  const Eigen::Index size = outboard.cols();
  const typename Types::RotationMatrix u_32 = outboard.template block<kR, kR>(L::kM, L::kAlpha);
  const auto alpha_rows = (-u_32.inverse() * outboard.template middleRows<kR>(L::kM)).eval();
  typename Types::StateToInputs U(size, L::kSize);
  U.setZero();
  U.template block<kR, L::kHalf>(L::kAlpha, L::kM) =
      alpha_rows.template middleCols<L::kHalf>(L::InputColumn(input));
  U.template block<L::kHalf, L::kHalf>(L::InputColumn(input), L::kM).setIdentity();
  if (input > 1) return U;
  U.template block<L::kTranslations, L::kTranslations>(L::kA, L::kA).setIdentity();
  U.template block<kR, L::kTranslations>(L::kAlpha, L::kA) =
      alpha_rows.template leftCols<L::kTranslations>();
  U.template block<kR, 1>(L::kAlpha, L::kOne) = alpha_rows.template rightCols<1>();
  U(size - 1, L::kOne) = T(1);
  return U;
}

}  // namespace mbsbench
