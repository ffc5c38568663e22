// What a formulation tells of a state, in the one currency in which all are compared.
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

struct Observation {
  std::vector<BodyState> bodies;
  std::vector<BodyAcceleration> accelerations;  // empty unless asked for
  std::vector<JointReaction> reactions;  // tree joints, then loop joints; empty unless asked for
};

enum class Detail { kMotion, kAccelerations, kReactions };  // each includes those before it

}  // namespace mbsbench
