// A hinge by its free axes: what the state vector keeps and what it loses when it passes a joint.
//
// From the tip side I (a body's output end) to the root side O (the point of the next body that
// coincides with it):
//   z_b,I = z_b,O + H udot + c     H (columns): free axes, orthonormal; udot: their joint rates'
//                                  derivatives; c: terms in velocities                          (1)
//   z_a,O = z_a,I = z_a
//   H' w  = tau,  w = [-q; m]      the wrench that z_a puts on the tip side, paired with z_b;
//                                  tau: force of the joint's springs                            (2)
// Q holds the blocked directions: [H Q] is an orthogonal matrix.
#pragma once

#include <algorithm>

#include "methods/transfer_elements/element_form.h"

namespace mbsbench {

template <int Dimension, class T = double>
struct FreeAxes {
  static constexpr int kHalf = StateLayout<Dimension>::kHalf;
  using Columns = Eigen::Matrix<T, kHalf, Eigen::Dynamic, Eigen::ColMajor, kHalf, kHalf>;
  Columns H, Q;
  Eigen::Matrix<T, kHalf, 1> c;
  T tau{};
};

// In the plane a ball hinge turns about its z axis alone.
inline int FreeAxisCount(const TreeElement& e, int dimension) {
  if (e.driven) return 0;
  return dimension == 2 ? std::min(RateCount(e.type), 1) : RateCount(e.type);
}

// The joint in the output end of element k now; `p` is the motion of its parent.
template <int Dimension, class T>
FreeAxes<Dimension, T> FreeAxesOf(const ElementForm<Dimension, T>& form, const TreeElement& e,
                                  const ElementMotion<T>& m, const ElementMotion<T>& p) {
  using L = StateLayout<Dimension>;
  constexpr int kT = L::kTranslations, kR = L::kRotations, kHalf = L::kHalf;
  FreeAxes<Dimension, T> axes;
  axes.c.template head<kT>() = form.Translation(m.h_a - DoubleCross(p.omega, m.d));
  axes.c.template tail<kR>() = form.Rotation(AngularBias(e, p, m));
  axes.tau = e.driven ? T(0) : m.tau;  // zero but for revolutes and prismatic joints
  const int free = FreeAxisCount(e, Dimension);
  axes.H.setZero(kHalf, free);
  axes.Q.setZero(kHalf, kHalf - free);
  ForHinge(e, [&](auto joint) {
    using Joint = decltype(joint);
    static_assert(Joint::kSlides < 2 || Joint::kSlides == 3);
    // What the joint leaves and blocks of translations, then of rotations.
    int h = 0, q = 0;  // columns so far
    if constexpr (Joint::kSlides == 0) {
      axes.Q.template topLeftCorner<kT, kT>().setIdentity();
      q = kT;
    } else if constexpr (Joint::kSlides == 1) {
      axes.H.col(h++).template head<kT>() = form.Translation(m.axis());
      if constexpr (Dimension == 2) {
        axes.Q.col(q++).template head<kT>() = TildeBeforeRotation(form.Translation(m.axis()));
      } else {
        axes.Q.col(q++).template head<kT>() = AsEigen(Column<0>(m.A));
        axes.Q.col(q++).template head<kT>() = AsEigen(Column<1>(m.A));
      }
    } else if constexpr (Dimension == 3) {
      axes.H.template topLeftCorner<3, 3>() = AsEigen(RootAxes(e, p.A));
      h = 3;
    }
    if constexpr (Joint::kTurns == 0) {
      axes.Q.template block<kR, kR>(kT, q).setIdentity();
    } else if constexpr (Dimension == 2) {
      if (h < free) axes.H.col(h).template tail<kR>() = form.Rotation(Column<2>(m.A));
    } else if constexpr (Joint::kTurns == 1) {
      axes.H.col(h).template tail<kR>() = AsEigen(Column<2>(m.A));
      axes.Q.col(q).template tail<kR>() = AsEigen(Column<0>(m.A));
      axes.Q.col(q + 1).template tail<kR>() = AsEigen(Column<1>(m.A));
    } else {
      axes.H.template block<kR, kR>(kT, h) = AsEigen(m.A);
    }
  });
  return axes;
}

}  // namespace mbsbench
