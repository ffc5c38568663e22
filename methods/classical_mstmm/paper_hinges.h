// Hinges with a transfer matrix: ball hinges (in the plane: pins) after Rui, Bestle, Wang et al.
// 2020, eqs 10 to 13, and the smooth sliding hinge of Rui et al. 2018, whose equations (48 to 63)
// are missing from our text and derived here.
//
// Both determine the acceleration outboard of the hinge along its free axes from the components
// that the output end of the next body (the outboard body) does not transmit. With [H Q] of the
// hinge (free_axes.h), U the third and fourth block rows of the outboard body's transfer matrix as
// a wrench,
//   w_O = U_b z_b + U_a z_a + u_5, (1)
// and S H_O' w_O = S tau_O as many of the conditions of the output end's joint as the hinge has
// free axes (S selects them):
//   blocked directions:  Q' z_b,O = Q'(z_b,I - c)
//   free directions:     z_b,O = Q Q'(z_b,I - c) + H s, (2)
//   in (1), N = S H_O' U_b H:   s = N^-1 S [tau_O - H_O'(U_b Q Q'(z_b,I - c) + U_a z_a + u_5)] (3)
// Ball hinge before a ball hinge: Q Q' keeps a, s is alpha, N = u_32, and (3) is
// alpha = -u_32^-1 (u_31 a + u_33 m + u_34 q + u_35): eq. 10, and 12 and 13 when z_a sums several
// inputs.
//
// Sliding hinge along l, fixed in both bodies. The orientations agree, and so alpha and omega do;
// differentiating r_O = r_I - l s twice gives a_O = a_I - l s'' - 2 omega~ l s' (c holds the last
// term). The two components across l are free of s'' (the paper's eq. 54); the third comes from the
// outboard body:
//   - its output end is a sliding hinge along l_O: l_O'q_O = 0 there, with (4) of 2020
//     N = -m l_O'l: exists unless the two slide at right angles;
//   - its output end is a ball hinge: m_O = 0, three conditions for one unknown. The one along
//     m r_OC x l is used, the direction of u_31 l: N = -m |r_OC x l|; it does not exist where l
//     points from O to the mass centre. The other two conditions are added to the overall
//     equation.
// A ball hinge before a sliding hinge would need three conditions where there is one: refused.
#pragma once

#include <vector>

#include "methods/interface/method.h"
#include "methods/transfer_elements/free_axes.h"

namespace mbsbench {

// S of a body's output end, constant in the coordinates of H_O; `rest` completes it to an
// orthogonal matrix.
using SmallMatrix = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, 6, 6>;
struct HingeSelection {
  SmallMatrix selected, rest;
};

// Whether every joint on a first input has such a matrix; `planar`: in the 7 x 7 form.
Verdict PaperHingesExist(const System& system, const TransferTree<double>& tree, bool planar);

// Per group: the conditions of its output end that the joint on its first input uses, and the
// remaining ones. With `hinges_as_matrices` false all remain.
std::vector<HingeSelection> SelectConditions(const TransferTree<double>& tree, int dimension,
                                             bool hinges_as_matrices);

// (2) and (3) as z_b,O = B z_b' + A z_a + b with z_b' = z_b,I - c.
template <int Dimension>
struct PaperHinge {
  using Types = TransferTypes<Dimension>;
  typename Types::HalfMatrix B, A;
  typename Types::HalfVector b;
};

// Wrench of (m, q): [-q; m].
template <int Dimension, class Derived>
auto WrenchRows(const Eigen::MatrixBase<Derived>& z_a) {
  using L = StateLayout<Dimension>;
  Eigen::Matrix<typename Derived::Scalar, L::kHalf, Derived::ColsAtCompileTime> w(L::kHalf,
                                                                                  z_a.cols());
  w.template topRows<L::kTranslations>() = -z_a.template bottomRows<L::kTranslations>();
  w.template bottomRows<L::kRotations>() = z_a.template topRows<L::kRotations>();
  return w;
}

// `hinge` in the first input, `output` in the output end of the outboard body, whose transfer
// matrix without its last row and column is `U`, its constant `u_5`.
template <int Dimension, class Matrix, class Vector>
PaperHinge<Dimension> PaperHingeOf(const FreeAxes<Dimension>& hinge,
                                   const FreeAxes<Dimension>& output, const SmallMatrix& selected,
                                   const Matrix& U, const Vector& u_5) {
  constexpr int kHalf = StateLayout<Dimension>::kHalf;
  using Rows = Eigen::Matrix<double, Eigen::Dynamic, kHalf, Eigen::ColMajor, kHalf, kHalf>;
  using Small =
      Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, Eigen::ColMajor, kHalf, kHalf>;
  using SmallVector = Eigen::Matrix<double, Eigen::Dynamic, 1, Eigen::ColMajor, kHalf, 1>;
  const typename TransferTypes<Dimension>::HalfMatrix U_b =
      WrenchRows<Dimension>(U.template bottomLeftCorner<kHalf, kHalf>());
  const typename TransferTypes<Dimension>::HalfMatrix U_a =
      WrenchRows<Dimension>(U.template bottomRightCorner<kHalf, kHalf>());
  const typename TransferTypes<Dimension>::HalfVector w_5 =
      WrenchRows<Dimension>(u_5.template tail<kHalf>());
  const Rows condition = selected * output.H.transpose();
  const Rows condition_b = condition * U_b;
  const Small N = condition_b * hinge.H;
  // one or three free axes
  Small inverse(N.rows(), N.rows());
  if (N.rows() == 1) {
    inverse(0, 0) = 1 / N(0, 0);
  } else {
    inverse = Eigen::Matrix3d(N.template topLeftCorner<3, 3>()).inverse();
  }
  const typename FreeAxes<Dimension>::Columns H_N = hinge.H * inverse;
  PaperHinge<Dimension> result;
  const typename TransferTypes<Dimension>::HalfMatrix kept = hinge.Q * hinge.Q.transpose();
  result.B = kept - H_N * (condition_b * kept);
  result.A = -H_N * (condition * U_a);
  SmallVector right = -condition * w_5;
  if (output.tau != 0) right += selected * SmallVector::Constant(output.H.cols(), output.tau);
  result.b = H_N * right;
  return result;
}

}  // namespace mbsbench
