#include "methods/interface/plugin.h"

#include <cmath>

#include "methods/engines/siconos/siconos_formulation.h"
#include "methods/engines/turning_inertia.h"

namespace mbsbench {

namespace {

Capabilities WhatItTakes() {
  using enum JointType;
  using enum ForceElement;
  return {
      .tree_joints = {{kBall, kRevolute, kPrismatic, kFixed, kFree, kCylindrical},
                      "Siconos has no such joint"},
      .loop_joints = {.because = "the multipliers of redundant joints, which most loops have, are "
                                 "not unique, and Siconos' solver for them needs unique ones"},
      .force_elements = {{kSpringDamper, kAppliedForce, kGroundSpring, kMotor},
                         "Siconos counts the turns of a joint from step to step, so that an "
                         "evaluation knows its angle within one turn only"},
      .drivers = {.because = "Siconos prescribes velocities of bodies, not of joints"},
      .bodies = {{}, "Siconos inverts the inertia of each body"},
      .motion_in_space = true,
  };
}

MethodEntry SiconosEntry() {
  MethodEntry entry;
  entry.key = "siconos";
  entry.title = "Siconos " SICONOS_VERSION;
  entry.source =
      "Acary, Bonnefon, Bremond, Huber, Perignon, Sinclair, An introduction to Siconos, INRIA "
      "RT-0340, 2019";
  entry.description =
      "The mechanics component of Siconos as Debian packages it (generic processor, with its "
      "assertions): NewtonEulerDS for each body, joints as bilateral constraints. An evaluation "
      "takes masses, forces and Jacobians from Siconos, the rates of the Jacobians from exact "
      "differences of them, and the multipliers from its sparse LU solver. Gravity and all "
      "force elements are external forces from our evaluation.";
  entry.origin = Origin::kEngine;
  entry.form = Form::kOde;
  entry.own_integration = OwnIntegration{
      "MoreauJeanOSI of Siconos, theta 1/2, fixed step, joints give way", true, false, 1};
  entry.limits = {
      {{"no-allocation"}, INFINITY, "Siconos allocates in every evaluation"},
      {{"reference-gimbal:spin=5000"},
       INFINITY,
       "a motion of 10,000 rad in absolute coordinates takes more than 30 s of CPU time"}};
  entry.capabilities = WhatItTakes();
  entry.supports = [](const System& system, const MethodOptions&) {
    return EachHasInertia(system, "Siconos");
  };
  entry.prepare = [](const System& system, const MethodOptions&) -> std::unique_ptr<Formulation> {
    return MakeSiconosFormulation(system);
  };
  return entry;
}

}  // namespace

}  // namespace mbsbench

MBSBENCH_PLUGIN("Siconos", mbsbench::SiconosEntry());
