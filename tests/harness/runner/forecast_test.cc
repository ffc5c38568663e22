// The time left, estimated from the steps that are over.
#include "harness/runner/plan/forecast.h"

#include <gtest/gtest.h>

#include <cmath>

namespace mbsbench {
namespace {

// Searches on two problems of 10 and 1,000 bodies, two by a fast method and two by one that is ten times slower on each.
std::vector<StepShape> TwoByTwo() {
  std::vector<StepShape> shapes;
  for (double bodies : {10., 1000.}) {
    for (const char* method : {"fast", "slow"}) {
      for (int i = 0; i < 2; ++i) {
        shapes.push_back({.kind = StepKind::kSearch,
                          .problem = bodies < 100 ? "small" : "large",
                          .method = method,
                          .what = "dopri5",
                          .bodies = bodies});
      }
    }
  }
  return shapes;
}

TEST(Forecast, AMethodThatWasSlowElsewhereIsExpectedToBeSlow) {
  Forecast forecast(TwoByTwo(), 2);
  forecast.Done(0, 0.3);
  forecast.Done(1, 0.3);
  forecast.Done(2, 3);
  forecast.Done(3, 3);
  EXPECT_GT(forecast.Seconds(6), 1.4 * forecast.Seconds(4)) << "drawn towards nothing, seen once";
  EXPECT_GT(forecast.Seconds(4), 2 * forecast.Seconds(0)) << "a hundred times the bodies";
}

TEST(Forecast, TheTimeLeftIsStatedOnceATwentiethOfTheStepsIsOver) {
  std::vector<StepShape> shapes(40, {.kind = StepKind::kSearch, .problem = "p", .method = "m"});
  Forecast forecast(shapes, 2);
  forecast.Done(0, 4);
  EXPECT_TRUE(std::isnan(forecast.Passes()[0].seconds_left));
  for (std::size_t i = 1; i < 20; ++i) forecast.Done(i, 4);
  const PassRecord pass = forecast.Passes()[0];
  EXPECT_EQ(40, pass.planned);
  EXPECT_EQ(20, pass.done);
  EXPECT_NEAR(20 * 4 / 2., pass.seconds_left, 15) << "two at once";
}

TEST(Forecast, DoneStepsTakeNoTimeAndStepsWithoutAProcessShortenTheOthers) {
  std::vector<StepShape> shapes(20, {.kind = StepKind::kRounds, .problem = "p", .what = "6"});
  Forecast forecast(shapes, 2);
  for (std::size_t i = 0; i < 5; ++i) forecast.Done(i, 5);
  const double before = forecast.Seconds(19);
  for (std::size_t i = 5; i < 15; ++i) forecast.Done(i, 0);
  EXPECT_LT(forecast.Seconds(19), 0.5 * before) << "two of three were decided already";
  for (std::size_t i = 15; i < 20; ++i) forecast.Done(i, 0);
  EXPECT_EQ(0, forecast.Passes()[0].seconds_left);
}

}  // namespace
}  // namespace mbsbench
