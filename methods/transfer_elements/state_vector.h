// The state vector of the transfer matrix method and the layout of all its matrices.
// Source: Rui, Bestle, Wang et al. 2020, Sect. 2
//
//   z = [a, alpha, m, q, 1]   at a connection point, inertial axes (1), (35)
//     a      acceleration of the point [m/s^2]                 (the paper's r'')
//     alpha  angular acceleration [rad/s^2]                    (Omega')
//     m, q   internal moment and force [N m, N]
// Signs: at an input end q acts on the element along the axes and m against them; at an output end
// the other way round. In the plane (Dimension = 2) z has the 7 entries x'', y'', alpha_z, m_z,
// q_x, q_y, 1; in space (3) it has 13.
#pragma once

#include <Eigen/Core>

#include "methods/numerics/blocks_in_eigen.h"

namespace mbsbench {

template <int Dimension>
struct StateLayout {
  static_assert(Dimension == 2 || Dimension == 3);
  static constexpr int kTranslations = Dimension;
  static constexpr int kRotations = Dimension == 2 ? 1 : 3;
  static constexpr int kHalf =
      kTranslations + kRotations;  // of z_b = [a, alpha] and of z_a = [m, q]
  static constexpr int kSize = 2 * kHalf + 1;
  // First entries of the blocks of z.
  static constexpr int kA = 0, kAlpha = kTranslations, kM = kHalf, kQ = kHalf + kRotations,
                       kOne = 2 * kHalf;
};

template <int Dimension, class T = double>
struct TransferTypes {
  using Layout = StateLayout<Dimension>;
  using Translation = Eigen::Matrix<T, Layout::kTranslations, 1>;
  using Rotation = Eigen::Matrix<T, Layout::kRotations, 1>;
  using RotationMatrix = Eigen::Matrix<T, Layout::kRotations, Layout::kRotations>;
  using HalfVector = Eigen::Matrix<T, Layout::kHalf, 1>;
  using HalfMatrix = Eigen::Matrix<T, Layout::kHalf, Layout::kHalf>;
  using State = Eigen::Matrix<T, Layout::kSize, 1>;
  using Transfer = Eigen::Matrix<T, Layout::kSize, Layout::kSize>;
  using Lever = Eigen::Matrix<T, Layout::kTranslations,
                              Layout::kRotations>;  // r~ before an angular acceleration
  using Moment = Eigen::Matrix<T, Layout::kRotations, Layout::kTranslations>;  // r~ before a force
};

// The tilde operator. In the plane its two uses differ in shape: r x alpha is a vector of the
// plane, r x f one normal to it.
template <class T>
Eigen::Matrix<T, 2, 1> TildeBeforeRotation(const Eigen::Matrix<T, 2, 1>& r) {
  return {r.y(), -r.x()};
}
template <class T>
Eigen::Matrix<T, 1, 2> TildeBeforeForce(const Eigen::Matrix<T, 2, 1>& r) {
  return {-r.y(), r.x()};
}
template <class T>
Eigen::Matrix<T, 3, 3> TildeBeforeForce(const Eigen::Matrix<T, 3, 1>& r) {
  return CrossMatrix(r);
}
template <class T>
Eigen::Matrix<T, 3, 3> TildeBeforeRotation(const Eigen::Matrix<T, 3, 1>& r) {
  return TildeBeforeForce(r);
}

// Omega~ Omega~ r
template <class T>
Eigen::Matrix<T, 2, 1> CentripetalPart(const Eigen::Matrix<T, 1, 1>& omega,
                                       const Eigen::Matrix<T, 2, 1>& r) {
  return -omega[0] * omega[0] * r;
}
template <class T>
Eigen::Matrix<T, 3, 1> CentripetalPart(const Eigen::Matrix<T, 3, 1>& omega,
                                       const Eigen::Matrix<T, 3, 1>& r) {
  return omega.dot(r) * omega - omega.dot(omega) * r;
}

// Omega~ J Omega, the gyroscopic moment
template <class T>
Eigen::Matrix<T, 1, 1> GyroscopicMoment(const Eigen::Matrix<T, 1, 1>&,
                                        const Eigen::Matrix<T, 1, 1>&) {
  return Eigen::Matrix<T, 1, 1>(T(0));
}
template <class T>
Eigen::Matrix<T, 3, 1> GyroscopicMoment(const Eigen::Matrix<T, 3, 1>& omega,
                                        const Eigen::Matrix<T, 3, 3>& J) {
  const Eigen::Matrix<T, 3, 1> angular_momentum = J * omega;
  return TildeBeforeForce(omega) * angular_momentum;
}

}  // namespace mbsbench
