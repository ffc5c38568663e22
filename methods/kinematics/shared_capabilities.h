// The capabilities of methods that use the shared code for joints, motions and force elements.
#pragma once

#include "methods/interface/capabilities.h"

namespace mbsbench {

// All bodies, tree joints, force elements and motions, including types that are added later; the present loop joints; in
// space, and without growth.
inline Capabilities SharedCapabilities() {
  using enum JointType;
  using enum UnusualBody;
  return {
      .tree_joints = AllTreeJoints(),
      .loop_joints = {{kBall, kRevolute, kPrismatic, kFixed, kDistance, kUniversal}},
      .force_elements = AllForceElements(),
      .drivers = AllMotions(),
      .bodies = {{kPoint, kInertiaWithoutMass, kWithoutMassOrInertia}},
      .motion_in_space = true,
  };
}

}  // namespace mbsbench
