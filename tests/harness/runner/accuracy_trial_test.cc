// Samples at whose states a method finds no accelerations: their motion is judged, and the gap is recorded.
#include "harness/runner/trials/accuracy_trial.h"

#include <gtest/gtest.h>

#include <cmath>

#include "harness/runner/trials/checked_observe.h"
#include "tests/harness/toys/toy_methods.h"
#include "tests/support/observed_otherwise.h"

namespace mbsbench {
namespace {

constexpr double kGapBegins = 0.295, kGapEnds = 0.505;  // [s]

TrialResult Solve(const Status& failure, const SampleVisitor& visit = {}) {
  std::vector<MethodEntry> methods = ToyMethods();
  // Observations with accelerations fail in the gap; evaluations do not.
  if (!failure.ok()) {
    ObserveOtherwise(methods[0], [failure](double t, Detail detail, Observation&) {
      return detail != Detail::kMotion && t > kGapBegins && t < kGapEnds ? failure : Status{};
    });
  }
  return AccuracyTrial(PrepareCell({"pendulum", methods[0].key, "dopri5", 1e-9, {}, 1.0}, methods),
                       visit, nullptr, Detail::kReactions);
}

TEST(AccuracyTrial, AMotionIsJudgedAlsoWhereItsAccelerationsAreSingular) {
  const TrialResult whole = Solve({});
  ASSERT_EQ(Outcome::kOk, whole.ending.outcome) << whole.ending.reason;
  EXPECT_FALSE(whole.record.accuracy->singular_samples);

  int without_reactions = 0;
  const TrialResult gap = Solve(
      {Status::Code::kSingular, 0, -1, "no inertia"}, [&](double, const Observation& observation) {
        without_reactions += observation.reactions.empty();
        EXPECT_EQ(observation.reactions.empty(), observation.accelerations.empty());
      });
  ASSERT_EQ(Outcome::kOk, gap.ending.outcome) << gap.ending.reason;
  const AccuracyRecord &judged = *gap.record.accuracy, &expected = *whole.record.accuracy;
  EXPECT_EQ(expected.times, judged.times);
  EXPECT_EQ(expected.error_series, judged.error_series);
  EXPECT_EQ(expected.energy_drift, judged.energy_drift);
  EXPECT_EQ(expected.error->max, judged.error->max);
  ASSERT_TRUE(judged.singular_samples);
  EXPECT_EQ(without_reactions, judged.singular_samples->count);
  const auto in_gap = [](double t) { return t > kGapBegins && t < kGapEnds; };
  EXPECT_EQ(std::ranges::count_if(judged.times, in_gap), judged.singular_samples->count);
  EXPECT_EQ(*std::ranges::find_if(judged.times, in_gap), judged.singular_samples->first_time);
  EXPECT_NE(std::string::npos, judged.singular_samples->reason.find("no inertia (joint '"));
}

TEST(AccuracyTrial, AMotionThatCannotBeInterpolatedGivesTheReasonOfTheDenseOutput) {
  IntegrationReport report;
  report.uninterpolated = {Status::Code::kSingular, -1, 2, "no projection"};
  AddUnobserved({}, report);
  EXPECT_TRUE(report.ok()) << "no sample failed";
  const double known = 0, unknown = NAN;
  IntegrationReport other = report;
  AddUnobserved({{Status::Code::kNotFinite, -1, -1, "not finite"}, {&known, 1}}, other);
  EXPECT_EQ(IntegrationReport::Outcome::kDiverged, other.outcome) << "an earlier sample failed";
  AddUnobserved({{Status::Code::kNotFinite, -1, -1, "not finite"}, {&unknown, 1}}, report);
  EXPECT_EQ(IntegrationReport::Outcome::kSingular, report.outcome);
  EXPECT_EQ(2, report.failure.body);
  EXPECT_NE(std::string::npos, report.reason.find("interpolated between them: no projection"));
}

TEST(AccuracyTrial, AccelerationsThatAreNotFiniteAreAFaultOfTheMethod) {
  const TrialResult result = Solve({Status::Code::kNotFinite, -1, -1, "not finite"});
  EXPECT_EQ(Outcome::kDiverged, result.ending.outcome);
  EXPECT_LT(result.record.accuracy->times.back(), kGapBegins);
}

// Singular in the first half second.
class ConditionedPendulum : public ObservedOtherwise {
 public:
  explicit ConditionedPendulum(std::unique_ptr<Formulation> right)
      : ObservedOtherwise(std::move(right), [](double, Detail, Observation&) { return Status{}; }) {
  }
  SolvedCondition ConditionAt(double t, std::span<const double> y) override {
    return {t < 0.5 ? INFINITY : 1 + std::abs(y[1]), "the rate", 1};
  }
};

TEST(AccuracyTrial, TheLargestConditionThatAMethodStatesIsThatOfAllItsSamples) {
  std::vector<MethodEntry> methods = ToyMethods();
  const PreparedCell plain =
      PrepareCell({"pendulum", methods[0].key, "dopri5", 1e-9, {}, 1.0}, methods);
  EXPECT_FALSE(AccuracyTrial(plain).record.accuracy->condition) << "it states none";
  methods[0].prepare = [right = methods[0].prepare](const GivenSystem& system,
                                                    const MethodOptions& options) {
    return std::make_unique<ConditionedPendulum>(right(system, options));
  };
  double largest = 0, at = 0;
  const TrialResult result =
      AccuracyTrial(PrepareCell({"pendulum", methods[0].key, "dopri5", 1e-9, {}, 1.0}, methods),
                    [&](double time, const Observation& seen) {
                      const double here = 1 + Norm(seen.bodies[0].angular_velocity);
                      if (time >= 0.5 && here > largest) largest = here, at = time;
                    });
  ASSERT_TRUE(result.record.accuracy->condition);
  EXPECT_NEAR(result.record.accuracy->condition->number, largest, 1e-14);
  EXPECT_EQ(result.record.accuracy->condition->time, at);
  EXPECT_EQ(result.record.accuracy->condition->of, "the rate");
}

}  // namespace
}  // namespace mbsbench
