// A vector between two bodies, or fixed in one of them, from which joints and springs are built.
//
//   V = chi (r_c - r_p) + R_c s_c - R_p s_p                                                    (1)
//   V' = chi (v_c - v_p) + R_c (w_c x s_c) - R_p (w_p x s_p)                                   (2)
//   V'' = chi (v_c' - v_p') + R_c (w_c' x s_c + w_c x (w_c x s_c)) - the same of p             (3)
//
// chi = 1: from a point of the parent to one of the child; chi = 0 and one of s_p, s_c zero: a
// direction fixed in the other body. The derivative of (1) by the positions, of (2) by the rates and
// of (3) by their rates is one matrix, the lever L (3 x 12). A covector f on V (a force, when V joins
// two points) acts on the bodies as L'f: forces +- chi f, moments +- s x R'f.
#pragma once

#include "methods/kinematics/absolute_motion.h"

namespace mbsbench::absolute {

struct PairVector {
  bool joins_points = true;  // chi
  Vector3d on_parent = Vector3d::Zero(),
           on_child = Vector3d::Zero();  // s_p, s_c [m, or unit directions]
};

struct VectorMotion {
  Vector3d value, rate, acceleration;
};

struct VectorDerivatives {
  PairColumns lever;                                // L
  PairColumns rate;                                 // of (2) by positions
  PairColumns acceleration, acceleration_by_rates;  // of (3) at fixed v', omega'
};

// (3) only if `with_acceleration`; otherwise it is zero.
VectorMotion MotionOf(const PairVector& vector, const BodyMotion& parent, const BodyMotion& child,
                      bool with_acceleration);

PairColumns LeverOf(const PairVector& vector, const BodyMotion& parent, const BodyMotion& child);
// The derivatives of (3) only if `with_acceleration`.
VectorDerivatives DerivativesOf(const PairVector& vector, const BodyMotion& parent,
                                const BodyMotion& child, bool with_acceleration);

// L'f, and its derivative by the positions at fixed f, which is added.
PairVectorOfRates PullOf(const PairVector& vector, const BodyMotion& parent,
                         const BodyMotion& child, const Vector3d& f);
void AddPullDerivative(const PairVector& vector, const BodyMotion& parent, const BodyMotion& child,
                       const Vector3d& f, PairMatrix& derivative);

}  // namespace mbsbench::absolute
