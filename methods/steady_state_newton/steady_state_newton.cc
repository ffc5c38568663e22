#include "methods/steady_state_newton/steady_state_newton.h"

#include "methods/steady_state_newton/operations.h"
#include "methods/steady_state_newton/steady_formulation.h"
#include "methods/thresholds/thresholds.h"

namespace mbsbench {

namespace {

Capabilities WhatItTakes() {
  using enum JointType;
  using enum ForceElement;
  using enum UnusualBody;
  return {
      .tree_joints = {{kBall, kRevolute, kPrismatic, kFixed, kFree}},
      .loop_joints = {{kBall, kRevolute, kPrismatic, kFixed, kDistance}},
      .force_elements = {{kSpringDamper, kJointSpringDamper, kAppliedForce},
                         "the stiffness of other elements is not implemented"},
      .drivers = {{MotionKind::kConstantRate}, "a steady state turns at constant speeds"},
      .bodies = {{kPoint, kInertiaWithoutMass, kWithoutMassOrInertia}},
      .motion_in_space = true,
  };
}

// With a coarser one the linearised motion does not tell dependent constraints apart.
constexpr double kMostPrecision = kThresholds.dependent_closure / kDependentPerPrecision;

Verdict Supports(const System& system, const MethodOptions&) {
  if (system.drivers.empty()) {
    return Verdict::No(
        "steady-state-newton looks for the steady state of a driven system, and no joint of this "
        "one is driven.");
  }
  if (!system.loop_joints.empty() && system.loop_precision > kMostPrecision) {
    return Verdict::No("loop joint '" + system.loop_joints.front().name +
                       "' closes to a coarser precision (loop_precision) than the 1e-7 to which "
                       "steady-state-newton tells dependent constraints apart.");
  }
  std::size_t coordinates = 0;
  for (const Joint& joint : system.joints)
    coordinates += static_cast<std::size_t>(RateCount(joint.type));
  if (coordinates == system.drivers.size()) {
    return Verdict::No("every joint is driven, so that no coordinate is left to be found.");
  }
  return {};
}

}  // namespace

MethodEntry SteadyStateNewtonEntry() {
  return {
      .key = "steady-state-newton",
      .title = "Steady states by Newton's method in relative coordinates",
      .source = "Choi, Park, Yoo, KSME Int. J. 16 (2002)",
      .description =
          "Relative coordinates with a recursive velocity transformation. Driven coordinates are "
          "separated from the rest, and cut joints have multipliers. Newton's method with an "
          "exact sparse Jacobian solves force balance and closure. The result is a steady state, "
          "not a motion.",
      .form = Form::kAlgebraic,
      .cost_exponent = 1,
      .shared_parts = {"tree joints", "loop joints", "force elements", "joint reactions"},
      .options = {},
      .limits = {{{"refusals"},
                  16,
                  "a system without a driver is refused, and there is no joint or body to name"}},
      .capabilities = WhatItTakes(),
      .supports = Supports,
      .prepare = [](const System& system, const MethodOptions&) -> std::unique_ptr<Formulation> {
        return std::make_unique<steady::SteadyFormulation>(system);
      },
      .reaction_choice = "dropped-rows",
      .count_operations =
          [](const System& system, const MethodOptions&, const JointState& state) {
            return steady::CountOperations(system, state);
          },
  };
}

}  // namespace mbsbench
