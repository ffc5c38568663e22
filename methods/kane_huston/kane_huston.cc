#include "methods/kane_huston/kane_huston.h"

#include <fmt/format.h>

#include <cmath>

#include "methods/kane_huston/general_formulation.h"
#include "methods/kane_huston/operations.h"
#include "methods/kane_huston/paper_flight.h"
#include "methods/kane_huston/paper_formulation.h"
#include "methods/kane_huston/reduced_tree.h"
#include "methods/kinematics/shared_capabilities.h"
#include "methods/kinematics/single_axes.h"

namespace mbsbench {

namespace {

// More than this is refused: on a chain both paths and generalised inertia grow with n^2, and an
// evaluation with n^3 takes seconds by then.
constexpr double kMostPathBytes = 1e9;

Capabilities WhatGeneralTakes() {
  Capabilities capabilities = SharedCapabilities();
  capabilities.loop_joints = {};
  return capabilities;
}

Capabilities WhatPaperTakes() {
  using enum JointType;
  using enum ForceElement;
  using enum UnusualBody;
  return {
      .tree_joints = {{kRevolute}, "its rods turn about revolutes"},
      .force_elements = {{kSpringDamper, kAppliedForce, kGroundSpring},
                         "forces act on the nodes only, and a joint spring gives a moment"},
      .bodies = {{kPoint, kWithoutMassOrInertia}},
      .growth = true,
  };
}

Verdict SupportsGeneral(const System& system) {
  const double bytes = kane_huston::PathBytes(system);
  if (bytes > kMostPathBytes) {
    return Verdict::No(fmt::format(
        "kane-huston:general stores the partial velocities of every body along its path and the "
        "generalised inertia, which would need {:.1f} GB for these {} bodies; {:.0f} GB are "
        "allowed at most.",
        bytes / 1e9, system.bodies.size(), kMostPathBytes / 1e9));
  }
  return {};
}

Verdict Supports(const System& system, const MethodOptions& options) {
  if (!Has(options, "paper")) return SupportsGeneral(system);
  return system.rope_flight ? Verdict{} : kane_huston::IsLumpedRodChain(system);
}

std::unique_ptr<Formulation> Prepare(const GivenSystem& given, const MethodOptions& options) {
  const System& system = given;
  if (Has(options, "paper") && system.rope_flight) return kane_huston::MakePaperFlight(system);
  if (Has(options, "paper")) return kane_huston::MakePaperFormulation(system);
  return kane_huston::MakeGeneralFormulation(given);
}

}  // namespace

MethodEntry KaneHustonEntry() {
  return OnSingleAxes({
      .key = "kane-huston",
      .title = "Kane's equations in Huston's form",
      .source = "Lu, Gu, Liu et al. 2014; Huston and Liu 1987",
      .description =
          "Partial velocities of every body and their derivatives are stored along the paths of "
          "the tree. The equations u'Mu q'' = F - u'M u' q' are solved by a Cholesky "
          "factorisation from the tips to the root. Joint reactions do not enter them.",
      .form = Form::kOde,
      .cost_exponent = 3,
      .shared_parts = {"tree joints", "tree motion", "force elements", "joint reactions"},
      .options = {{"general", "any tree of rigid bodies, joint rates as generalised speeds",
                   "variant", true},
                  {"paper",
                   "planar chain of massless rods with point masses, absolute angles",
                   "variant",
                   false,
                   {},
                   WhatPaperTakes(),
                   std::vector<std::string>{"tree joints", "force elements", "joint reactions"}}},
      .limits = {{.promises = {"reference-branchN:bodies=500"},
                  .reason = "O(n^2) storage and O(n^3) work in each evaluation",
                  .with = "general",
                  .seconds = 2000}},  // 40 s with 240 bodies, by n^3.1 from 120: 390 s
      .capabilities = WhatGeneralTakes(),
      .supports = Supports,
      .prepare = Prepare,
      .count_operations = [](const System& system, const MethodOptions& options,
                             const JointState& state) -> CountedOperations {
        if (Has(options, "paper"))
          return CountedOperations::No(
              "only the variant 'general' is counted, not the printed form");
        return kane_huston::CountOperations(system, state);
      },
  });
}

}  // namespace mbsbench
