// The sweep from the root to the tips over positions and velocities that precedes every transfer:
// orientations, angular velocities, and the part of the accelerations that does not depend on
// accelerations.
//
// Accelerations pass a joint from its root side (the parent's point in the child's output end O) to
// its tip side:
//   at the parent's point   a = a_Op + alpha_p x d + h_a,   alpha = alpha_p + h_alpha          (1)
//   on the tip side         [a; alpha]_O = [a; alpha] + H udot                                  (2)
// with d from the parent's output end, inertial axes, and H the joint's free axes. h holds omega_p
// x (omega_p x d) and the Coriolis terms of the joint, so that (2) is the hinge of the transfer
// matrix method with all terms in the rates moved to (1).
#pragma once

#include <cmath>
#include <span>

#include "methods/transfer_elements/joint_tree.h"
#include "problems/model/state.h"

namespace mbsbench {

template <class T>
struct ElementMotion {
  Mat3<T> A;        // direction cosine matrix, body axes -> inertial
  Vec3<T> omega;    // angular velocity
  Vec3<T> d;        // parent's output end -> own output end
  Vec3<T> h_a;      // as in (1)
  Vec3<T> h_alpha;  // as in (1)
  Vec3<T> axis;     // of a revolute or prismatic joint
  T tau{};          // generalised force of its springs
};

// Axes of the joint on its root side.
template <class T>
Mat3<T> RootAxes(const TreeElement& e, const Mat3<T>& parent_axes) {
  return e.parent_axes_aligned ? parent_axes : parent_axes * Lift<T>(e.root_axes);
}

// Fills motions[1 ...]; motions[0] is the ground at rest.
template <class T>
void CalcMotion(const JointTree& tree, const T* y, ElementMotion<T>* motions) {
  using std::cos;
  using std::sin;
  ElementMotion<T>* out = motions;
  for (const TreeElement& e : tree.elements) {
    ElementMotion<T>& m = *++out;
    const ElementMotion<T>& p = motions[e.parent];
    const T* const q = y + e.q;
    const T* const u = y + e.u;
    const Vec3<T> arm = p.A * Lift<T>(e.arm);
    const Mat3<T> root = RootAxes(e, p.A);
    switch (e.type) {
      case JointType::kBall: {
        m.A = root * RotationOf(q[0], q[1], q[2], q[3]);
        const Vec3<T> spin = m.A * Vec3<T>{u[0], u[1], u[2]};
        m.d = arm;
        m.omega = p.omega + spin;
        m.h_a = Centripetal(p.omega, arm);
        m.h_alpha = Cross(p.omega, spin);
        break;
      }
      case JointType::kRevolute: {
        const T c = cos(q[0]), s = sin(q[0]);
        m.A = {c * root.x + s * root.y, c * root.y - s * root.x, root.z};
        const Vec3<T> spin = u[0] * root.z;
        m.d = arm;
        m.omega = p.omega + spin;
        m.h_a = Centripetal(p.omega, arm);
        m.h_alpha = Cross(p.omega, spin);
        m.axis = root.z;
        m.tau = T(e.spring_offset) - T(e.stiffness) * q[0] - T(e.damping) * u[0];
        break;
      }
      case JointType::kPrismatic: {
        m.A = root;
        m.d = arm + q[0] * root.z;
        m.omega = p.omega;
        m.h_a = Centripetal(p.omega, m.d) + Cross(p.omega, (T(2) * u[0]) * root.z);
        m.h_alpha = {};
        m.axis = root.z;
        m.tau = T(e.spring_offset) - T(e.stiffness) * q[0] - T(e.damping) * u[0];
        break;
      }
      case JointType::kFree: {
        m.A = root * RotationOf(q[3], q[4], q[5], q[6]);
        const Vec3<T> spin = m.A * Vec3<T>{u[3], u[4], u[5]};
        m.d = arm + root * Vec3<T>{q[0], q[1], q[2]};
        m.omega = p.omega + spin;
        m.h_a = Centripetal(p.omega, m.d) + T(2) * Cross(p.omega, root * Vec3<T>{u[0], u[1], u[2]});
        m.h_alpha = Cross(p.omega, spin);
        break;
      }
      case JointType::kFixed:
      case JointType::kDistance:  // never a tree joint
      case JointType::kUniversal: {
        m.A = root;
        m.d = arm;
        m.omega = p.omega;
        m.h_a = Centripetal(p.omega, arm);
        m.h_alpha = {};
        break;
      }
    }
  }
}

// q' = 1/2 q * omega, omega in the child's axes.
template <class T>
void QuaternionRate(const T* q, const T* omega, T* rate) {
  const T half(0.5);
  const T x = half * omega[0], y = half * omega[1], z = half * omega[2];
  rate[0] = -(q[1] * x + q[2] * y + q[3] * z);
  rate[1] = q[0] * x + q[2] * z - q[3] * y;
  rate[2] = q[0] * y + q[3] * x - q[1] * z;
  rate[3] = q[0] * z + q[1] * y - q[2] * x;
}

// Rates of a joint's coordinates.
template <class T>
void CoordinateRates(const TreeElement& e, const T* y, T* ydot) {
  const T* const q = y + e.q;
  const T* const u = y + e.u;
  T* const rate = ydot + e.q;
  switch (e.type) {
    case JointType::kBall:
      QuaternionRate(q, u, rate);
      break;
    case JointType::kRevolute:
    case JointType::kPrismatic:
      rate[0] = u[0];
      break;
    case JointType::kFree:
      rate[0] = u[0], rate[1] = u[1], rate[2] = u[2];
      QuaternionRate(q + 3, u + 3, rate + 3);
      break;
    case JointType::kFixed:
    case JointType::kDistance:
    case JointType::kUniversal:
      break;
  }
}

// Absolute motion of all bodies of the system from the motion of the elements; `origins` is scratch
// for one position and one velocity per element and the ground.
struct OriginMotion {
  Vec3<double> position, velocity;
};
void CalcBodyStates(const JointTree& tree, const double* y, const ElementMotion<double>* motions,
                    std::span<OriginMotion> origins, std::span<BodyState> bodies);

}  // namespace mbsbench
