#include <gtest/gtest.h>

#include <set>

#include "harness/runner/cells/method_choice.h"
#include "harness/runner/plan/plan.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"

namespace mbsbench {
namespace {

// The gate compares the quick run with its baselines.
TEST(QuickRun, CoversLoopSpatialDrivenGrowingSteadyAndStiffProblemsAndEveryVariant) {
  std::set<std::string> integrators, methods;
  bool loop = false, spatial_loop = false, driven = false, growing = false, stiff = false;
  for (const PlannedProblem& p : MakePlan({.tier = Tier::kQuick}, AllMethods())) {
    const Problem problem = MakeProblem(p.name);
    for (const PlannedCell& planned : p.cells) {
      if (planned.without_running.outcome != Outcome::kOk) continue;
      methods.insert(planned.cell.method);
      integrators.insert(planned.cell.integrator);
      const bool moves = planned.cell.integrator != "kinsol";
      loop |= moves && !problem.system.loop_joints.empty();
      spatial_loop |= moves && !problem.system.loop_joints.empty() && !problem.planar;
      driven |= moves && !problem.system.drivers.empty();
      growing |= problem.system.rope_flight.has_value();
      stiff |= p.family == "flyball";
    }
  }
  EXPECT_TRUE(loop && spatial_loop && driven && growing && stiff)
      << loop << spatial_loop << driven << growing << stiff;
  for (const char* key : {"dopri5", "fehlberg8", "rk4", "cvode-bdf", "ida", "kinsol"})
    EXPECT_TRUE(integrators.contains(key)) << key;
  for (const MethodEntry& entry : AllMethods()) {
    for (const MethodChoice& variant : VariantsOf(entry)) {
      EXPECT_TRUE(methods.contains(variant.spec)) << variant.spec;
      if (!IsDefaultVariant(variant)) continue;  // supports no loops, or another variant does
      for (const MethodChoice& other : OtherStabilisationsOf(variant))
        EXPECT_TRUE(methods.contains(other.spec)) << other.spec;
    }
  }
}

}  // namespace
}  // namespace mbsbench
