// A hinge described by its free axes: the transfer of the state vector through a joint.
//
// From the tip side I (a body's output end) to the root side O (the point of the next body that
// coincides with it):
//   z_b,I = z_b,O + H udot + c     H (columns): free axes, orthonormal; udot: their joint rates'
//                                  derivatives; c: terms in velocities                          (1)
//   z_a,O = z_a,I = z_a
//   H' w  = tau,  w = [-q; m]      the wrench of z_a on the tip side, paired with z_b;
//                                  tau: force of the joint's springs                            (2)
// Q holds the blocked directions: [H Q] is an orthogonal matrix.
#pragma once

#include <algorithm>

#include "methods/transfer_elements/element_form.h"
#include "methods/transfer_elements/transfer_tree.h"

namespace mbsbench {

template <int Dimension, class T = double>
struct FreeAxes {
  static constexpr int kHalf = StateLayout<Dimension>::kHalf;
  using Columns = Eigen::Matrix<T, kHalf, Eigen::Dynamic, Eigen::ColMajor, kHalf, kHalf>;
  Columns H, Q;
  Eigen::Matrix<T, kHalf, 1> c;
  T tau{};  // zero but for joints with one axis
};

// In the plane a ball hinge rotates about its z axis only.
template <class T>
int FreeAxisCount(const SweepGroup<T>& group, int dimension) {
  if (group.driven) return 0;
  return dimension == 2 ? std::min(RateCount(group.type), 1) : RateCount(group.type);
}
// u' of the joint from that along its free axes.
template <class T, class Derived>
void PutRates(const SweepGroup<T>& group, const Eigen::MatrixBase<Derived>& rates, T* ydot) {
  const int first = RateCount(group.type) == 3 && rates.size() == 1 ? 2 : 0;
  for (int i = 0; i < first; ++i) ydot[group.u + i] = T(0);
  for (Eigen::Index i = 0; i < rates.size(); ++i) ydot[group.u + first + i] = rates[i];
}

// The current state of the joint at the output end of a group; `p` is the motion of its parent. `given`: the generalised
// force of a joint with one axis, or the acceleration of a driven joint.
template <int Dimension, class T>
FreeAxes<Dimension, T> FreeAxesOf(const ElementForm<Dimension, T>& form, const SweepGroup<T>& group,
                                  const GroupMotion<T>& m, const GroupMotion<T>& p,
                                  const T& given) {
  using L = StateLayout<Dimension>;
  constexpr int kT = L::kTranslations, kR = L::kRotations, kHalf = L::kHalf;
  FreeAxes<Dimension, T> axes;
  Vec<T> slides = m.gamma - DoubleCross(p.omega, m.r), turns = Cross(p.omega, m.omega);
  if (group.driven) {
    Vec<T>& moved = TurnsAboutZ(group.type) ? turns : slides;
    moved = AddScaled(moved, given, AxisOf(m.R));
  } else {
    axes.tau = given;
  }
  axes.c.template head<kT>() = form.Translation(slides);
  axes.c.template tail<kR>() = form.Rotation(turns);
  const int free = FreeAxisCount(group, Dimension);
  axes.H.setZero(kHalf, free);
  axes.Q.setZero(kHalf, kHalf - free);
  ForHinge(group, [&](auto joint) {
    using Joint = decltype(joint);
    static_assert(Joint::kSlides < 2 || Joint::kSlides == 3);
    // The free and blocked translations of the joint, then its rotations.
    int h = 0, q = 0;  // columns so far
    if constexpr (Joint::kSlides == 0) {
      axes.Q.template topLeftCorner<kT, kT>().setIdentity();
      q = kT;
    } else if constexpr (Joint::kSlides == 1) {
      axes.H.col(h++).template head<kT>() = form.Translation(AxisOf(m.R));
      if constexpr (Dimension == 2) {
        axes.Q.col(q++).template head<kT>() = TildeBeforeRotation(form.Translation(AxisOf(m.R)));
      } else {
        axes.Q.col(q++).template head<kT>() = AsEigen(Column<0>(m.R));
        axes.Q.col(q++).template head<kT>() = AsEigen(Column<1>(m.R));
      }
    } else if constexpr (Dimension == 3) {
      axes.H.template topLeftCorner<3, 3>() = AsEigen(p.R * group.turn);
      h = 3;
    }
    if constexpr (Joint::kTurns == 0) {
      axes.Q.template block<kR, kR>(kT, q).setIdentity();
    } else if constexpr (Dimension == 2) {
      if (h < free) axes.H.col(h).template tail<kR>() = form.Rotation(Column<2>(m.R));
    } else if constexpr (Joint::kTurns == 1) {
      axes.H.col(h).template tail<kR>() = AsEigen(Column<2>(m.R));
      axes.Q.col(q).template tail<kR>() = AsEigen(Column<0>(m.R));
      axes.Q.col(q + 1).template tail<kR>() = AsEigen(Column<1>(m.R));
    } else {
      axes.H.template block<kR, kR>(kT, h) = AsEigen(m.R);
    }
  });
  return axes;
}

}  // namespace mbsbench
