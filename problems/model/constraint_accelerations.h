// Whether the accelerations of bodies keep the constraints of the joints: the second derivatives of the rows of kinematics.h.
#pragma once

#include <vector>

#include "problems/model/kinematics.h"

namespace mbsbench {

struct Accelerations {
  std::vector<Vector3> linear, angular;  // of each body, inertial axes [m/s^2], [rad/s^2]
};

// The largest of all joints, as ConstraintResiduals: divided by length/time^2 and 1/time^2. Exact where the constraints on
// positions and velocities hold.
double AccelerationResidual(const System& system, const std::vector<BodyState>& bodies,
                            const Accelerations& accelerations, double length, double time);

}  // namespace mbsbench
