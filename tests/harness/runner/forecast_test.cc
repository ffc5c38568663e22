// The time left, estimated from the steps that are over.
#include "harness/runner/plan/forecast.h"

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

namespace mbsbench {
namespace {

PlannedProblem PlannedWith(const std::string& name, std::size_t bodies,
                           const std::vector<std::string>& methods) {
  PlannedProblem problem;
  problem.name = name;
  problem.bodies = bodies;
  for (const std::string& method : methods) {
    PlannedCurve& curve = problem.curves.emplace_back();
    curve.cell.method = method;
    curve.cell.integrator = "dopri5";
  }
  return problem;
}

TEST(Forecast, AMethodThatWasSlowElsewhereIsExpectedToBeSlow) {
  std::vector<ScheduledStep> schedule;  // two searches each
  for (const std::size_t k : {0u, 1u, 2u, 3u}) {
    schedule.insert(schedule.end(), 2,
                    {.kind = StepKind::kSearch, .problem = k / 2, .curve = k % 2});
  }
  Forecast forecast(
      schedule,
      {PlannedWith("small", 10, {"fast", "slow"}), PlannedWith("large", 1000, {"fast", "slow"})},
      2);
  forecast.Done(0, 0.3);
  forecast.Done(1, 0.3);
  forecast.Done(2, 3);
  forecast.Done(3, 3);
  EXPECT_GT(forecast.Seconds(6), 1.4 * forecast.Seconds(4)) << "drawn towards nothing, seen once";
  EXPECT_GT(forecast.Seconds(4), 2 * forecast.Seconds(0)) << "a hundred times the bodies";
}

TEST(Forecast, TheTimeLeftIsStatedOnceATwentiethOfTheStepsIsOver) {
  const std::vector<ScheduledStep> schedule(40, {.kind = StepKind::kSearch});
  Forecast forecast(schedule, {PlannedWith("p", 1, {"m"})}, 2);
  forecast.Done(0, 4);
  EXPECT_TRUE(std::isnan(forecast.Passes()[0].seconds_left));
  for (std::size_t i = 1; i < 20; ++i) forecast.Done(i, 4);
  const PassRecord pass = forecast.Passes()[0];
  EXPECT_EQ(40, pass.planned);
  EXPECT_EQ(20, pass.done);
  EXPECT_NEAR(20 * 4 / 2., pass.seconds_left, 15) << "two at once";
}

TEST(Forecast, DoneStepsTakeNoTimeAndStepsWithoutAProcessShortenTheOthers) {
  const std::vector<ScheduledStep> schedule(20, {.kind = StepKind::kRounds, .rounds = 6});
  Forecast forecast(schedule, {PlannedWith("p", 1, {})}, 2);
  for (std::size_t i = 0; i < 5; ++i) forecast.Done(i, 5);
  const double before = forecast.Seconds(19);
  for (std::size_t i = 5; i < 15; ++i) forecast.Done(i, 0);
  EXPECT_LT(forecast.Seconds(19), 0.5 * before) << "two of three were decided already";
  for (std::size_t i = 15; i < 20; ++i) forecast.Done(i, 0);
  EXPECT_EQ(0, forecast.Passes()[0].seconds_left);
}

}  // namespace
}  // namespace mbsbench
