#include "methods/engines/mujoco/mujoco_entry.h"

#include "methods/engines/mujoco/mjcf.h"

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

}  // namespace

MethodEntry MujocoEntry() {
  MethodEntry entry;
  entry.source = "Todorov, Erez, Tassa, IROS 2012, 5026-5033";
  entry.origin = Origin::kEngine;
  entry.form = Form::kOde;
  entry.cost_exponent = 3;  // on a chain the joint-space inertia is full
  entry.own_integration = OwnIntegration{
      "RK4 of MuJoCo, fixed step (order 2 where balls turn in space)", true, false, 4};
  entry.capabilities = WhatItTakes();
  entry.supports = [](const System& system, const MethodOptions&) { return TakesMasses(system); };
  return entry;
}

}  // namespace mbsbench
