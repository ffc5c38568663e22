#include "methods/interface/plugin.h"

#include <fmt/format.h>

#include "methods/engines/simbody/simbody_formulation.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

Capabilities WhatItTakes() {
  using enum JointType;
  using enum ForceElement;
  using enum UnusualBody;
  return {
      .tree_joints = {{kBall, kRevolute, kPrismatic, kFixed, kFree, kUniversal, kCylindrical,
                       kPlanar}},
      .loop_joints = {{kBall, kRevolute, kPrismatic, kFixed, kDistance, kUniversal}},
      .force_elements = {{kSpringDamper, kJointSpringDamper, kAppliedForce, kGroundSpring}},
      .drivers = {{MotionKind::kConstantRate}},
      .bodies = {{kPoint, kWithoutMassOrInertia}, "Simbody keeps inertia per unit of mass"},
      .motion_in_space = true,
  };
}

// Simbody decides by a bound of its own which constraints are dependent.
Verdict TakesExactLoops(const System& system) {
  if (system.loop_joints.empty() || !(system.loop_precision > 0)) return {};
  return Verdict::No("loop joint '" + system.loop_joints.front().name +
                     "' closes to a stated precision only (loop_precision), which Simbody cannot "
                     "be told.");
}

MethodEntry SimbodyEntry() {
  MethodEntry entry;
  entry.key = "simbody";
  int major = 0, minor = 0, build = 0;
  SimTK_version_simbody(&major, &minor, &build);
  entry.title = fmt::format("Simbody {}.{}", major, minor);
  if (build > 0) entry.title += fmt::format(".{}", build);
  entry.source = "Sherman, Seth, Delp, Procedia IUTAM 2 (2011) 241-261";
  entry.description =
      "The engine Simbody as Debian packages it (generic processor, one thread): its O(n) "
      "recursion in "
      "joint coordinates (realize to Stage::Acceleration), ball mobilizers with quaternions, loops "
      "by "
      "its constraints and its coordinate projection. Springs, dampers and loads are its own force "
      "elements, but for ground springs and loads in body axes, which are applied from our "
      "evaluation.";
  entry.origin = Origin::kEngine;
  entry.form = Form::kOde;
  entry.own_integration =
      OwnIntegration{"RungeKuttaMerson of Simbody, error-controlled", false, true, 4};
  entry.capabilities = WhatItTakes();
  entry.supports = [](const System& system, const MethodOptions&) {
    return TakesExactLoops(system);
  };
  entry.prepare = [](const System& system, const MethodOptions&) -> std::unique_ptr<Formulation> {
    try {
      return MakeSimbodyFormulation(system);
    } catch (const std::exception& error) {
      throw ModelError(std::string("Simbody does not take this system: ") + error.what());
    }
  };
  entry.reaction_choice = "least-multipliers";
  return entry;
}

}  // namespace

}  // namespace mbsbench

MBSBENCH_PLUGIN("Simbody", mbsbench::SimbodyEntry());
