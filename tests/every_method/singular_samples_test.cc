// Bricard's mechanism is movable only because its constraints are redundant. Beside its motion they contradict each other, so
// that a coarse solution has samples without accelerations.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include "harness/runner/trials/accuracy_trial.h"
#include "methods/all_methods.h"

namespace mbsbench {
namespace {

class SingularSamplesOfBricard
    : public testing::TestWithParam<std::tuple<const char*, const char*, double>> {};

TEST_P(SingularSamplesOfBricard, AreAGapOfTheReactionsAndNotTheOutcome) {
  const auto& [method, integrator, tolerance] = GetParam();
  const TrialResult result = AccuracyTrial(
      PrepareCell({"bricard", method, integrator, tolerance, {}, 10.0}, AllMethods()));
  ASSERT_EQ(Outcome::kInaccurate, result.ending.outcome) << result.ending.reason;
  const AccuracyRecord& accuracy = *result.record.accuracy;
  EXPECT_EQ(10, accuracy.times.back());
  ASSERT_TRUE(accuracy.singular_samples);
  EXPECT_LT(accuracy.singular_samples->count, std::ssize(accuracy.times) / 2);
  EXPECT_LT(accuracy.error->max, 0.05) << "of all samples";
}

INSTANTIATE_TEST_SUITE_P(EveryMethod, SingularSamplesOfBricard,
                         testing::Values(std::tuple{"cartesian-dae:ggl", "ida", 1e-4},
                                         std::tuple{"cartesian-dae:baumgarte", "ida", 1e-4}));

}  // namespace
}  // namespace mbsbench
