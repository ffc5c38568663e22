// MuJoCo's smooth dynamics: y = (qpos, qvel), accelerations by mj_forwardSkip with constraints and
// contacts switched off: composite rigid bodies, sparse L'DL of the joint-space inertia. Its own
// integrator is its RK4 with a fixed step.
#pragma once

#include <memory>

#include "methods/interface/formulation.h"
#include "problems/model/system.h"

namespace mbsbench {

// Throws ModelError with MuJoCo's message if its compiler refuses the model.
std::unique_ptr<OdeFormulation> MakeMujocoFormulation(const System& system);

}  // namespace mbsbench
