#include "methods/interface/plugin.h"

#include <ode/version.h>

#include <cmath>

#include "methods/engines/open_dynamics/open_dynamics_formulation.h"
#include "methods/engines/turning_inertia.h"

namespace mbsbench {

namespace {

Capabilities WhatItTakes() {
  using enum JointType;
  using enum ForceElement;
  return {
      .tree_joints = {{kBall, kRevolute, kPrismatic, kFixed, kFree, kUniversal},
                      "a body on ODE's piston on the ground did not have the reference's "
                      "accelerations, and ODE "
                      "has no planar joint"},
      .loop_joints = {.because = "the accelerations that ODE's step is turned into need a tree"},
      .force_elements = {{kSpringDamper, kAppliedForce, kGroundSpring, kMotor},
                         "ODE knows the angle of a joint within half a turn only"},
      .drivers = {.because = "ODE's motors act on velocities within a step"},
      .bodies = {{}, "ODE inverts the inertia of each body"},
      .motion_in_space = true,
  };
}

MethodEntry OpenDynamicsEntry() {
  MethodEntry entry;
  entry.key = "open-dynamics";
  entry.title = "ODE " dODE_VERSION;
  entry.source = "Smith, Open Dynamics Engine, ode.org, 2001-2020";
  entry.description =
      "The Open Dynamics Engine as Debian packages it (generic processor, double precision, one "
      "thread): absolute coordinates, joints as constraints, its direct solver dWorldStep. An "
      "evaluation is one step from velocities that turn its result into accelerations; the "
      "accelerations at constant joint rates and the gyroscopic moments are ours. All force "
      "elements are applied from our evaluation.";
  entry.origin = Origin::kEngine;
  entry.form = Form::kOde;
  entry.cost_exponent = 3;  // its direct solver is dense
  entry.own_integration =
      OwnIntegration{"dWorldStep of ODE, fixed step, joints give way", true, false, 1};
  entry.limits = {{{"no-allocation"},
                   INFINITY,
                   "ODE's step allocates, and the coordinates of joints are new lists"},
                  {{"first-steps"},
                   INFINITY,
                   "a step of ODE ends with J v = 0 for the J of its begin, so that the change of "
                   "velocities lacks "
                   "the term with the rate of J; the next steps make up for it"},
                  {{"reference-*:bodies=500"},
                   INFINITY,
                   "a motion of 500 bodies by its dense solver takes more than 30 s of CPU time"},
                  {{"reference-gimbal:spin=5000"},
                   1e-7,
                   "the quaternion of a rotor that turns by 10,000 rad collects the errors of all "
                   "steps: 5e-8"}};
  entry.capabilities = WhatItTakes();
  entry.supports = [](const System& system, const MethodOptions&) {
    return EachHasInertia(system, "ODE");
  };
  entry.prepare = [](const System& system, const MethodOptions&) -> std::unique_ptr<Formulation> {
    return MakeOpenDynamicsFormulation(system);
  };
  return entry;
}

}  // namespace

}  // namespace mbsbench

MBSBENCH_PLUGIN("ODE", mbsbench::OpenDynamicsEntry());
