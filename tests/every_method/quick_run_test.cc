#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>
#include <set>
#include <tuple>

#include "harness/runner/cells/method_choice.h"
#include "harness/runner/plan/plan.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"

namespace mbsbench {
namespace {

const std::vector<PlannedProblem>& QuickPlan() {
  static const std::vector<PlannedProblem> plan = MakePlan({.tier = Tier::kQuick}, AllMethods());
  return plan;
}

// The gate compares the quick run with its baselines.
TEST(QuickRun, CoversLoopSpatialDrivenGrowingSteadyAndStiffProblemsAndEveryVariant) {
  std::set<std::string> integrators, methods;
  bool loop = false, spatial_loop = false, driven = false, growing = false, stiff = false;
  for (const PlannedProblem& p : QuickPlan()) {
    const Problem problem = MakeProblem(p.name);
    for (const PlannedCurve& planned : p.curves) {
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

TEST(QuickRun, RunsExactlyTheCellsThatItsBaselinesHold) {
  using Key = std::tuple<std::string, std::string, std::string, double, double>;
  std::set<Key> planned, held;
  for (const PlannedProblem& p : QuickPlan()) {
    for (const PlannedCurve& curve : p.curves) {
      if (curve.without_running.outcome != Outcome::kOk) continue;
      for (const double setting : curve.ladder) {
        const Cell cell = curve.At(setting);
        planned.emplace(p.name, cell.method, cell.integrator, cell.tolerance.value_or(0),
                        cell.step.value_or(0));
      }
    }
  }
  std::ifstream file(MBSBENCH_SOURCE_DIR "/tests/baselines/cells.json");
  const auto number = [](const nlohmann::json& n) { return n.is_null() ? 0. : n.get<double>(); };
  const nlohmann::json baselines = nlohmann::json::parse(file);
  for (const nlohmann::json& c : baselines.at("cells")) {
    if (c.at("kind") != "cell") continue;
    held.emplace(c.at("problem"), c.at("method"), c.at("integrator"), number(c.at("tolerance")),
                 number(c.at("step")));
  }
  EXPECT_GT(held.size(), 500u);
  EXPECT_EQ(held, planned);
}

}  // namespace
}  // namespace mbsbench
