// Transfer matrices of rigid bodies.
// Source: Rui, Bestle, Wang et al. 2020, eqs 3 to 9
//
// z_O = U z_I from the input end I (tip side) to the output end O (root side). Row by row, with the
// signs of state_vector.h:
//   a_O     = a_I - r_IO~ alpha + Omega~ Omega~ r_IO
//   alpha_O = alpha_I
//   m_O     = m_I + r_IO~ q_O + m r_IC~ a_I + J_I alpha + Omega~ J_I Omega - r_IC~ f_C - m_C
//   q_O     = q_I - m (a_I - r_IC~ alpha + Omega~ Omega~ r_IC) + f_C
#pragma once

#include "methods/transfer_elements/state_vector.h"

namespace mbsbench {

// The quantities that determine a body's transfer matrix, inertial axes.
template <int Dimension, class T = double>
struct BodyInstant {
  using Types = TransferTypes<Dimension, T>;
  T mass{};
  typename Types::Translation r_IC, r_IO;  // input end -> mass centre, output end
  typename Types::RotationMatrix J_I;      // about the input end, A J' A^T of eq. 5
  typename Types::Rotation Omega;
  typename Types::Translation f_C;  // external force at the mass centre, gravity included
  typename Types::Rotation m_C;     // external moment
};

// The abbreviations of eq. 5 (E_3 is the mass with its sign; E_8 = J_I).
template <int Dimension, class T = double>
struct BodyAbbreviations {
  using Types = TransferTypes<Dimension, T>;
  typename Types::Lever E1, E4;
  typename Types::Translation E2, E5;
  T E3;
  typename Types::Moment E6, E7;
  typename Types::RotationMatrix E8;
  typename Types::Rotation E9;

  explicit BodyAbbreviations(const BodyInstant<Dimension, T>& b)
      : E1(-TildeBeforeRotation(b.r_IO)),
        E4(b.mass * TildeBeforeRotation(b.r_IC)),
        E2(CentripetalPart(b.Omega, b.r_IO)),
        E5(b.f_C - b.mass * CentripetalPart(b.Omega, b.r_IC)),
        E3(-b.mass),
        E6(TildeBeforeForce(b.r_IO)),
        E7(b.mass * TildeBeforeForce(b.r_IC)),
        E8(b.J_I),
        E9(-b.m_C - TildeBeforeForce(b.r_IC) * b.f_C + GyroscopicMoment(b.Omega, b.J_I)) {}
};

// Columns by which (m, q) of an input end act on (m, q) of the output end, r_KO leading from one to
// the other: E_6 + E_Ij of eqs 8 and 9, since r_I1O - r_I1Ij = r_IjO. For I_1 they are the columns
// m and q of eq. 4.
template <int Dimension, class T>
typename TransferTypes<Dimension, T>::HalfMatrix InputColumns(
    const Eigen::Matrix<T, Dimension, 1>& r_KO) {
  using L = StateLayout<Dimension>;
  typename TransferTypes<Dimension, T>::HalfMatrix columns =
      TransferTypes<Dimension, T>::HalfMatrix::Identity();
  columns.template topRightCorner<L::kRotations, L::kTranslations>() = TildeBeforeForce(r_KO);
  return columns;
}

// One input end, eq. 4.
template <int Dimension, class T>
typename TransferTypes<Dimension, T>::Transfer BodyTransfer(const BodyInstant<Dimension, T>& body) {
  using L = StateLayout<Dimension>;
  constexpr int kT = L::kTranslations, kR = L::kRotations;
  const BodyAbbreviations<Dimension, T> E(body);
  typename TransferTypes<Dimension, T>::Transfer U =
      TransferTypes<Dimension, T>::Transfer::Identity();
  U.template block<kT, kR>(L::kA, L::kAlpha) = E.E1;
  U.template block<kT, 1>(L::kA, L::kOne) = E.E2;
  U.template block<kR, kT>(L::kM, L::kA) = E.E6 * E.E3 + E.E7;
  U.template block<kR, kR>(L::kM, L::kAlpha) = E.E6 * E.E4 + E.E8;
  U.template block<L::kHalf, L::kHalf>(L::kM, L::kM) = InputColumns<Dimension, T>(body.r_IO);
  U.template block<kR, 1>(L::kM, L::kOne) = E.E6 * E.E5 + E.E9;
  U.template block<kT, kT>(L::kQ, L::kA).diagonal().setConstant(E.E3);
  U.template block<kT, kR>(L::kQ, L::kAlpha) = E.E4;
  U.template block<kT, 1>(L::kQ, L::kOne) = E.E5;
  return U;
}

}  // namespace mbsbench
