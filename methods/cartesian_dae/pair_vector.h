// A vector between two bodies, or fixed in one of them: what joints and springs are made of.
//
//   V = chi (r_c - r_p) + R_c s_c - R_p s_p                                                    (1)
//   V' = chi (v_c - v_p) + R_c (w_c x s_c) - R_p (w_p x s_p)                                   (2)
//   V'' = chi (v_c' - v_p') + R_c (w_c' x s_c + w_c x (w_c x s_c)) - the same of p             (3)
//
// chi = 1: from a point of the parent to one of the child; chi = 0 and one of s_p, s_c zero: a
// direction fixed in the other body. A covector f on V (a force, when V joins two points) acts on
// the bodies by the transposed derivatives:
//   force on v: V_v' f = +- chi f;   moment on omega: V'_w' f = +- s x R'f;   on q: V_q' f = +-
//   N(f, s) q    (4)
#pragma once

#include "methods/cartesian_dae/body_motion.h"

namespace mbsbench::cartesian {

// Derivatives with respect to (r, q, v, omega) of parent and child.
using PairRow = Eigen::Matrix<double, 1, kPairSize>;
using PairDerivative = Eigen::Matrix<double, 3, kPairSize>;
using PairMatrix = Eigen::Matrix<double, kPairSize, kPairSize>;

struct PairVector {
  bool joins_points = true;  // chi
  Vector3d on_parent = Vector3d::Zero(),
           on_child = Vector3d::Zero();  // s_p, s_c [m, or unit directions]
};

struct VectorMotion {
  Vector3d value, rate, acceleration;
};

struct VectorDerivatives {
  PairDerivative value, rate, acceleration;
};

// (3) only where `with_acceleration`; it is zero otherwise.
VectorMotion MotionOf(const PairVector& vector, const BodyMotion& parent, const BodyMotion& child,
                      bool with_acceleration);

// Derivatives of (1) and (2), and of (3) at fixed v', omega' where `with_acceleration`.
void Differentiate(const PairVector& vector, const BodyMotion& parent, const BodyMotion& child,
                   bool with_acceleration, VectorDerivatives& derivatives);

// Eq. (4): adds what covector f on the vector does to the bodies.
void AddForce(const PairVector& vector, const BodyMotion& parent, const BodyMotion& child,
              const Vector3d& f, PairForce& force);
void AddGradient(const PairVector& vector, const BodyMotion& parent, const BodyMotion& child,
                 const Vector3d& f, PairGradient& gradient);

// Adds the derivative of AddForce (rows v, omega of each body) when f itself depends on the motion
// with derivative `f_u`.
void AddForceDerivative(const PairVector& vector, const BodyMotion& parent, const BodyMotion& child,
                        const VectorDerivatives& derivatives, const Vector3d& f,
                        const PairDerivative& f_u, PairMatrix& matrix);
// The same of AddGradient (rows r, q of each body).
void AddGradientDerivative(const PairVector& vector, const VectorDerivatives& derivatives,
                           const Vector3d& f, const PairDerivative& f_u, PairMatrix& matrix);

}  // namespace mbsbench::cartesian
