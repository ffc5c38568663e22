#include "methods/steady_state_newton/steady_state_newton.h"

#include "methods/steady_state_newton/steady_formulation.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

Verdict Supports(const System& system, const MethodOptions&) {
  if (Verdict verdict = RefuseGrowth(system, "steady-state-newton"); !verdict.supported) {
    return verdict;
  }
  if (system.drivers.empty()) {
    return Verdict::No(
        "steady-state-newton looks for the steady state of a driven system, and no joint of this "
        "one is driven.");
  }
  for (const Joint& joint : system.loop_joints) {
    if (joint.type != JointType::kUniversal) continue;
    return Verdict::No("joint '" + joint.name +
                       "' is a universal joint, whose closure this method does not have.");
  }
  if (!system.ground_springs.empty()) {
    return Verdict::No("force element '" + system.ground_springs.front().name +
                       "' is a ground spring, whose stiffness this method does not have.");
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
          "Relative coordinates, recursive velocity transformation, driven coordinates parted from "
          "the rest, multipliers for cut joints; force balance and closure solved by Newton with "
          "an exact sparse Jacobian. Gives a steady state, not a motion.",
      .form = Form::kAlgebraic,
      .cost_exponent = 1,
      .options = {},
      .supports = Supports,
      .prepare = [](const System& system,
                    const MethodOptions& options) -> std::unique_ptr<Formulation> {
        if (const Verdict v = Supports(system, options); !v.supported) throw ModelError(v.reason);
        return std::make_unique<steady::SteadyFormulation>(system);
      },
  };
}

}  // namespace mbsbench
