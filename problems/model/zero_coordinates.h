#pragma once

#include <cstddef>
#include <vector>

#include "problems/model/kinematics.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

// All joint coordinates and rates zero, quaternions without rotation.
inline JointState ZeroCoordinates(const System& system) {
  const JointOffsets at = OffsetsOf(system);
  const auto index = [](int i) { return static_cast<std::size_t>(i); };
  JointState zero{std::vector<double>(index(at.q.back())), std::vector<double>(index(at.u.back()))};
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    if (TurnsFreely(system.joints[j].type)) zero.q[index(at.q[j + 1] - 4)] = 1;
  }
  return zero;
}

}  // namespace mbsbench
