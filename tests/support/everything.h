// Test methods that take everything in the model.
#pragma once

#include <string>
#include <utility>

#include "methods/interface/method.h"

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

inline MethodEntry Taking(std::string key, double cost_exponent = 1, Form form = Form::kOde) {
  MethodEntry entry;
  entry.key = std::move(key);
  entry.form = form;
  entry.cost_exponent = cost_exponent;
  entry.capabilities = Everything();
  if (form == Form::kTimeStepper) entry.own_integration = OwnIntegration{"its own", false, true, 2};
  return entry;
}

}  // namespace mbsbench
