#include "methods/interface/plugin.h"

#include <mujoco/mujoco.h>

#include "methods/engines/mujoco/mjcf.h"
#include "methods/engines/mujoco/mujoco_formulation.h"

namespace mbsbench {

namespace {

Verdict Supports(const System& system, const MethodOptions&) {
  if (Verdict verdict = RefuseGrowth(system, "MuJoCo"); !verdict.supported) return verdict;
  if (Verdict verdict = WithoutDrivers(system, "MuJoCo"); !verdict.supported) return verdict;
  if (!system.loop_joints.empty()) {
    return Verdict::No("loop joint '" + system.loop_joints.front().name +
                       "' would be one of MuJoCo's soft constraints, which give way by design: its "
                       "motion is not that of the mechanism.");
  }
  return TakesMasses(system);
}

MethodEntry MujocoEntry() {
  MethodEntry entry;
  entry.key = "mujoco";
  entry.title = std::string("MuJoCo ") + mj_versionString();
  entry.source = "Todorov, Erez, Tassa, IROS 2012, 5026-5033";
  entry.description =
      "The engine MuJoCo as Debian packages it (generic processor, one thread): its smooth "
      "dynamics "
      "(mj_forwardSkip, constraints and contacts off), composite rigid bodies and the sparse L'DL "
      "of the "
      "joint-space inertia. Spring-dampers are its tendons, springs of joints its own; loads and "
      "ground "
      "springs are applied from our evaluation.";
  entry.form = Form::kOde;
  entry.cost_exponent = 3;  // on a chain the joint-space inertia is full
  entry.own_integration =
      OwnIntegration{"RK4 of MuJoCo, fixed step (order 2 where balls turn in space)", false, 4};
  entry.supports = Supports;
  entry.prepare = [](const System& system, const MethodOptions&) -> std::unique_ptr<Formulation> {
    return MakeMujocoFormulation(system);
  };
  return entry;
}

}  // namespace

}  // namespace mbsbench

MBSBENCH_PLUGIN("MuJoCo", mbsbench::MujocoEntry());
