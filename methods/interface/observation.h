// What a formulation reports of a state, in the common form in which all are compared.
#pragma once

#include <vector>

#include "problems/model/state.h"

namespace mbsbench {

struct BodyAcceleration {
  Vector3 acceleration;          // of the mass centre, inertial axes [m/s^2]
  Vector3 angular_acceleration;  // inertial axes [rad/s^2]
};

// Constraint force and moment (without springs, dampers and drivers acting at the joint) on the
// child, about the origin of the child's joint frame, inertial axes.
struct JointReaction {
  Vector3 force;       // [N]
  Vector3 torque;      // [N m]
  bool unique = true;  // false where redundant constraints leave it undetermined
};

// What a driver does: the coordinate that it holds, and the generalised force that it exerts on it,
// positive along the coordinate. For a revolute joint in rad and N m, for a prismatic one in m and N.
struct DriverObservation {
  double position, rate, acceleration;
  double effort;
};

struct Observation {
  std::vector<BodyState> bodies;
  std::vector<BodyAcceleration> accelerations;  // empty unless asked for
  std::vector<JointReaction> reactions;    // tree joints, then loop joints; empty unless asked for
  std::vector<DriverObservation> drivers;  // as System::drivers; with reactions. Engines tell none.
};

enum class Detail { kMotion, kAccelerations, kReactions };  // each includes those before it

}  // namespace mbsbench
