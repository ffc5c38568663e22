// MuJoCo's smooth dynamics as in methods/engines/mujoco, computed by a Node process.
#pragma once

#include <filesystem>
#include <memory>

#include "methods/interface/formulation.h"
#include "problems/model/system.h"

namespace mbsbench {

// Throws ModelError with MuJoCo's message if its compiler refuses the model, and if Node cannot be started.
std::unique_ptr<OdeFormulation> MakeMujocoNodeFormulation(const System& system,
                                                          const std::filesystem::path& script);

}  // namespace mbsbench
