#include "methods/interface/plugin.h"

#include <mujoco/mujoco.h>

#include "methods/engines/mujoco/mjcf.h"
#include "methods/engines/mujoco/mujoco_formulation.h"

namespace mbsbench {

namespace {

Capabilities WhatItTakes() {
  using enum JointType;
  using enum ForceElement;
  using enum UnusualBody;
  return {
      .tree_joints = {{kBall, kRevolute, kPrismatic, kFixed, kFree, kUniversal, kCylindrical,
                       kPlanar}},
      .loop_joints =
          {.because = "MuJoCo's constraints are soft and give way by design, so that its motion is "
                      "not that of the mechanism"},
      .force_elements = {{kSpringDamper, kJointSpringDamper, kAppliedForce, kGroundSpring}},
      .bodies = {{kPoint, kInertiaWithoutMass, kWithoutMassOrInertia}},
      .motion_in_space = true,
  };
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
  entry.origin = Origin::kEngine;
  entry.form = Form::kOde;
  entry.cost_exponent = 3;  // on a chain the joint-space inertia is full
  entry.own_integration = OwnIntegration{
      "RK4 of MuJoCo, fixed step (order 2 where balls turn in space)", true, false, 4};
  entry.capabilities = WhatItTakes();
  entry.supports = [](const System& system, const MethodOptions&) { return TakesMasses(system); };
  entry.prepare = [](const System& system, const MethodOptions&) -> std::unique_ptr<Formulation> {
    return MakeMujocoFormulation(system);
  };
  return entry;
}

}  // namespace

}  // namespace mbsbench

MBSBENCH_PLUGIN("MuJoCo", mbsbench::MujocoEntry());
