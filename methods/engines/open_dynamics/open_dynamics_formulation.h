// The equations of motion of the Open Dynamics Engine: y = position, unit quaternion, velocity and angular velocity of each
// body, the last two in inertial axes. Joints are its constraints, solved by its direct solver dWorldStep.
//
// ODE gives velocities after a step, and no accelerations. Its step solves J v+ = 0, v+ = v + h M^-1 (f + J'l), where the
// accelerations have J a = -J' v. Therefore an evaluation is one step of h = 1 s from v = -a0, where a0 are the accelerations
// of a motion with constant joint rates (J a0 = -J' v): then v+ + a0 are the accelerations, exactly, because positions are
// set anew each time. a0 and the gyroscopic moments are ours.
//
// Its own integrator is dWorldStep as it stands, with its error reduction and its softness (ERP 0.2, CFM 1e-10): joints
// give way by what its steps leave.
#pragma once

#include <memory>

#include "methods/interface/formulation.h"
#include "problems/model/system.h"

namespace mbsbench {

std::unique_ptr<OdeFormulation> MakeOpenDynamicsFormulation(const System& system);

}  // namespace mbsbench
