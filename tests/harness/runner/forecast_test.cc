// The time left, estimated from finished trials.
#include "harness/runner/plan/forecast.h"

#include <gtest/gtest.h>

#include <cmath>

namespace mbsbench {
namespace {

// Two problems of 10 and 1,000 bodies by a fast method and by one ten times slower.
std::vector<TrialShape> TwoByTwo() {
  std::vector<TrialShape> shapes;
  for (double bodies : {10., 1000.}) {
    for (const char* method : {"fast", "slow"}) {
      for (double digits : {4., 8.}) {
        TrialShape& shape = shapes.emplace_back();
        shape.kind = TrialKind::kAccuracy;
        shape.problem = bodies < 100 ? "small" : "large";
        shape.method = method;
        shape.integrator = "dopri5";
        shape.bodies = bodies;
        shape.digits = digits;
        shape.cell = shapes.size() - 1;
      }
    }
  }
  return shapes;
}

TEST(Forecast, AMethodThatWasSlowElsewhereIsExpectedToBeSlow) {
  const std::vector<TrialShape> shapes = TwoByTwo();
  Forecast forecast(shapes, 60, 2);
  forecast.Done(0, 0.1);
  forecast.Done(1, 0.3);
  forecast.Done(2, 1);
  forecast.Done(3, 3);
  EXPECT_GT(forecast.Seconds(6), 1.4 * forecast.Seconds(4)) << "drawn towards nothing, seen once";
  EXPECT_GT(forecast.Seconds(4), 2 * forecast.Seconds(0)) << "a hundred times the bodies";
  forecast.Done(4, 10);
  EXPECT_GT(forecast.Seconds(5), 10) << "more digits than the neighbour";
  EXPECT_LE(forecast.Seconds(7), 60) << "never more than the limit";
}

TEST(Forecast, AnErrorBudgetTakesTheUsualMultipleOfItsCell) {
  std::vector<TrialShape> shapes = TwoByTwo();
  for (std::size_t cell : {0u, 1u, 2u}) {
    TrialShape& budget = shapes.emplace_back(shapes[cell]);
    budget.kind = TrialKind::kBudget;
    budget.pass = Pass::kDepth;
  }
  Forecast forecast(shapes, 60, 2);
  forecast.Done(0, 0.5);
  forecast.Done(1, 0.7, false);
  EXPECT_DOUBLE_EQ(kSolutionsPerBudget * 0.5, forecast.Seconds(8));
  EXPECT_EQ(0, forecast.Seconds(9)) << "of a cell that failed there is none";
  forecast.Done(8, 2 * kSolutionsPerBudget * 0.5);
  forecast.Done(2, 0.5);
  EXPECT_GT(forecast.Seconds(10), 1.3 * kSolutionsPerBudget * 0.5)
      << "the last one took twice that";
  EXPECT_EQ(1, forecast.Passes()[3].done);
}

TEST(Forecast, NoTrialExceedsATimeLimitBelowTheTimeOfAnyProcess) {
  Forecast forecast(TwoByTwo(), 1e-4, 2);
  EXPECT_LE(forecast.Seconds(0), 1e-4);
  EXPECT_GT(forecast.Seconds(0), 0);
}

TEST(Forecast, DoneAndSkippedTrialsTakeNoTime) {
  Forecast forecast(TwoByTwo(), 60, 2);
  for (std::size_t i = 0; i < 8; ++i) forecast.Done(i, i < 4 ? 0.5 : 0);
  EXPECT_EQ(0, SumOf(forecast.Passes()).seconds_left);
  const auto passes = forecast.Passes();
  EXPECT_EQ(passes[0].planned, passes[0].done);
}

TEST(Forecast, ACellThatIsRecordedWithoutAProcessTakesNoTime) {
  std::vector<TrialShape> shapes = TwoByTwo();
  Forecast all(shapes, 60, 2);
  for (std::size_t i = 4; i < 8; ++i) shapes[i].is_run = false;
  Forecast half(shapes, 60, 2);
  EXPECT_EQ(0, half.Seconds(5));
  EXPECT_LT(SumOf(half.Passes()).seconds_left, 0.5 * SumOf(all.Passes()).seconds_left)
      << "the smaller half is left";
}

TEST(Forecast, TheCoarserCellPredictsTheTimeOrTheSkippingOfAFinerOne) {
  std::vector<TrialShape> shapes = TwoByTwo();
  for (std::size_t i = 1; i < 8; i += 2) {
    shapes[i].coarser = shapes[i - 1].cell;
    shapes[i].growth = 6;
  }
  Forecast forecast(shapes, 60, 2);
  EXPECT_FALSE(forecast.FromCoarser(1)) << "not judged yet";
  forecast.Done(0, 2, true, 2);
  EXPECT_EQ(12, *forecast.FromCoarser(1));
  EXPECT_EQ(12, forecast.Seconds(1)) << "one estimate for both";
  forecast.Done(2, 11, true, 11);
  EXPECT_EQ(66, *forecast.FromCoarser(3));
  EXPECT_EQ(0, forecast.Seconds(3)) << "beyond the limit it is skipped";
  forecast.Done(4, 2, false);
  EXPECT_FALSE(forecast.FromCoarser(5)) << "a failure says nothing of it";
}

TEST(Forecast, RecordedTimesAreScaledByTheSpeedOfThisMachine) {
  std::vector<TrialShape> shapes = TwoByTwo();
  for (std::size_t i = 0; i < 8; ++i) shapes[i].recorded = RecordedDuration{100. * (1. + i)};
  Forecast forecast(shapes, 1e4, 2);
  EXPECT_EQ(500, forecast.Seconds(4)) << "nothing seen yet";
  for (std::size_t i = 0; i < 4; ++i) forecast.Done(i, 200 * (1. + i));
  EXPECT_NEAR(1000, forecast.Seconds(4), 10) << "this machine takes twice as long";
  EXPECT_EQ(60, Forecast(shapes, 60, 2).Seconds(4)) << "never more than the limit";
}

TEST(Forecast, ACellThatFailedWhenItWasRecordedIsNotExpectedToBeTimed) {
  std::vector<TrialShape> shapes(2);
  shapes[0].kind = TrialKind::kAccuracy;
  shapes[0].recorded = RecordedDuration{3, false};
  shapes[1].kind = TrialKind::kTime;
  Forecast forecast(shapes, 60, 2);
  EXPECT_EQ(3, forecast.Seconds(0));
  EXPECT_EQ(0, forecast.Seconds(1));
}

TEST(Durations, AreLookedUpByTheIdentityOfATrial) {
  const Durations durations(
      "kind\tproblem\tmethod\tintegrator\tdigits\tseconds\tfinished\n"
      "agreement\tp\t\t\t0\t1.5\t1\n"
      "accuracy\tp\tm\trk4\t3.25\t0.5\t0\n");
  EXPECT_EQ(1.5, durations.Find("agreement", "p", "", "", 0)->seconds);
  EXPECT_EQ(0.5, durations.Find("accuracy", "p", "m", "rk4", 3.2499)->seconds);
  EXPECT_FALSE(durations.Find("accuracy", "p", "m", "rk4", 3.25)->finished);
  EXPECT_FALSE(durations.Find("accuracy", "p", "m", "rk4", 3.26));
  EXPECT_FALSE(durations.Find("evaluation", "p", "m", "rk4", 3.25));
}

TEST(Durations, OfTheDefaultComparisonAreBuiltIn) {
  EXPECT_TRUE(RecordedDurations().Find("accuracy", "pendulum", "articulated-body", "dopri5", 8));
}

TEST(Forecast, ACellThatFailedIsNotTimed) {
  std::vector<TrialShape> shapes(2);
  shapes[0].kind = TrialKind::kAccuracy;
  shapes[1].kind = TrialKind::kTime;
  Forecast forecast(shapes, 60, 2);
  EXPECT_GT(forecast.Seconds(1), 0);
  forecast.Done(0, 0.5, false);
  EXPECT_EQ(0, forecast.Seconds(1));
}

}  // namespace
}  // namespace mbsbench
