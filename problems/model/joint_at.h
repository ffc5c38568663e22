// Joints by the number that reactions and statuses use.
#pragma once

#include <cstddef>

#include "problems/model/system.h"

namespace mbsbench {

// Tree joints, then loop joints.
inline const Joint& JointAt(const System& system, std::size_t number) {
  const std::size_t trees = system.joints.size();
  return number < trees ? system.joints[number] : system.loop_joints[number - trees];
}

}  // namespace mbsbench
