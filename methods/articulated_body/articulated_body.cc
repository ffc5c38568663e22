#include "methods/articulated_body/articulated_body.h"

#include <memory>
#include <string>
#include <vector>

#include "methods/articulated_body/rope_flight.h"
#include "methods/articulated_body/sweeps.h"
#include "methods/kinematics/shared_capabilities.h"
#include "methods/kinematics/single_axes.h"
#include "methods/tree_sweeps/sweep_loops.h"

namespace mbsbench {

namespace {

constexpr char kTwoThreads[] = "two-threads";

std::vector<MethodOption> Options() {
  std::vector<MethodOption> options = StabilisationOptions();
  options.push_back({.name = kTwoThreads,
                     .meaning = "subtrees on two threads, for trees without springs between bodies",
                     .group = "threads",
                     .threads = 2});
  return options;
}

Capabilities WhatItTakes() {
  Capabilities capabilities = SharedCapabilities();
  capabilities.growth = true;
  return capabilities;
}

}  // namespace

MethodEntry ArticulatedBodyEntry() {
  return OnSingleAxes({
      .key = "articulated-body",
      .title = "Articulated-body algorithm",
      .source = "Featherstone 2008, Rigid Body Dynamics Algorithms, ch. 7; Brandl, Johanni, Otter "
                "1986",
      .description =
          "Joint coordinates. One sweep from the tips to the root eliminates one joint after "
          "another with articulated inertias, one back gives the accelerations; the cost of a "
          "tree is linear in bodies. Loops are cut, and forces in the cuts close them. Few or "
          "redundant loops cost the cube of their constraints; many loops are eliminated one "
          "after another, where they meet, at linear cost.",
      .form = Form::kOde,
      .cost_exponent = 1,
      .shared_parts = {"tree joints", "tree motion", "tree sweep", "loop joints", "loop closure",
                       "closure system", "loop elimination", "force elements", "joint reactions"},
      .options = Options(),
      .numbers = {kBaumgarteRate},
      .capabilities = WhatItTakes(),
      .supports =
          [](const System& system, const MethodOptions& options) {
            if (system.rope_flight && !system.drivers.empty()) {
              return Verdict::No("driver '" + system.drivers.front().name +
                                 "' moves a joint of a rope flight, and articulated-body drives "
                                 "only systems that keep their bodies.");
            }
            return StabilisationSupports(system, options);
          },
      .prepare = [](const GivenSystem& given,
                    const MethodOptions& options) -> std::unique_ptr<Formulation> {
        const System& system = given;
        if (system.rope_flight) return articulated_body::MakeRopeFlight(system);
        return articulated_body::MakeFormulation(given, StabilisationOf(options),
                                                 Has(options, kTwoThreads) ? 2 : 1);
      },
      .reaction_choice = "least-multipliers",
      .explain = [](const System& system,
                    const MethodOptions&) { return ExplainSweepLoops(system); },
      .prepare_batch = [](const System& system,
                          const MethodOptions&) { return articulated_body::MakeBatch(system); },
      .count_operations =
          [](const System& system, const MethodOptions&, const JointState& state) {
            return articulated_body::CountOperations(system, state);
          },
  });
}

}  // namespace mbsbench
