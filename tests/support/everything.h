// Capabilities of test methods: everything in the model.
#pragma once

#include "methods/interface/capabilities.h"

namespace mbsbench {

inline Capabilities Everything() {
  using enum JointType;
  return {.tree_joints = AllTreeJoints(),
          .loop_joints = {{kBall, kRevolute, kPrismatic, kFixed, kDistance, kUniversal}},
          .force_elements = AllForceElements(),
          .drivers = AllMotions(),
          .bodies = {{UnusualBody::kPoint, UnusualBody::kInertiaWithoutMass,
                      UnusualBody::kWithoutMassOrInertia}},
          .motion_in_space = true,
          .growth = true};
}

}  // namespace mbsbench
