// States other than the initial one at which methods are timed and compared.
#include <gtest/gtest.h>

#include <optional>
#include <string>
#include <vector>

#include "harness/runner/cells/trial.h"
#include "harness/runner/trials/acceleration_trial.h"
#include "harness/runner/trials/agreement.h"
#include "harness/runner/trials/evaluation_kernel.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"
#include "problems/model/error.h"

namespace mbsbench {
namespace {

constexpr std::size_t kLargest = 60;  // bodies

std::vector<std::string> Instances() {
  std::vector<std::string> names;
  for (const ProblemFamily& family : AllProblems()) {
    for (const std::string& instance : family.instances) {
      if (MakeProblem(instance).system.bodies.size() <= kLargest) names.push_back(instance);
    }
  }
  return names;
}

std::optional<PreparedCell> Prepared(const std::string& problem, const std::string& method) {
  try {
    const PreparedCell prepared = PrepareCell({problem, method, "", {}, {}, {}}, AllMethods());
    (void)prepared.MakeFormulation();
    return prepared;
  } catch (const ModelError&) {  // the method does not support it
    return std::nullopt;
  }
}

TEST(TimedStates, DifferForEveryMethodOnEveryProblem) {
  int kernels = 0;
  for (const std::string& problem : Instances()) {
    for (const MethodEntry& entry : AllMethods()) {
      const auto prepared = Prepared(problem, entry.key);
      if (!prepared || entry.form == Form::kTimeStepper) continue;
      for (const Evaluated what : EvaluationsOf(entry.form)) {
        try {
          const EvaluationKernel kernel(*prepared, what);
          if (!kernel.status().ok()) continue;
          ++kernels;
          EXPECT_NE(kernel.point(0).y, kernel.point(1).y) << problem << " by " << entry.key;
        } catch (const ModelError& error) {
          ADD_FAILURE() << problem << " by " << entry.key << ": " << error.what();
        }
      }
    }
  }
  EXPECT_GT(kernels, 200);
}

// A mechanism that starts at rest does not test velocity-dependent terms.
TEST(ComparedStates, OfMechanismsWithLoopsIncludeMovedStates) {
  constexpr int kStates = 3;
  int compared = 0;
  for (const std::string& name : Instances()) {
    const Problem problem = MakeProblem(name);
    if (problem.system.loop_joints.empty()) continue;
    const TrialResult truth = ReferenceAccelerationTrial(problem, kStates, 1);
    ASSERT_TRUE(truth.record.accelerations) << name;
    ASSERT_EQ(truth.record.accelerations->states.size(), 1 + kStates) << name;
    for (const MethodEntry& entry : AllMethods()) {
      const auto prepared = Prepared(name, entry.key);
      if (!prepared || entry.form == Form::kAlgebraic) continue;
      const AgreementRecord agreement =
          Compare({entry.key}, {AccelerationTrial(*prepared, kStates, 1)}, truth);
      EXPECT_EQ(agreement.judged_states, kStates) << name << " by " << entry.key;
      EXPECT_EQ(agreement.methods[0].judged, Name(Outcome::kOk))
          << name << " by " << entry.key << ": " << agreement.methods[0].judged_reason;
      ++compared;
    }
  }
  EXPECT_GT(compared, 30);
}

}  // namespace
}  // namespace mbsbench
