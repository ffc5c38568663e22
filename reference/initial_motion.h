// The absolute motion for the joint coordinates of a problem, to 1e-33, with loops closed to 1e-30.
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

// The initial motion of a problem: driven joints follow their motions, and dependent coordinates are
// moved until all loop joints close. Throws ModelError if they do not.
Motion InitialMotion(SystemData system, const InitialCondition& initial);

}  // namespace mbsbench::extended
