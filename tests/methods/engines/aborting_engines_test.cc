// Systems and states at which an engine would abort the process are refused, or reported as failures. A child
// process runs each trial; its exit status is tested too.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "harness/runner/process/supervisor.h"
#include "harness/support/support.h"
#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "problems/test_systems/random_trees.h"
#include "tests/methods/engines/engines.h"

namespace mbsbench {
namespace {

constexpr ProcessLimits kLimits{60, std::int64_t{4} << 30};

// The ending of an evaluation at this state, after `spoil` has changed the input of the engine.
Ending EvaluatedApart(const MethodEntry& method, const System& system, const SystemState& state,
                      const std::function<void(std::vector<double>&)>& spoil = {}) {
  return RunApart(
             [&] {
               const auto formulation = method.prepare(system, {});
               auto& ode = static_cast<OdeFormulation&>(*formulation);
               std::vector<double> y(ode.state_size()), ydot(ode.state_size());
               ode.Initialise(0, state, y);
               if (spoil) spoil(y);
               Observation observation;
               ode.Observe(0, y, Detail::kMotion, observation);
               const Status status = ode.Evaluate(0, y, ydot);
               TrialResult result;
               if (!status.ok()) result.ending = {Outcome::kDiverged, status.what};
               return result;
             },
             kLimits)
      .ending;
}

class DartLimits : public WithEngine {
 protected:
  DartLimits() : WithEngine("dart") {}
};

TEST_F(DartLimits, ATreeWithABodyWithoutInertiaIsRefusedOrEvaluated) {
  int refused = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomTree tree = MakeRandomTree(seed, {});
    const std::size_t b = seed % tree.system.bodies.size();
    tree.system.bodies[b].inertia = Diagonal(0, 0, 0);
    // At the joint itself for two of three: no inertia is left about the joint.
    for (Joint& joint : tree.system.joints) {
      if (joint.child == static_cast<int>(b) && seed % 3 != 0) joint.child_frame.position = {};
    }
    if (!VerdictOf(*method_, tree.system, {}).supported) {
      ++refused;
      continue;
    }
    const Ending ending = EvaluatedApart(*method_, tree.system, tree.state);
    EXPECT_EQ(Outcome::kOk, ending.outcome) << "seed " << seed << ": " << ending.reason;
  }
  EXPECT_GT(refused, 10);
  EXPECT_LT(refused, 60);
}

using AbortingEngine = OfEngine;

TEST_P(AbortingEngine, AStateOutOfRangeIsReportedAsDiverged) {
  for (const char* name : {"pendulum", "chainN3d:bodies=4"}) {
    const Problem problem = MakeProblem(name);
    if (!VerdictOf(*method_, problem.system, {}).supported) continue;
    const SystemState state = Assemble(problem.system, problem.initial, problem.length).state;
    EXPECT_EQ(Outcome::kOk, EvaluatedApart(*method_, problem.system, state).outcome);
    for (const double value : {1e61, -1e200, 1e300, std::numeric_limits<double>::infinity(),
                               std::numeric_limits<double>::quiet_NaN()}) {
      for (const bool first : {true, false}) {
        const Ending ending =
            EvaluatedApart(*method_, problem.system, state,
                           [&](std::vector<double>& y) { (first ? y.front() : y.back()) = value; });
        EXPECT_EQ(Outcome::kDiverged, ending.outcome)
            << name << " at " << value << ": " << Name(ending.outcome) << " " << ending.reason;
      }
    }
    // The largest value that is accepted.
    const Ending ending =
        EvaluatedApart(*method_, problem.system, state, [](std::vector<double>& y) {
          for (double& value : y) value = std::copysign(9e59, value);
        });
    EXPECT_NE(Outcome::kCrashed, ending.outcome) << ending.reason;
  }
}

INSTANTIATE_TEST_SUITE_P(Engines, AbortingEngine, testing::Values("dart", "siconos"), NameOfEngine);

}  // namespace
}  // namespace mbsbench
