// Conversions that the engines share.
#pragma once

#include "methods/interface/observation.h"
#include "problems/model/system.h"

namespace mbsbench {

// The constraint part of the wrench of a joint on its body: engines include the efforts of springs,
// dampers and drivers along the free axes. `z` is that of the child's frame.
inline JointReaction ConstraintPart(JointType type, const Vector3& z, JointReaction whole) {
  switch (type) {
    case JointType::kFree: whole.force = {}; [[fallthrough]];
    case JointType::kBall: whole.torque = {}; break;
    case JointType::kRevolute: whole.torque = whole.torque - Dot(whole.torque, z) * z; break;
    case JointType::kPrismatic: whole.force = whole.force - Dot(whole.force, z) * z; break;
    case JointType::kFixed:
    case JointType::kDistance: break;
    case JointType::kUniversal:
    case JointType::kCylindrical:
    case JointType::kPlanar: break;  // neither springs nor drivers act along their axes
  }
  return whole;
}

}  // namespace mbsbench
