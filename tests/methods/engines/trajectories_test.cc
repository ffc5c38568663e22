// Motions by the engines: with our integrator they agree with the references, with their own they converge
// to them.
#include <gtest/gtest.h>

#include <cmath>

#include "harness/support/support.h"
#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "reference/reference.h"
#include "tests/methods/engines/engine_motion.h"
#include "tests/methods/engines/engines.h"

namespace mbsbench {
namespace {

EngineMotion Solve(const MethodEntry& method, const Problem& problem,
                   const IntegrationSettings& settings) {
  const auto formulation = method.prepare(problem.system, {});
  const std::optional<Reference> reference = FindReference(problem);
  const SystemState start = Assemble(problem.system, problem.initial, problem.length).state;
  return MotionBy(*formulation, problem, reference ? &*reference : nullptr, start, settings, true);
}

double ErrorOf(const EngineMotion& outcome) {
  return outcome.report.outcome == IntegrationReport::Outcome::kOk && outcome.accuracy.error
             ? outcome.accuracy.error->max
             : INFINITY;
}

class EngineTrajectories : public OfEngine {
 protected:
  bool HasOwn(bool adaptive) const {
    return method_->own_integration && method_->own_integration->adaptive == adaptive;
  }
};
const char* const kProblems[] = {"dpend18", "heavytop", "branch4"};

TEST_P(EngineTrajectories, AgreeWithTheReferencesByOurIntegrator) {
  for (const char* name : {"dpend18", "heavytop", "branch4", "gimbal"}) {
    const Problem problem = MakeProblem(name);
    if (!VerdictOf(*method_, problem.system, {}).supported) continue;
    const EngineMotion outcome =
        Solve(*method_, problem,
              {.integrator = "dopri5", .end_time = problem.end_time, .tolerance = 1e-12});
    EXPECT_LT(ErrorOf(outcome), problem.accuracy_required_ode) << name << outcome.report.reason;
    EXPECT_LT(outcome.accuracy.energy_drift_max, 1e-8) << name;
  }
}

// Between a coarse and a fine tolerance the error falls by at least as many decades less two.
TEST_P(EngineTrajectories, ConvergeWithTheEnginesOwnAdaptiveIntegrator) {
  if (!HasOwn(true)) GTEST_SKIP() << "it has no integrator of its own with adaptive steps";
  constexpr double kCoarse = 1e-5, kFine = 1e-10;
  for (const char* name : kProblems) {
    const Problem problem = MakeProblem(name);
    IntegrationSettings settings{.integrator = "own", .end_time = problem.end_time};
    settings.tolerance = kCoarse;
    const EngineMotion coarse = Solve(*method_, problem, settings);
    settings.tolerance = kFine;
    const EngineMotion fine = Solve(*method_, problem, settings);
    std::printf("  %s %s: error %.1e at %g, %.1e at %g (%ld steps)\n", GetParam().c_str(), name,
                ErrorOf(coarse), kCoarse, ErrorOf(fine), kFine,
                static_cast<long>(fine.report.counters.steps));
    EXPECT_LT(ErrorOf(fine), 100 * kFine / kCoarse * ErrorOf(coarse)) << name;
    EXPECT_LT(ErrorOf(fine), 1e-6) << name;
    EXPECT_GT(fine.report.counters.evaluations, fine.report.counters.steps);
  }
}

TEST_P(EngineTrajectories, ConvergeAtTheOrderOfTheEnginesOwnSteps) {
  if (!HasOwn(false)) GTEST_SKIP() << "it has no integrator of its own with fixed steps";
  const double order = method_->own_integration->order;
  for (const char* name : kProblems) {
    Problem problem = MakeProblem(name);
    if (!VerdictOf(*method_, problem.system, {}).supported) continue;
    IntegrationSettings settings{.integrator = "own", .end_time = problem.end_time};
    // For first order the step has to be short for its error to show the order.
    settings.step = order > 1        ? problem.papers_step
                    : problem.planar ? problem.papers_step / 8
                                     : problem.papers_step / 64;
    const EngineMotion coarse = Solve(*method_, problem, settings);
    settings.step /= 2;
    const EngineMotion fine = Solve(*method_, problem, settings);
    ASSERT_TRUE(coarse.accuracy.error && coarse.accuracy.error->end && fine.accuracy.error &&
                fine.accuracy.error->end)
        << name << coarse.report.reason << fine.report.reason;
    const double observed = std::log2(*coarse.accuracy.error->end / *fine.accuracy.error->end);
    std::printf("  %s %s: errors at the end %.1e and %.1e, order %.2f\n", GetParam().c_str(), name,
                *coarse.accuracy.error->end, *fine.accuracy.error->end, observed);
    // MuJoCo adds the rates of its stages as if turns in space commuted.
    const bool reduced = GetParam().starts_with("mujoco") && !problem.planar;
    EXPECT_NEAR(observed, reduced ? 2 : order, 0.3) << name;
  }
}

// Energy balances the work of dampers and drivers, so a wrong sign would fail.
TEST_P(EngineTrajectories, BalanceEnergyWithTheWorkOfDampersAndDrivers) {
  for (const char* name : {"flyball", "swing", "wishbone"}) {
    Problem problem = MakeProblem(name);
    if (!VerdictOf(*method_, problem.system, {}).supported) continue;
    problem.end_time = std::min(problem.end_time, 0.2);
    SetSampleTimes(problem);
    for (const char* integrator : {"dopri5", "own"}) {
      if (integrator == std::string("own") && !HasOwn(true)) continue;
      const EngineMotion outcome =
          Solve(*method_, problem,
                {.integrator = integrator, .end_time = problem.end_time, .tolerance = 1e-10});
      EXPECT_EQ(outcome.report.outcome, IntegrationReport::Outcome::kOk)
          << name << outcome.report.reason;
      EXPECT_LT(outcome.accuracy.energy_drift_max, 1e-7) << name << " by " << integrator;
      EXPECT_NE(outcome.report.work, 0) << name << " by " << integrator;
    }
  }
}

// Samples must not change the motion, because timed integrations are not sampled.
TEST_P(EngineTrajectories, DoNotDependOnTheirSamples) {
  if (!method_->own_integration) GTEST_SKIP() << "it has no integrator of its own";
  const Problem problem = MakeProblem("branch4");
  const SystemState start = Assemble(problem.system, problem.initial, problem.length).state;
  IntegrationSettings settings{.integrator = "own", .end_time = problem.end_time};
  (method_->own_integration->adaptive ? settings.tolerance : settings.step) = 1e-3;
  const auto formulation = method_->prepare(problem.system, {});
  const IntegrationReport bare = Integrate(*formulation, start, settings);
  const EngineMotion sampled = Solve(*method_, problem, settings);
  EXPECT_EQ(bare.end_state, sampled.report.end_state);
  EXPECT_EQ(bare.counters.steps, sampled.report.counters.steps);
}

INSTANTIATE_TEST_SUITE_P(Engines, EngineTrajectories, testing::ValuesIn(EngineKeys()),
                         NameOfEngine);

}  // namespace
}  // namespace mbsbench
