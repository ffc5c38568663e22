// One body in absolute coordinates, as they stand in y, and the layout of everything that two
// bodies share.
#pragma once

#include "methods/cartesian_dae/rotation_forms.h"

namespace mbsbench::cartesian {

// Layout of one body's unknowns (and, row by row, of its equations): r, q, v, omega, and eta in
// variants that have it.
inline constexpr int kPosition = 0, kQuaternion = 3, kVelocity = 7, kAngularVelocity = 10,
                     kEta = 13;
inline constexpr int kMotionSize = 13;  // without eta
// Parent and child together: columns of the derivatives of whatever stands between them.
inline constexpr int kPairSize = 2 * kMotionSize;

struct BodyMotion {
  Vector3d position;              // r, of the mass centre, inertial axes
  Vector4d quaternion;            // q, body -> inertial; unit at a solution
  Vector3d velocity;              // v, inertial axes
  Vector3d angular_velocity;      // omega, body axes
  Matrix3d rotation;              // R(q)
  Vector3d acceleration;          // v'
  Vector3d angular_acceleration;  // omega', body axes

  static BodyMotion Ground() {
    return {Vector3d::Zero(),     {1, 0, 0, 0},     Vector3d::Zero(), Vector3d::Zero(),
            Matrix3d::Identity(), Vector3d::Zero(), Vector3d::Zero()};
  }
};

// Generalised force on a pair: forces at the mass centres in inertial axes, moments about them in
// body axes.
struct PairForce {
  Vector3d parent_force = Vector3d::Zero(), parent_moment = Vector3d::Zero();
  Vector3d child_force = Vector3d::Zero(), child_moment = Vector3d::Zero();
};

// Gradient of a scalar with respect to the coordinates (r, q) of a pair.
struct PairGradient {
  Vector3d parent_position = Vector3d::Zero();
  Vector4d parent_quaternion = Vector4d::Zero();
  Vector3d child_position = Vector3d::Zero();
  Vector4d child_quaternion = Vector4d::Zero();
};

// Jacobian of an element (a body, a joint, a force element) in its own unknowns: parent, child,
// then multipliers. A body alone uses the first places.
inline constexpr int kMaxConstraints = 6;
inline constexpr int kElementSize = kPairSize + 2 * kMaxConstraints;
using ElementMatrix = Eigen::Matrix<double, kElementSize, kElementSize>;

}  // namespace mbsbench::cartesian
