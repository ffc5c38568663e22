#include "methods/interface/plugin.h"

#include <dart/config.hpp>

#include "methods/engines/dart/dart_formulation.h"
#include "methods/engines/turning_inertia.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

Capabilities WhatItTakes() {
  using enum JointType;
  using enum ForceElement;
  using enum UnusualBody;
  return {
      .tree_joints = {{kBall, kRevolute, kPrismatic, kFixed, kFree, kUniversal, kPlanar}},
      .loop_joints =
          {.because = "DART's constraints act by impulses between steps of its own and pull errors "
                      "back by a spring of its choosing, so that there are no accelerations "
                      "to compare"},
      .force_elements = {{kSpringDamper, kJointSpringDamper, kAppliedForce, kGroundSpring, kMotor}},
      .drivers = {{MotionKind::kConstantRate}},
      .bodies = {{kPoint}, "DART needs a mass"},
      .motion_in_space = true,
  };
}

MethodEntry DartEntry() {
  MethodEntry entry;
  entry.key = "dart";
  entry.title = "DART " DART_VERSION;
  entry.source = "Lee, Grey, Ha et al., J. Open Source Software 3(22) (2018) 500";
  entry.description =
      "The engine DART as Debian packages it (generic processor, one thread): "
      "Skeleton::computeForwardDynamics, its articulated-body recursion, without World and "
      "contacts. All "
      "force elements are applied from our evaluation, because DART's own springs are implicit in "
      "its "
      "time step.";
  entry.origin = Origin::kEngine;
  entry.form = Form::kOde;
  entry.own_integration = OwnIntegration{"semi-implicit Euler of DART, fixed step", true, false, 1};
  entry.capabilities = WhatItTakes();
  entry.supports = [](const System& system, const MethodOptions&) {
    // DART aborts the process where a joint can turn what has no inertia about its axis.
    return TurnsWithInertia(system, "DART");
  };
  entry.prepare = [](const System& system, const MethodOptions&) -> std::unique_ptr<Formulation> {
    try {
      return MakeDartFormulation(system);
    } catch (const std::exception& error) {
      throw ModelError(std::string("DART does not take this system: ") + error.what());
    }
  };
  return entry;
}

}  // namespace

}  // namespace mbsbench

MBSBENCH_PLUGIN("DART", mbsbench::DartEntry());
