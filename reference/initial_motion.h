// From the joint coordinates that a problem states to the absolute motion that they mean, to 1e-33;
// loops closed to 1e-30.
#pragma once

#include <vector>

#include "problems/model/assembly.h"
#include "reference/extended_system.h"

namespace mbsbench::extended {

// Coordinates and rates of all tree joints as in JointState.
struct JointNumbers {
  std::vector<Real> q, u;
};
JointNumbers Extend(const JointState& joints);

// Absolute motion of the tree, root side first. Quaternions need not be of unit length.
Motion MotionOf(const SystemData& system, const JointNumbers& joints);

// The motion at which a problem starts: driven joints as their motions have them, dependent coordinates
// moved until all loop joints close. Throws ModelError when they do not.
Motion InitialMotion(SystemData system, const InitialCondition& initial);

}  // namespace mbsbench::extended
