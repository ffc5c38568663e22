// Every variant of every method of the list counts its operations, or states why it does not.
#include <gtest/gtest.h>

#include "harness/runner/cells/method_choice.h"
#include "harness/runner/trials/evaluation_kernel.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"

namespace mbsbench {
namespace {

std::string ProblemFor(Form form) { return form == Form::kAlgebraic ? "governor-rods" : "branchN"; }

TEST(OperationCounts, ExistForAtLeastOneVariantOfEveryMethod) {
  for (const MethodEntry& entry : AllMethods()) {
    ASSERT_TRUE(entry.count_operations) << entry.key;
    int counted_variants = 0;
    for (const MethodChoice& variant : VariantsOf(entry)) {
      const Problem problem = MakeProblem(ProblemFor(variant.form()));
      const CountedOperations count =
          entry.count_operations(problem.system, variant.options, problem.initial.joints);
      if (!count) {
        EXPECT_FALSE(count.why_not.empty()) << variant.spec;
        continue;
      }
      ++counted_variants;
      EXPECT_FALSE(count.what.empty()) << variant.spec;
      const auto bodies = static_cast<std::int64_t>(problem.system.bodies.size());
      EXPECT_GT(count->multiplications, 100 * bodies) << variant.spec;
      EXPECT_GT(count->additions, 100 * bodies) << variant.spec;
    }
    EXPECT_GT(counted_variants, 0) << entry.key;
  }
}

// The equations that are counted fill dense matrices.
TEST(OperationCounts, OfStepsOfLargeSystemsAreLeftOut) {
  const Problem problem = MakeProblem("chainN3d:bodies=3000");
  for (const MethodEntry& entry : AllMethods()) {
    if (entry.form != Form::kTimeStepper) continue;
    const CountedOperations count =
        entry.count_operations(problem.system, {}, problem.initial.joints);
    EXPECT_FALSE(count) << entry.key;
    EXPECT_FALSE(count.why_not.empty()) << entry.key;
  }
}

TEST(OperationCounts, AreRecordedWithAnEvaluationAndWhatIsCounted) {
  for (const MethodEntry& entry : AllMethods()) {
    const MethodChoice method = ChooseMethod(entry.key, AllMethods());
    const PreparedCell cell =
        PrepareCell({ProblemFor(method.form()), method.spec, "", {}, {}, {}}, AllMethods());
    ASSERT_FALSE(EvaluationsOf(method.form()).empty()) << entry.key;
    const TrialResult result = EvaluationTrial(cell, EvaluationsOf(method.form()).back());
    ASSERT_EQ(result.ending.outcome, Outcome::kOk) << entry.key << ": " << result.ending.reason;
    EXPECT_GT(result.record.evaluation->nanoseconds_per_body, 0) << entry.key;
    EXPECT_FALSE(result.record.evaluation->operations_of.empty()) << entry.key;
    if (method.form() != Form::kTimeStepper) continue;
    EXPECT_EQ(result.record.what, "step");
    const bool iterates = entry.key != "half-explicit";
    EXPECT_EQ(iterates, *result.record.evaluation->newton_iterations >= 1) << entry.key;
  }
}

}  // namespace
}  // namespace mbsbench
