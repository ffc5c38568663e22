// Geometric equations of a multi-hinge: each input end beyond the first moves with the body, and
// transmits no moment. Source: Rui, Bestle, Wang et al. 2020, eqs 14 to 17
//   H_r,m z_Ik = H_O1,Ik z_O,   z_O the state of eq. 6 (15)
#pragma once

#include "methods/transfer_elements/state_vector.h"

namespace mbsbench {

// Picks (a, m) out of a state.
template <int Dimension, class T = double>
typename TransferTypes<Dimension, T>::StateToHalf AccelerationAndMomentOfState() {
  using L = StateLayout<Dimension>;
  typename TransferTypes<Dimension, T>::StateToHalf H;
  H.setZero();
  H.template block<L::kTranslations, L::kTranslations>(0, L::kA).setIdentity();
  H.template block<L::kRotations, L::kRotations>(L::kTranslations, L::kM).setIdentity();
  return H;
}

// (a, m) of input end `input` (2 ... inputs) from the state of eq. 6 of a body with that many
// inputs; r_O1Ik leads from the first input to this one. The upper rows are eq. 14.
template <int Dimension, class T>
typename TransferTypes<Dimension, T>::InputsToHalf AccelerationAndMomentOfInput(
    const Eigen::Matrix<T, Dimension, 1>& r_O1Ik,
    const Eigen::Matrix<T, StateLayout<Dimension>::kRotations, 1>& Omega, int input, int inputs) {
  using L = StateLayout<Dimension>;
  typename TransferTypes<Dimension, T>::InputsToHalf H(L::kHalf, L::InputsSize(inputs));
  H.setZero();
  H.template block<L::kTranslations, L::kTranslations>(0, L::kA).setIdentity();
  H.template block<L::kTranslations, L::kRotations>(0, L::kAlpha) =
      -TildeBeforeRotation(r_O1Ik);  // E_1,Ik of eq. 17
  H.template topRightCorner<L::kTranslations, 1>() = CentripetalPart(Omega, r_O1Ik);  // E_2,Ik
  H.template block<L::kRotations, L::kRotations>(L::kTranslations, L::InputColumn(input))
      .setIdentity();
  return H;
}

}  // namespace mbsbench
