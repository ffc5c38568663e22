// DART's equations of motion: y = (q, u), q with unit quaternions in the order of System::joints, u DART's
// own velocities in its order; accelerations by Skeleton::computeForwardDynamics, its articulated-body
// recursion. Its own integrator is that of World::step without contacts: velocities, then positions, with
// a fixed step (semi-implicit Euler).
//
// Conventions: rotations are rotation vectors in DART, so each evaluation converts quaternions to
// these; a FreeJoint's velocities are those of the child's joint frame in its own axes, angular first.
#pragma once

#include <memory>

#include "methods/interface/formulation.h"
#include "problems/model/system.h"

namespace mbsbench {

std::unique_ptr<OdeFormulation> MakeDartFormulation(const System& system);

}  // namespace mbsbench
