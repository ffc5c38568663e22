// MuJoCo's smooth dynamics: y = (qpos, qvel), accelerations by mj_forwardSkip with constraints and
// contacts switched off: composite rigid bodies, sparse L'DL of the joint-space inertia. Loops switch on its
// constraints, which are soft. Its own integrator is its RK4 with a fixed step.
#pragma once

#include <memory>
#include <string>

#include "methods/interface/formulation.h"
#include "problems/model/system.h"

namespace mbsbench {

// `softness` of the loops as in mjcf.h. Throws ModelError with MuJoCo's message if its compiler refuses the model.
std::unique_ptr<OdeFormulation> MakeMujocoFormulation(const System& system,
                                                      const std::string& softness);

}  // namespace mbsbench
