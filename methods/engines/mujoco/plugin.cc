#include "methods/interface/plugin.h"

#include <mujoco/mujoco.h>

#include <cmath>

#include "methods/engines/mujoco/mjcf.h"
#include "methods/engines/mujoco/mujoco_entry.h"
#include "methods/engines/mujoco/mujoco_formulation.h"

namespace mbsbench {

namespace {

// The hardest constraints that are stable at MuJoCo's default step: a time constant of two steps of 2 ms, and the largest
// impedance that it takes.
constexpr char kHard[] = "solref='0.004 1' solimp='0.9999 0.9999 0.001'";

// A variant that takes systems with loops.
void AddLoops(const std::string& name, const std::string& meaning, MethodEntry& entry) {
  Capabilities capabilities = entry.capabilities;
  capabilities.loop_joints = {
      {JointType::kBall, JointType::kRevolute, JointType::kFixed},
      "MuJoCo's equality constraints 'connect' and 'weld' hold points and frames"};
  entry.options.push_back({.name = name,
                           .meaning = meaning,
                           .group = std::string(kVariantGroup),
                           .capabilities = std::move(capabilities)});
  entry.limits.push_back(
      {.promises = {"*"},
       .bound = INFINITY,
       .reason = "MuJoCo's constraints are soft by design: the error that this costs is shown, "
                 "and nothing is judged",
       .with = name});
}

MethodEntry NativeEntry() {
  MethodEntry entry = MujocoEntry();
  entry.key = "mujoco";
  entry.title = std::string("MuJoCo ") + mj_versionString();
  entry.description =
      "The engine MuJoCo as Debian packages it (generic processor, one thread): its smooth "
      "dynamics (mj_forwardSkip, constraints and contacts off), composite rigid bodies and the "
      "sparse L'DL of the joint-space inertia. Spring-dampers are its tendons, springs of joints "
      "its own, loads and ground springs its actuators. Loops, in variants of their own, are its "
      "equality constraints.";
  AddLoops("soft", "loops as equality constraints, soft as by default", entry);
  AddLoops("hard", "loops as equality constraints, as hard as is stable", entry);
  entry.supports = [](const System& system, const MethodOptions& options) {
    if (!options.empty() && system.loop_joints.empty())
      return Verdict::No("no joint closes a loop: 'mujoco' without options takes this system.");
    return TakesMasses(system);
  };
  entry.prepare = [](const System& system,
                     const MethodOptions& options) -> std::unique_ptr<Formulation> {
    return MakeMujocoFormulation(system, Has(options, "hard") ? kHard : "");
  };
  return entry;
}

}  // namespace

}  // namespace mbsbench

MBSBENCH_PLUGIN("MuJoCo", mbsbench::NativeEntry());
