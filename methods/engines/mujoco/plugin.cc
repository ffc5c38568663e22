#include "methods/interface/plugin.h"

#include <mujoco/mujoco.h>

#include "methods/engines/mujoco/mujoco_entry.h"
#include "methods/engines/mujoco/mujoco_formulation.h"

namespace mbsbench {

namespace {

MethodEntry NativeEntry() {
  MethodEntry entry = MujocoEntry();
  entry.key = "mujoco";
  entry.title = std::string("MuJoCo ") + mj_versionString();
  entry.description =
      "The engine MuJoCo as Debian packages it (generic processor, one thread): its smooth "
      "dynamics (mj_forwardSkip, constraints and contacts off), composite rigid bodies and the "
      "sparse L'DL of the joint-space inertia. Spring-dampers are its tendons, springs of joints "
      "its own, loads and ground springs its actuators.";
  entry.prepare = [](const System& system, const MethodOptions&) -> std::unique_ptr<Formulation> {
    return MakeMujocoFormulation(system);
  };
  return entry;
}

}  // namespace

}  // namespace mbsbench

MBSBENCH_PLUGIN("MuJoCo", mbsbench::NativeEntry());
