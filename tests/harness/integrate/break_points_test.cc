// Break points: where a derivative of the equations jumps, adaptive steps end, and the schemes keep
// their order.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "harness/integrate/integrate.h"
#include "problems/model/driver_motion.h"
#include "tests/support/driver_motions.h"
#include "tests/support/parameter_name.h"

namespace mbsbench {
namespace {

// y'' = q''(t) of a ramp, as y = [y, y']: exact solution q(t).
class Ramped final : public OdeFormulation {
 public:
  explicit Ramped(const DriverMotion& ramp) : ramp_(ramp) {}
  std::size_t state_size() const override { return 2; }
  Status Initialise(double t, const SystemState&, std::span<double> y) override {
    const auto q = MotionAt(ramp_, t);
    y[0] = q.position, y[1] = q.rate;
    return {};
  }
  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) override {
    times.push_back(t);
    ydot[0] = y[1], ydot[1] = MotionAt(ramp_, t).acceleration;
    return {};
  }
  Status Observe(double, std::span<const double>, Detail, Observation&) override { return {}; }

  std::vector<double> times;  // of all evaluations

 private:
  DriverMotion ramp_;
};

struct Result {
  double error = 0;
  IntegrationReport report;
  std::vector<double> times;
};

Result RunOver(const DriverMotion& ramp, IntegrationSettings settings,
               bool knows_break_points = true) {
  settings.end_time = 2;
  if (knows_break_points) settings.break_points = BreakPoints(ramp);
  Ramped ode(ramp);
  Result result{0, Integrate(ode, {}, settings), ode.times};
  EXPECT_EQ(result.report.outcome, IntegrationReport::Outcome::kOk) << result.report.reason;
  result.error = std::abs(result.report.end_state[0] - MotionAt(ramp, 2).position);
  return result;
}

// Over a factor of 16, so that a break point at tenths has the same place in its step.
double OrderOf(const DriverMotion& ramp) {
  constexpr double kStep = 1. / 32;
  const double coarse = RunOver(ramp, {.integrator = "rk4", .step = kStep}).error;
  const double fine = RunOver(ramp, {.integrator = "rk4", .step = kStep / 16}).error;
  return std::log2(coarse / fine) / 4;
}

// Inside a step the derivative of order (smoothness - 1) of y'' jumps, and the step's error in y' is of the
// order of the smoothness.
TEST(BreakPoints, OnTheGridPreserveTheOrderOfFixedStepsAndInsideStepsReduceIt) {
  for (double smoothness : {2.0, 3.0}) {
    const double on = OrderOf(Ramp(0, 1, 0.5, 1, smoothness));
    const double inside = OrderOf(Ramp(0, 1, 0.3, 1, smoothness));
    std::printf("  smoothness %g: observed order %.2f on the grid, %.2f inside steps\n", smoothness,
                on, inside);
    EXPECT_NEAR(on, 4, 0.2) << smoothness;
    EXPECT_NEAR(inside, smoothness, 0.3) << smoothness;
  }
}

TEST(BreakPoints, InsideFixedStepsAreReported) {
  const IntegrationSettings settings{.integrator = "rk4", .step = 1. / 16};
  const IntegrationReport on = RunOver(Ramp(0, 1, 0.5, 1), settings).report;
  const IntegrationReport inside = RunOver(Ramp(0, 1, 0.51, 1), settings).report;
  EXPECT_TRUE(on.break_points_inside_steps.empty());
  EXPECT_EQ(inside.break_points_inside_steps, (std::vector<double>{0.51, 1.51}));
  EXPECT_EQ(inside.counters.restarts, 0);
}

class AdaptiveAtBreakPoints : public testing::TestWithParam<const char*> {};

// No step crosses a break point: all evaluations before the restart are before it.
TEST_P(AdaptiveAtBreakPoints, StepsEndAtBreakPoints) {
  const DriverMotion ramp = Ramp(0, 1, 0.511, 0.987);
  const Result result = RunOver(ramp, {.integrator = GetParam(), .tolerance = 1e-9});
  EXPECT_EQ(result.report.counters.restarts, 2);
  EXPECT_TRUE(result.report.break_points_inside_steps.empty());
  EXPECT_LT(result.error, 1e-7);
  double latest = 0;
  for (double t : result.times) {
    for (double end : BreakPoints(ramp)) {
      // After a break point there is no evaluation before it.
      if (latest <= end + 1e-12) continue;
      EXPECT_GE(t, end - 1e-12) << end;
    }
    latest = std::max(latest, t);
  }
  const Result blind = RunOver(ramp, {.integrator = GetParam(), .tolerance = 1e-9}, false);
  EXPECT_EQ(blind.report.counters.restarts, 0);
  EXPECT_LT(result.report.counters.rejected_steps, blind.report.counters.rejected_steps + 3);
}

INSTANTIATE_TEST_SUITE_P(All, AdaptiveAtBreakPoints,
                         testing::Values("dopri5", "fehlberg8", "cvode-adams", "cvode-bdf"),
                         NameOfParameter);

// y' = z, 0 = z - q'(t): as a DAE.
class RampedDae final : public DaeFormulation {
 public:
  explicit RampedDae(const DriverMotion& ramp) : ramp_(ramp) {}
  std::size_t state_size() const override { return 2; }
  Status InitialiseDae(double t, const SystemState&, std::span<double> y,
                       std::span<double> yp) override {
    const auto q = MotionAt(ramp_, t);
    y[0] = q.position, y[1] = yp[0] = q.rate, yp[1] = q.acceleration;
    return {};
  }
  Status Residual(double t, std::span<const double> y, std::span<const double> yp,
                  std::span<double> r) override {
    r[0] = yp[0] - y[1];
    r[1] = y[1] - MotionAt(ramp_, t).rate;
    return {};
  }
  const SparsityPattern& pattern() const override { return pattern_; }
  Status Jacobian(double, double c, std::span<const double>, std::span<const double>,
                  std::span<double> values) override {
    values[0] = c, values[1] = -1, values[2] = 1;
    return {};
  }
  std::span<const double> differential() const override { return differential_; }
  Status Observe(double, std::span<const double>, Detail, Observation&) override { return {}; }

 private:
  DriverMotion ramp_;
  SparsityPattern pattern_{{0, 1, 3}, {0, 0, 1}};
  std::vector<double> differential_{1, 0};
};

TEST(BreakPoints, EndTheStepsOfADaeAndKeepItsStateAndCounters) {
  const DriverMotion ramp = Ramp(0, 1, 0.511, 0.987);
  IntegrationSettings settings{.integrator = "ida", .end_time = 2, .tolerance = 1e-8};
  RampedDae blind(ramp), seeing(ramp);
  const IntegrationReport before = Integrate(blind, {}, settings);
  settings.break_points = BreakPoints(ramp);
  const IntegrationReport report = Integrate(seeing, {}, settings);
  ASSERT_EQ(report.outcome, IntegrationReport::Outcome::kOk) << report.reason;
  EXPECT_EQ(before.counters.restarts, 0);
  EXPECT_EQ(report.counters.restarts, 2);
  EXPECT_GT(report.counters.steps, 20);
  EXPECT_NEAR(report.end_state[0], 1, 1e-6);
}

}  // namespace
}  // namespace mbsbench
