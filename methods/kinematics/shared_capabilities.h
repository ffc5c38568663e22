// What methods take that leave joints, motions and force elements to what all methods share.
#pragma once

#include "methods/interface/capabilities.h"

namespace mbsbench {

// All bodies, tree joints and motions, those that the model will have later, too; loop joints and force
// elements of today; in space, and without growth.
inline Capabilities SharedCapabilities() {
  using enum JointType;
  using enum ForceElement;
  using enum UnusualBody;
  return {
      .tree_joints = AllTreeJoints(),
      .loop_joints = {{kBall, kRevolute, kPrismatic, kFixed, kDistance, kUniversal}},
      .force_elements = {{kSpringDamper, kJointSpringDamper, kAppliedForce, kGroundSpring}},
      .drivers = AllMotions(),
      .bodies = {{kPoint, kInertiaWithoutMass, kWithoutMassOrInertia}},
      .motion_in_space = true,
  };
}

}  // namespace mbsbench
