// States of a system: absolute motion of its bodies (the form in which methods are compared) and
// the joint coordinates of initial states.
#pragma once

#include <vector>

#include "problems/model/geometry.h"
#include "problems/model/system.h"

namespace mbsbench {

// Absolute motion of one body, inertial axes.
struct BodyState {
  Vector3 position;          // of the mass centre [m]
  Quaternion orientation;    // body -> inertial
  Vector3 velocity;          // of the mass centre [m/s]
  Vector3 angular_velocity;  // [rad/s]
};

// Joint coordinates and rates of all tree joints, joint after joint in the order of System::joints,
// with the meanings of JointType.
struct JointState {
  std::vector<double> q;
  std::vector<double> u;
};

// One state of a system in both forms. They agree to round-off; formulations use either.
struct SystemState {
  JointState joints;
  std::vector<BodyState> bodies;
};

// Index of the first coordinate of each tree joint in JointState::q and ::u.
struct JointOffsets {
  std::vector<int> q, u;  // one entry per tree joint, then the total
};
JointOffsets OffsetsOf(const System& system);

}  // namespace mbsbench
