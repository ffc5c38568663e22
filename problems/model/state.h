// States of a system: absolute motion of its bodies (the common currency between methods) and the
// joint coordinates in which initial states are given.
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

// One state of a system in both forms. They agree to round-off; formulations start from whichever
// suits them.
struct SystemState {
  JointState joints;
  std::vector<BodyState> bodies;
};

// Where the coordinates of each tree joint begin in JointState::q and ::u.
struct JointOffsets {
  std::vector<int> q, u;  // one entry per tree joint, and the total as the last
};
JointOffsets OffsetsOf(const System& system);

}  // namespace mbsbench
