// The matrices of a body with several inputs as Rui, Bestle, Wang et al. 2020 print them, eqs 6 to 17: the methods carry its inputs one
// by one.
#pragma once

#include <Eigen/Dense>
#include <span>

#include "methods/transfer_elements/body_transfer.h"

namespace mbsbench {

// Columns of the state of a body with several inputs, eq. 6: z of I_1 with (m, q) of I_2 ... I_L
// before the 1.
template <int Dimension>
constexpr int InputsSize(int inputs) {
  using L = StateLayout<Dimension>;
  return L::kSize + (inputs - 1) * L::kHalf;
}
// The first column of m of I_input, input from 1.
template <int Dimension>
constexpr int InputColumn(int input) {
  using L = StateLayout<Dimension>;
  return L::kM + (input - 1) * L::kHalf;
}
// With the state of eq. 6 on one side.
template <int Dimension, class T>
using InputsToState = Eigen::Matrix<T, StateLayout<Dimension>::kSize, Eigen::Dynamic>;
template <int Dimension, class T>
using StateToInputs = Eigen::Matrix<T, Eigen::Dynamic, StateLayout<Dimension>::kSize>;
template <int Dimension, class T>
using InputsToHalf = Eigen::Matrix<T, StateLayout<Dimension>::kHalf, Eigen::Dynamic>;
template <int Dimension, class T>
using StateToHalf = Eigen::Matrix<T, StateLayout<Dimension>::kHalf, StateLayout<Dimension>::kSize>;

// Several input ends, eqs 7 to 9; `body` refers to I_1 and `r_I1I` holds r_I1I2 ... r_I1IL. Eq. 8
// is lost from our text of the paper: rebuilt from eq. 9 and the block numbering of eqs 12 and 13.
template <int Dimension, class T>
InputsToState<Dimension, T> BodyTransfer(const BodyInstant<Dimension, T>& body,
                                         std::span<const Eigen::Matrix<T, Dimension, 1>> r_I1I) {
  using L = StateLayout<Dimension>;
  const int inputs = static_cast<int>(r_I1I.size()) + 1;
  const int size = InputsSize<Dimension>(inputs);
  const auto first = BodyTransfer(body);
  InputsToState<Dimension, T> U(L::kSize, size);
  U.setZero();
  U.leftCols(2 * L::kHalf) = first.leftCols(2 * L::kHalf);
  U.col(size - 1) = first.col(L::kOne);
  for (int j = 2; j <= inputs; ++j) {
    const Eigen::Matrix<T, Dimension, 1> r_IjO = body.r_IO - r_I1I[static_cast<std::size_t>(j - 2)];
    U.template block<L::kHalf, L::kHalf>(L::kM, InputColumn<Dimension>(j)) =
        InputColumns<Dimension, T>(r_IjO);
  }
  return U;
}

// Multi-hinge before a body with several inputs, main transfer equation (11): column block of I_1,
// eq. 12, for input = 1, of I_k, eq. 13, for input = k. The minus signs before u_32^-1 are lost
// from our text of both.
template <int Dimension, class T>
StateToInputs<Dimension, T> MultiHingeTransfer(
    const Eigen::Matrix<T, StateLayout<Dimension>::kSize, Eigen::Dynamic>& outboard, int input) {
  using L = StateLayout<Dimension>;
  constexpr int kR = L::kRotations;
  using Types = TransferTypes<Dimension, T>;
  const Eigen::Index size = outboard.cols();
  const typename Types::RotationMatrix u_32 = outboard.template block<kR, kR>(L::kM, L::kAlpha);
  const auto alpha_rows = (-u_32.inverse() * outboard.template middleRows<kR>(L::kM)).eval();
  StateToInputs<Dimension, T> U(size, L::kSize);
  U.setZero();
  U.template block<kR, L::kHalf>(L::kAlpha, L::kM) =
      alpha_rows.template middleCols<L::kHalf>(InputColumn<Dimension>(input));
  U.template block<L::kHalf, L::kHalf>(InputColumn<Dimension>(input), L::kM).setIdentity();
  if (input > 1) return U;
  U.template block<L::kTranslations, L::kTranslations>(L::kA, L::kA).setIdentity();
  U.template block<kR, L::kTranslations>(L::kAlpha, L::kA) =
      alpha_rows.template leftCols<L::kTranslations>();
  U.template block<kR, 1>(L::kAlpha, L::kOne) = alpha_rows.template rightCols<1>();
  U(size - 1, L::kOne) = T(1);
  return U;
}

// Geometric equations of a multi-hinge: each input end beyond the first moves with the body, and
// transmits no moment, eqs 14 to 17,
//   H_r,m z_Ik = H_O1,Ik z_O,   z_O the state of eq. 6 (15)

// Picks (a, m) out of a state.
template <int Dimension, class T = double>
StateToHalf<Dimension, T> AccelerationAndMomentOfState() {
  using L = StateLayout<Dimension>;
  StateToHalf<Dimension, T> H;
  H.setZero();
  H.template block<L::kTranslations, L::kTranslations>(0, L::kA).setIdentity();
  H.template block<L::kRotations, L::kRotations>(L::kTranslations, L::kM).setIdentity();
  return H;
}

// (a, m) of input end `input` (2 ... inputs) from the state of eq. 6 of a body with that many
// inputs; r_O1Ik leads from the first input to this one. The upper rows are eq. 14.
template <int Dimension, class T>
InputsToHalf<Dimension, T> AccelerationAndMomentOfInput(
    const Eigen::Matrix<T, Dimension, 1>& r_O1Ik,
    const Eigen::Matrix<T, StateLayout<Dimension>::kRotations, 1>& Omega, int input, int inputs) {
  using L = StateLayout<Dimension>;
  InputsToHalf<Dimension, T> H(L::kHalf, InputsSize<Dimension>(inputs));
  H.setZero();
  H.template block<L::kTranslations, L::kTranslations>(0, L::kA).setIdentity();
  H.template block<L::kTranslations, L::kRotations>(0, L::kAlpha) =
      -TildeBeforeRotation(r_O1Ik);  // E_1,Ik of eq. 17
  H.template topRightCorner<L::kTranslations, 1>() = CentripetalPart(Omega, r_O1Ik);  // E_2,Ik
  H.template block<L::kRotations, L::kRotations>(L::kTranslations, InputColumn<Dimension>(input))
      .setIdentity();
  return H;
}

}  // namespace mbsbench
