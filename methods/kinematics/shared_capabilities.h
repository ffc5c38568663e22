// The capabilities of methods that use the shared code for joints, motions and force elements.
#pragma once

#include "methods/interface/capabilities.h"

namespace mbsbench {

// All bodies, tree joints and motions, including types that are added later; the present loop joints
// and force elements; in space, and without growth.
inline Capabilities SharedCapabilities() {
  using enum JointType;
  using enum ForceElement;
  using enum UnusualBody;
  return {
      .tree_joints = AllTreeJoints(),
      .loop_joints = {{kBall, kRevolute, kPrismatic, kFixed, kDistance, kUniversal}},
      .force_elements = {{kSpringDamper, kJointSpringDamper, kAppliedForce, kGroundSpring, kMotor}},
      .drivers = AllMotions(),
      .bodies = {{kPoint, kInertiaWithoutMass, kWithoutMassOrInertia}},
      .motion_in_space = true,
  };
}

}  // namespace mbsbench
