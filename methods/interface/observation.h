// Observation of a state by a formulation, in the common form in which methods are compared.
#pragma once

#include <vector>

#include "problems/model/state.h"
#include "problems/model/unique_components.h"

namespace mbsbench {

struct BodyAcceleration {
  Vector3 acceleration;          // of the mass centre, inertial axes [m/s^2]
  Vector3 angular_acceleration;  // inertial axes [rad/s^2]
};

// Constraint force and moment (without springs, dampers and drivers acting at the joint) on the
// child, about the origin of the child's joint frame, inertial axes.
struct JointReaction {
  Vector3 force;                 // [N]
  Vector3 torque;                // [N m]
  UniqueComponents unique = {};  // in inertial axes too
};

// A driver's coordinate, and the generalised force that it exerts, positive along the coordinate: rad
// and N m for a revolute joint, m and N for a prismatic one.
struct DriverObservation {
  double position, rate, acceleration, effort;
};

struct Observation {
  std::vector<BodyState> bodies;
  std::vector<BodyAcceleration> accelerations;  // empty unless asked for
  std::vector<JointReaction> reactions;    // tree joints, then loop joints; empty unless asked for
  std::vector<DriverObservation> drivers;  // as System::drivers; with reactions, or empty
  // Set by the harness, with reactions, where a formulation HasAlgorithmicReactions; or empty.
  std::vector<JointReaction> algorithmic_reactions = {};
};

enum class Detail { kMotion, kAccelerations, kReactions };  // each includes the previous ones

}  // namespace mbsbench
