// The tree joints and their free motions, for all methods in joint coordinates.
//
// P and C are the joint's frames on parent and child. A tree joint first translates its child along
// axes of P and then rotates it:
//
//              slides along     turns          coordinates q                  rates u
//   ball       -                freely         quaternion C -> P              angular velocity, axes of C
//   revolute   -                about z        angle                          its rate
//   prismatic  z                -              displacement                   its rate
//   fixed      -                -              -                              -
//   free       x, y, z          freely         displacements, quaternion      their rates, angular velocity
//
// Joints with several axes arrive as a chain of revolutes and prismatic joints (single_axes.h).
//
// Everything else follows from the translations and the rotation: the placement X(q), the columns
// of the motion subspace S (unit vectors of P for translations; z, or the axes of C, for
// rotations), the bias of the acceleration, the rates of the coordinates, and the directions in
// which the joint exerts nothing. A joint type is therefore one line here. Code for all types uses
// these constants and names no type.
#pragma once

#include <array>
#include <cmath>
#include <utility>

#include "methods/kinematics/no_tree_joint.h"
#include "problems/model/geometry.h"
#include "problems/model/system.h"

namespace mbsbench {

enum class Turning { kNone, kAboutZ, kFreely };

// `slides`: the axes of P (0: x, 1: y, 2: z) of the first coordinates.
template <JointType type, Turning turning, int... slides>
struct TreeJoint {
  static constexpr JointType kType = type;
  static constexpr Turning kTurning = turning;
  static constexpr int kSlides = sizeof...(slides);
  static constexpr std::array<int, sizeof...(slides)> kSlideAxes{slides...};
  static constexpr int kTurns = turning == Turning::kFreely   ? 3
                                : turning == Turning::kAboutZ ? 1
                                                              : 0;
  static constexpr int kRates = kSlides + kTurns;
  static constexpr int kCoordinates = kRates + (turning == Turning::kFreely ? 1 : 0);
  // One rate, along or about the common z axis.
  static constexpr bool kOneAxis = kRates == 1;
  static constexpr bool kTurnsFreely = turning == Turning::kFreely;
};

using BallJoint = TreeJoint<JointType::kBall, Turning::kFreely>;
using RevoluteJoint = TreeJoint<JointType::kRevolute, Turning::kAboutZ>;
using PrismaticJoint = TreeJoint<JointType::kPrismatic, Turning::kNone, 2>;
using FixedJoint = TreeJoint<JointType::kFixed, Turning::kNone>;
using FreeJoint = TreeJoint<JointType::kFree, Turning::kFreely, 0, 1, 2>;

// Calls `visit` with the TreeJoint of that type, a compile-time constant. ForMovingJoint: for trees
// without fixed joints (rigid_groups.h).
template <class Visit>
[[gnu::always_inline]] inline auto ForMovingJoint(JointType type, Visit visit) {
  switch (type) {
    case JointType::kBall: return visit(BallJoint{});
    case JointType::kRevolute: return visit(RevoluteJoint{});
    case JointType::kPrismatic: return visit(PrismaticJoint{});
    case JointType::kFree: return visit(FreeJoint{});
    case JointType::kFixed:
    case JointType::kDistance:
    case JointType::kUniversal:
    case JointType::kCylindrical:
    case JointType::kPlanar: break;
  }
  ThrowNoTreeJoint(type);
}
template <class Visit>
[[gnu::always_inline]] inline auto ForJoint(JointType type, Visit visit) {
  return type == JointType::kFixed ? visit(FixedJoint{}) : ForMovingJoint(type, visit);
}

// Whether a joint has one rate, along or about the common z axis.
inline bool HasOneAxis(JointType type) { return RateCount(type) == 1; }
// Whether a joint with one axis rotates about it.
inline bool TurnsAboutZ(JointType type) {
  return ForMovingJoint(type, [](auto joint) { return joint.kTurning == Turning::kAboutZ; });
}
// Offset of the quaternion in the coordinates of a tree joint; -1 if there is none.
inline int QuaternionOffset(JointType type) {
  return CoordinateCount(type) > RateCount(type) ? CoordinateCount(type) - 4 : -1;
}

// Rates of the coordinates: u itself, except for quaternions, q' = 1/2 q * (0, omega).
template <class Joint, class T>
[[gnu::always_inline]] inline void CoordinateRates(const T* q, const T* u, T* rate) {
  for (int k = 0; k < Joint::kSlides; ++k) rate[k] = u[k];
  if constexpr (Joint::kTurning == Turning::kAboutZ) {
    rate[Joint::kSlides] = u[Joint::kSlides];
  } else if constexpr (Joint::kTurnsFreely) {
    q += Joint::kSlides, u += Joint::kSlides, rate += Joint::kSlides;
    const T half(0.5);
    const T x = half * u[0], y = half * u[1], z = half * u[2];
    rate[0] = -(q[1] * x + q[2] * y + q[3] * z);
    rate[1] = q[0] * x + q[2] * z - q[3] * y;
    rate[2] = q[0] * y + q[3] * x - q[1] * z;
    rate[3] = q[0] * z + q[1] * y - q[2] * x;
  }
}

// The translational part of x (coordinates or rates) as a vector; `root`: axes of P.
template <class Joint, class Mat, class T>
[[gnu::always_inline]] inline auto Slide(const Mat& root, const T* x) {
  if constexpr (Joint::kSlides == 3) {
    return root * typename Mat::Vector{x[0], x[1], x[2]};
  } else {
    auto sum = x[0] * Column<Joint::kSlideAxes[0]>(root);
    if constexpr (Joint::kSlides == 2) sum = sum + x[1] * Column<Joint::kSlideAxes[1]>(root);
    return sum;
  }
}

// Moves the frame C of a joint from the root to the tips, all in inertial axes. For a parent that
// turns at omega_p, with `root` the axes of P and `arm` from the parent's point to the origin of P:
//   axes    of C                                  omega   its angular velocity
//   d       parent's point -> origin of C         bias    omega_p x (omega_p x d) + 2 omega_p x v_rel
// so that, without the joint's own u', the origin of C accelerates by a_p + alpha_p x d + bias, and
// the angular acceleration of C is alpha_p + omega_p x omega. The sine and cosine of the angle are
// used by joints that rotate about z. Vectors and matrices are any with the functions of
// methods/numerics/block_algebra.h.
template <class Joint, class Mat, class Vec, class T>
[[gnu::always_inline]] inline void MoveFrame(const Mat& root, const Vec& omega_p, const Vec& arm,
                                             const T* q, const T* u, const T& cosine, const T& sine,
                                             Mat& axes, Vec& omega, Vec& d, Vec& bias) {
  constexpr int kFirst = Joint::kSlides;  // coordinate that turns
  Vec to_child = arm;
  if constexpr (Joint::kSlides > 0) to_child = to_child + Slide<Joint>(root, q);
  if constexpr (Joint::kTurning == Turning::kFreely) {
    const Mat turned =
        root * Mat::OfQuaternion(q[kFirst], q[kFirst + 1], q[kFirst + 2], q[kFirst + 3]);
    Put(AddTimes(omega_p, turned, Vec{u[kFirst], u[kFirst + 1], u[kFirst + 2]}), omega);
    Put(turned, axes);
  } else if constexpr (Joint::kTurning == Turning::kAboutZ) {
    Put(TurnedAboutZ(root, cosine, sine), axes);
    Put(AddScaled(omega_p, u[kFirst], Column<2>(root)), omega);
  } else {
    Put(root, axes);
    Put(omega_p, omega);
  }
  Put(to_child, d);
  if constexpr (Joint::kSlides == 1) {
    const Vec axis = Column<Joint::kSlideAxes[0]>(root);
    Put(DoubleCross(omega_p, to_child) + (u[0] + u[0]) * Cross(omega_p, axis), bias);
  } else if constexpr (Joint::kSlides > 1) {
    const Vec slide = Slide<Joint>(root, u);
    Put(DoubleCross(omega_p, to_child) + T(2) * Cross(omega_p, slide), bias);
  } else {
    Put(DoubleCross(omega_p, to_child), bias);
  }
}

// The axes of P from those of C.
template <class Joint, class Mat, class T>
inline Mat RootOf(const Mat& axes, const T* q) {
  constexpr int kFirst = Joint::kSlides;
  if constexpr (Joint::kTurning == Turning::kFreely) {
    return axes *
           Transposed(Mat::OfQuaternion(q[kFirst], q[kFirst + 1], q[kFirst + 2], q[kFirst + 3]));
  } else if constexpr (Joint::kTurning == Turning::kAboutZ) {
    using std::cos, std::sin;
    return TurnedAboutZ(axes, cos(q[kFirst]), -sin(q[kFirst]));
  } else {
    return axes;
  }
}

// The columns of the motion subspace S, about the origin of C: visit(k, turns, direction) for rate k,
// which rotates C about `direction` or translates it along; inertial axes, `axes` are those of C.
template <class Joint, class Mat, class T, class Visit>
[[gnu::always_inline]] inline void ForEachColumn(const Mat& axes, const T* q, Visit visit) {
  if constexpr (Joint::kSlides > 0) {
    const Mat root = RootOf<Joint>(axes, q);
    [&]<int... k>(std::integer_sequence<int, k...>) {
      (visit(k, false, Column<Joint::kSlideAxes[k]>(root)), ...);
    }
    (std::make_integer_sequence<int, Joint::kSlides>{});
  }
  if constexpr (Joint::kTurning == Turning::kAboutZ) {
    visit(Joint::kSlides, true, Column<2>(axes));
  } else if constexpr (Joint::kTurnsFreely) {
    visit(Joint::kSlides, true, Column<0>(axes));
    visit(Joint::kSlides + 1, true, Column<1>(axes));
    visit(Joint::kSlides + 2, true, Column<2>(axes));
  }
}

}  // namespace mbsbench
