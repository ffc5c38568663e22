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

#include "methods/transfer_elements/element_form.h"

namespace mbsbench {

template <int Dimension>
struct FreeAxes {
  static constexpr int kHalf = StateLayout<Dimension>::kHalf;
  using Columns = Eigen::Matrix<double, kHalf, Eigen::Dynamic, Eigen::ColMajor, kHalf, kHalf>;
  Columns H, Q;
  Eigen::Matrix<double, kHalf, 1> c;
  double tau = 0;
};

inline int FreeAxisCount(JointType type, int dimension) {
  if (dimension == 2 && type == JointType::kBall) return 1;
  return RateCount(type);
}

// The joint in the output end of element k now; `p` is the motion of its parent.
template <int Dimension>
FreeAxes<Dimension> FreeAxesOf(const ElementForm<Dimension>& form, const TreeElement& e,
                               const ElementMotion<double>& m, const ElementMotion<double>& p) {
  using L = StateLayout<Dimension>;
  constexpr int kT = L::kTranslations, kR = L::kRotations, kHalf = L::kHalf;
  FreeAxes<Dimension> axes;
  axes.c.template head<kT>() = form.Translation(m.h_a - Centripetal(p.omega, m.d));
  axes.c.template tail<kR>() = form.Rotation(AngularBias(p, m));
  axes.tau = m.tau;  // zero but for revolutes and prismatic joints
  const int free = FreeAxisCount(e.hinge, Dimension);
  axes.H.setZero(kHalf, free);
  axes.Q.setZero(kHalf, kHalf - free);
  switch (e.hinge) {
    case JointType::kBall:
    case JointType::kRevolute: {
      axes.Q.template topLeftCorner<kT, kT>().setIdentity();
      if constexpr (Dimension == 2) {
        axes.H.template bottomRows<kR>() = form.Rotation(m.A.z);
      } else if (e.hinge == JointType::kBall) {
        axes.H.template bottomRows<kR>() = AsEigen(m.A);
      } else {
        axes.H.template bottomRows<kR>() = AsEigen(m.A.z);
        axes.Q.col(kT).template tail<kR>() = AsEigen(m.A.x);
        axes.Q.col(kT + 1).template tail<kR>() = AsEigen(m.A.y);
      }
      break;
    }
    case JointType::kPrismatic: {
      axes.H.col(0).template head<kT>() = form.Translation(m.axis());
      if constexpr (Dimension == 2) {
        axes.Q.col(0).template head<kT>() = TildeBeforeRotation(form.Translation(m.axis()));
      } else {
        axes.Q.col(0).template head<kT>() = AsEigen(m.A.x);
        axes.Q.col(1).template head<kT>() = AsEigen(m.A.y);
      }
      axes.Q.template bottomRightCorner<kR, kR>().setIdentity();
      break;
    }
    case JointType::kFree: {
      if constexpr (Dimension == 3) {
        axes.H.template topLeftCorner<3, 3>() = AsEigen(RootAxes(e, p.A));
        axes.H.template bottomRightCorner<3, 3>() = AsEigen(m.A);
      }
      break;  // never in the plane's form
    }
    case JointType::kFixed:
    case JointType::kDistance:
    case JointType::kUniversal: axes.Q.setIdentity(); break;
  }
  return axes;
}

}  // namespace mbsbench
