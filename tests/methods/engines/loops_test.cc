// Closed loops, which only Simbody supports: accelerations compared with the reference, and a mechanism that
// stays closed.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/support/support.h"
#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "problems/model/kinematics.h"
#include "problems/test_systems/redundant_mechanisms.h"
#include "reference/reference.h"
#include "tests/methods/engines/engine_motion.h"
#include "tests/methods/engines/engines.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

class SimbodyLoops : public WithEngine {
 protected:
  SimbodyLoops() : WithEngine("simbody") {}
};

TEST_F(SimbodyLoops, AgreeWithTheAccelerationsAndReactionsOfTheReference) {
  int problems = 0;
  for (const ProblemFamily& family : AllProblems()) {
    const Problem problem = MakeProblem(family.name);
    if (problem.system.loop_joints.empty()) continue;
    ASSERT_TRUE(VerdictOf(*method_, problem.system, {}).supported) << problem.name;
    const SystemState state = Assemble(problem.system, problem.initial, problem.length).state;
    const ReferenceDynamics truth = ReferenceAccelerations(problem.system, state.joints);
    const auto formulation = method_->prepare(problem.system, {});
    std::vector<double> y(formulation->state_size());
    ASSERT_TRUE(formulation->Initialise(0, state, y).ok()) << problem.name;
    Observation observation;
    const Status status = formulation->Observe(0, y, Detail::kReactions, observation);
    ASSERT_TRUE(status.ok()) << problem.name << ": " << status.what;
    double scale = 0, worst = 0, load = 0, worst_reaction = 0;
    for (std::size_t b = 0; b < truth.accelerations.size(); ++b) {
      const auto& mine = observation.accelerations[b];
      const auto& exact = truth.accelerations[b];
      scale = std::max({scale, Norm(exact.acceleration), Norm(exact.angular_acceleration)});
      Raise(worst, {Norm(mine.acceleration - exact.acceleration),
                    Norm(mine.angular_acceleration - exact.angular_acceleration)});
    }
    ASSERT_EQ(observation.reactions.size(), truth.reactions.size()) << problem.name;
    for (std::size_t j = 0; j < truth.reactions.size(); ++j) {
      if (!truth.reactions[j].unique.all()) continue;
      const auto& mine = observation.reactions[j];
      const auto& exact = truth.reactions[j];
      load = std::max({load, Norm(exact.force), Norm(exact.torque)});
      Raise(worst_reaction, {Norm(mine.force - exact.force), Norm(mine.torque - exact.torque)});
    }
    std::printf("  %-24s accelerations %.1e, reactions %.1e\n", problem.name.c_str(), worst / scale,
                load > 0 ? worst_reaction / load : 0);
    EXPECT_LT(worst, 1e-8 * scale) << problem.name;
    EXPECT_LE(worst_reaction, 1e-8 * load) << problem.name;
    ++problems;
  }
  EXPECT_GE(problems, 5);
}

TEST_F(SimbodyLoops, MarkTheReactionsThatRedundantConstraintsLeaveUndetermined) {
  int unique = 0, not_unique = 0;
  for (const RedundantMechanism& mechanism : RedundantMechanisms()) {
    const System& system = mechanism.system;
    if (!VerdictOf(*method_, system, {}).supported) continue;
    const auto formulation = method_->prepare(system, {});
    std::vector<double> y(formulation->state_size());
    ASSERT_TRUE(formulation->Initialise(0, mechanism.state, y).ok()) << mechanism.name;
    Observation observation;
    const Status status = formulation->Observe(0, y, Detail::kReactions, observation);
    if (!status.ok()) {
      std::printf("  %s: %s\n", mechanism.name.c_str(), status.what);
      continue;
    }
    ASSERT_EQ(mechanism.classes.size(), observation.reactions.size());
    for (std::size_t j = 0; j < mechanism.classes.size(); ++j) {
      for (std::size_t k = 0; k < 6; ++k) {
        const bool mine = observation.reactions[j].unique[k];
        EXPECT_EQ(mechanism.classes[j][k] == 'U', mine) << mechanism.name << ", joint " << j;
        ++(mine ? unique : not_unique);
      }
    }
  }
  EXPECT_GE(unique, 100);
  EXPECT_GE(not_unique, 100);
}

TEST_F(SimbodyLoops, AreRefusedIfTheyCloseToAStatedPrecisionOnly) {
  System system = MakeProblem("fourbar").system;
  EXPECT_TRUE(VerdictOf(*method_, system, {}).supported);
  system.loop_precision = 1e-9;
  const Verdict verdict = VerdictOf(*method_, system, {});
  EXPECT_FALSE(verdict.supported);
  EXPECT_NE(verdict.reason.find("'" + system.loop_joints.front().name + "'"), std::string::npos);
  system.loop_joints.clear();
  EXPECT_TRUE(VerdictOf(*method_, system, {}).supported);
}

TEST_F(SimbodyLoops, StayClosedAndReachTheReference) {
  Problem problem = MakeProblem("slidercrank3d");
  problem.end_time /= 10;
  std::erase_if(problem.sample_times, [&problem](double t) { return t > problem.end_time; });
  const SystemState start = Assemble(problem.system, problem.initial, problem.length).state;
  const std::optional<Reference> reference = FindReference(problem);
  ASSERT_TRUE(reference);
  const auto formulation = method_->prepare(problem.system, {});
  EXPECT_TRUE(formulation->projection()->needs_projection());
  for (const char* integrator : {"dopri5", "own"}) {
    const auto [report, accuracy] =
        MotionBy(*formulation, problem, &*reference, start,
                 {.integrator = integrator, .end_time = problem.end_time, .tolerance = 1e-9});
    ASSERT_EQ(report.outcome, IntegrationReport::Outcome::kOk) << integrator << report.reason;
    std::printf("  %s: error %.1e, constraints %.1e\n", integrator, accuracy.error->max,
                accuracy.position_drift_max);
    EXPECT_LT(accuracy.error->max, 1e-6) << integrator;
    EXPECT_LT(accuracy.position_drift_max, 1e-9) << integrator;
    EXPECT_GT(report.counters.projections, 0) << integrator;
  }
}

}  // namespace
}  // namespace mbsbench
