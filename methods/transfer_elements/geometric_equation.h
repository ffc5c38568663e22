// Further input ends of a body: their motion with the body, and the action of their forces on it.
// Source: Rui, Bestle, Wang et al. 2020, eqs 8, 9, 14, 16 and 17
#pragma once

#include "methods/transfer_elements/body_transfer.h"

namespace mbsbench {

template <int Dimension, class T = double>
struct FurtherInput {
  using Types = TransferTypes<Dimension, T>;
  typename Types::HalfMatrix X;         // z_b at I_1 -> z_b at I_k: upper rows of eq. 14
  typename Types::HalfVector x_5;       // its constant
  typename Types::HalfMatrix to_first;  // (m, q) at I_k -> (m, q) at I_1, E_Ik of eq. 9

  // r_O1Ik is the vector from the first input to this one.
  void Set(const typename Types::Translation& r_O1Ik, const typename Types::Rotation& Omega) {
    constexpr int kT = Types::Layout::kTranslations, kR = Types::Layout::kRotations;
    X.setIdentity();
    X.template topRightCorner<kT, kR>() = -TildeBeforeRotation(r_O1Ik);  // E_1,Ik of eq. 17
    x_5.setZero();
    x_5.template head<kT>() = CentripetalPart(Omega, r_O1Ik);  // E_2,Ik
    to_first = InputColumns<Dimension, T>(-r_O1Ik);
  }
};

}  // namespace mbsbench
