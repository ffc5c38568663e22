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

#include <algorithm>
#include <cstddef>
#include <span>

#include "methods/kinematics/no_tree_joint.h"
#include "methods/numerics/prefetch.h"
#include "methods/numerics/sine_cosine.h"
#include "methods/transfer_elements/joint_tree.h"
#include "problems/model/state.h"

namespace mbsbench {

template <class T>
struct ElementMotion {
  Mat3<T> A;      // direction cosine matrix, body axes -> inertial
  Vec3<T> omega;  // angular velocity
  Vec3<T> d;      // parent's output end -> own output end
  Vec3<T> h_a;    // as in (1)
  T tau{};        // generalised force of the springs of a revolute or prismatic joint

  const Vec3<T>& axis() const { return A.z; }  // of a revolute or prismatic joint
};

// h_alpha of (1): omega_p x (omega - omega_p), for every joint.
template <class T>
[[gnu::always_inline]] inline Vec3<T> AngularBias(const ElementMotion<T>& parent,
                                                  const ElementMotion<T>& m) {
  return Cross(parent.omega, m.omega);
}

// Axes of the joint on its root side.
template <class T>
Mat3<T> RootAxes(const TreeElement& e, const Mat3<T>& parent_axes) {
  return e.parent_axes_aligned ? parent_axes : parent_axes * Lift<T>(e.root_axes);
}

// q' = 1/2 q * omega, omega in the child's axes.
template <class T>
[[gnu::always_inline]] inline void QuaternionRate(const T* q, const T* omega, T* rate) {
  const T half(0.5);
  const T x = half * omega[0], y = half * omega[1], z = half * omega[2];
  rate[0] = -(q[1] * x + q[2] * y + q[3] * z);
  rate[1] = q[0] * x + q[2] * z - q[3] * y;
  rate[2] = q[0] * y + q[3] * x - q[1] * z;
  rate[3] = q[0] * z + q[1] * y - q[2] * x;
}

// Rates of a joint's coordinates.
template <JointType kType, class T>
[[gnu::always_inline]] inline void CoordinateRates(const T* q, const T* u, T* rate) {
  if constexpr (kType == JointType::kBall) {
    QuaternionRate(q, u, rate);
  } else if constexpr (kType == JointType::kRevolute || kType == JointType::kPrismatic) {
    rate[0] = u[0];
  } else if constexpr (kType == JointType::kFree) {
    rate[0] = u[0], rate[1] = u[1], rate[2] = u[2];
    QuaternionRate(q + 3, u + 3, rate + 3);
  }
}

// Calls `visit` with the type of a tree joint as compile-time constant.
template <class Visit>
auto WithJointType(JointType type, Visit visit) {
  switch (type) {
    case JointType::kBall: return visit.template operator()<JointType::kBall>();
    case JointType::kRevolute: return visit.template operator()<JointType::kRevolute>();
    case JointType::kPrismatic: return visit.template operator()<JointType::kPrismatic>();
    case JointType::kFree: return visit.template operator()<JointType::kFree>();
    case JointType::kFixed: return visit.template operator()<JointType::kFixed>();
    case JointType::kDistance:
    case JointType::kUniversal: break;  // of loops only
  }
  ThrowNoTreeJoint(type);
}

template <JointType kType, bool kAligned, bool kRates, class T>
[[gnu::noinline]] void CalcMotionOfRun(const JointTree& tree, const ElementRun& run, const T* y,
                                       ElementMotion<T>* motions, T* ydot) {
  constexpr bool kOneAxis = kType == JointType::kRevolute || kType == JointType::kPrismatic;
  // Sines and cosines of some revolutes ahead.
  constexpr int kBlock = SineCosineBlock<T>::kSize;
  [[maybe_unused]] SineCosineBlock<T> angles;
  const ElementLink* const links = tree.links.data() - 1;
  const TreeElement* const elements = tree.elements.data() - 1;
  for (int k = run.begin; k < run.end; ++k) {
    Prefetch<kRecordsAhead<T>>(motions[k]);
    const ElementLink& link = links[k];
    ElementMotion<T>& m = motions[k];
    const ElementMotion<T>& p = motions[link.parent];
    const T* const q = y + link.q;
    const T* const u = y + link.u;
    const Vec3<T> arm = p.A * Lift<T>(link.arm);
    Mat3<T> root;
    if constexpr (!kAligned) {
      root = p.A * Lift<T>(elements[k].root_axes);
    } else if constexpr (kOneAxis) {
      root = AxesEndingWith(p.A, link.parent_axis);
    } else {
      root = p.A;
    }
    if constexpr (kType == JointType::kBall) {
      const Mat3<T> A = root * RotationOf(q[0], q[1], q[2], q[3]);
      Put(AddTimes(p.omega, A, Vec3<T>{u[0], u[1], u[2]}), m.omega);
      Put(A, m.A);
      Put(arm, m.d);
      Put(Centripetal(p.omega, arm), m.h_a);
    } else if constexpr (kType == JointType::kRevolute) {
      const int i = (k - run.begin) % kBlock;
      if (i == 0) {
        const auto angle_of = [&](int ahead) { return y[links[k + ahead].q]; };
        angles.Calc(std::min(kBlock, run.end - k), angle_of);
      }
      const T &c = angles.cosine[i], &s = angles.sine[i];
      Put(c * root.x + s * root.y, m.A.x);
      Put(c * root.y - s * root.x, m.A.y);
      Put(root.z, m.A.z);
      Put(arm, m.d);
      Put(p.omega + u[0] * root.z, m.omega);
      Put(Centripetal(p.omega, arm), m.h_a);
    } else if constexpr (kType == JointType::kPrismatic) {
      const Vec3<T> d = arm + q[0] * root.z;
      Put(root, m.A);
      Put(d, m.d);
      Put(p.omega, m.omega);
      Put(Centripetal(p.omega, d) + Cross(p.omega, (T(2) * u[0]) * root.z), m.h_a);
    } else if constexpr (kType == JointType::kFree) {
      const Mat3<T> A = root * RotationOf(q[3], q[4], q[5], q[6]);
      const Vec3<T> d = arm + root * Vec3<T>{q[0], q[1], q[2]};
      const Vec3<T> slide = root * Vec3<T>{u[0], u[1], u[2]};
      Put(AddTimes(p.omega, A, Vec3<T>{u[3], u[4], u[5]}), m.omega);
      Put(A, m.A);
      Put(d, m.d);
      Put(Centripetal(p.omega, d) + T(2) * Cross(p.omega, slide), m.h_a);
    } else {
      Put(root, m.A);
      Put(arm, m.d);
      Put(p.omega, m.omega);
      Put(Centripetal(p.omega, arm), m.h_a);
    }
    if constexpr (kOneAxis) {
      if (tree.has_joint_springs) {  // else it stays zero
        const TreeElement& e = elements[k];
        m.tau = T(e.spring_offset) - T(e.stiffness) * q[0] - T(e.damping) * u[0];
      }
    }
    if constexpr (kRates) CoordinateRates<kType>(q, u, ydot + link.q);
  }
}

// Fills motions[1 ...], and the rates of the coordinates where ydot is given; motions[0] is the
// ground at rest.
template <class T>
void CalcMotion(const JointTree& tree, const T* y, ElementMotion<T>* motions, T* ydot = nullptr) {
  for (const ElementRun& run : tree.runs) {
    WithJointType(run.type, [&]<JointType kType>() {
      if (ydot == nullptr) {
        run.aligned ? CalcMotionOfRun<kType, true, false>(tree, run, y, motions, ydot)
                    : CalcMotionOfRun<kType, false, false>(tree, run, y, motions, ydot);
      } else {
        run.aligned ? CalcMotionOfRun<kType, true, true>(tree, run, y, motions, ydot)
                    : CalcMotionOfRun<kType, false, true>(tree, run, y, motions, ydot);
      }
    });
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
