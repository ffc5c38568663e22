// The stated digits of an engine's accelerations, compared with the 113-bit reference.
#include <gtest/gtest.h>

#include "harness/runner/cells/random_states.h"
#include "harness/runner/trials/judged_evaluation.h"
#include "harness/support/support.h"
#include "problems/catalog/catalog.h"
#include "problems/test_systems/random_trees.h"
#include "tests/methods/engines/engines.h"

namespace mbsbench {
namespace {

using EngineDigits = OfEngine;

JudgedEvaluation Judged(const MethodEntry& method, const Problem& problem) {
  const PreparedCell cell{{}, problem, InitialState(problem), {&method, {}, method.key}};
  return JudgeInitialState(cell, Detail::kAccelerations);
}

// Andrews' mechanism, seven bodies of some grams in three loops, with 30 links of 1 m hung on its bodies
// and on each other at random.
Problem AndrewsWithLinks(double mass, std::uint64_t seed) {
  Problem problem = MakeProblem("andrews");
  System& system = problem.system;
  RandomNumbers random(seed);
  for (int i = 1; i <= 30; ++i) {
    Body link;
    link.name = "link " + std::to_string(i);
    link.mass = mass;
    link.inertia = Diagonal(0.01 * mass, 0.1 * mass, 0.1 * mass);
    Joint pin;
    pin.name = "pin " + std::to_string(i);
    pin.type = JointType::kRevolute;
    pin.child = static_cast<int>(system.bodies.size());
    pin.parent = random.Below(pin.child);
    pin.parent_frame = {random.Vector(0.5), random.Rotation()};
    pin.child_frame.position = {-0.5, 0, 0};
    system.bodies.push_back(link);
    system.joints.push_back(pin);
    problem.initial.joints.q.push_back(random.Between(-1, 1));
    problem.initial.joints.u.push_back(random.Between(-1, 1));
  }
  return problem;
}

// The digits are stated, or the system is refused: an invalid result is never ok.
TEST_P(EngineDigits, OfALightMechanismWithHeavyLinksAreStatedOrItIsRefused) {
  int refused = 0;
  for (double mass : {1., 100., 1e4, 1e5, 1e7}) {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
      const Problem problem = AndrewsWithLinks(mass, seed);
      if (const Verdict verdict = VerdictOf(*method_, problem.system, {}); !verdict.supported)
        GTEST_SKIP() << verdict.reason;
      try {
        const JudgedEvaluation judged = Judged(*method_, problem);
        ASSERT_TRUE(judged.error);
        if (judged.ending.outcome != Outcome::kOk) {
          EXPECT_GT(mass, 100) << judged.ending.reason;
          ++refused;
          continue;
        }
        EXPECT_LT(*judged.error, 100 * judged.condition.scatter + 1e-9) << mass << " kg, " << seed;
      } catch (const EvaluationFailed&) {
        EXPECT_GT(mass, 100);
        ++refused;
      }
    }
  }
  EXPECT_GT(refused, 0) << "the control: some of these are beyond the engine";
}

TEST_P(EngineDigits, OfCatalogueProblemsAreManyAndTheOutcomeIsOk) {
  for (const ProblemFamily& family : AllProblems()) {
    const Problem problem = MakeProblem(family.name);
    if (!VerdictOf(*method_, problem.system, {}).supported) continue;
    const JudgedEvaluation judged = Judged(*method_, problem);
    EXPECT_EQ(Outcome::kOk, judged.ending.outcome) << problem.name << ": " << judged.ending.reason;
    EXPECT_GT(judged.condition.digits_left(), 4) << problem.name;
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, EngineDigits, testing::ValuesIn(EngineKeys()), NameOfEngine);

}  // namespace
}  // namespace mbsbench
