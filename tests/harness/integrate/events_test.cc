// Events on equations whose event times are known: located to the integrator's accuracy, none missed
// and none twice, those of one instant in order, with states that change their size.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/integrate/integrate.h"
#include "problems/model/error.h"

namespace mbsbench {
namespace {

constexpr double kGravity = 9.81;

// A ball that falls from 1 m and loses half of its speed at each bounce. The third bounce ends the integration.
// The first bounce is at sqrt(2/g); each later flight lasts half as long as the one before. Each
// bounce adds an entry to the state: its time, which is constant.
class Ball : public OdeFormulation, public HasPower, public HasEvents {
 public:
  std::size_t state_size() const override { return 2 + bounces; }
  HasEvents* events() override { return this; }
  std::size_t event_count() const override { return 1; }
  Status Initialise(double, const SystemState&, std::span<double> y) override {
    y[0] = 1, y[1] = 0;
    return {};
  }
  Status Evaluate(double, std::span<const double> y, std::span<double> ydot) override {
    ++evaluations;
    EXPECT_EQ(y.size(), 2 + bounces);
    std::fill(ydot.begin(), ydot.end(), 0.0);
    ydot[0] = y[1], ydot[1] = -kGravity;
    return {};
  }
  Status Observe(double, std::span<const double>, Detail, Observation&) override { return {}; }
  void Events(double, std::span<const double> y, std::span<double> g) override { g[0] = -y[0]; }
  EventReport Apply(std::size_t, double t, std::vector<double>& y) override {
    y[0] = 0;
    y[1] *= -0.5;
    y.push_back(t);
    return {"bounce", {}, ++bounces == 3};
  }
  HasPower* power() override { return this; }
  double Power(double, std::span<const double>) override { return 0; }
  std::size_t bounces = 0;
  std::int64_t evaluations = 0;
};

const double kFirst = std::sqrt(2 / kGravity), kSecond = 2 * kFirst, kThird = 2.5 * kFirst;

struct Run {
  const char* integrator;
  double tolerance, step;
};
class Events : public testing::TestWithParam<Run> {
 protected:
  IntegrationSettings Settings(double end = 5) const {
    IntegrationSettings settings;
    settings.integrator = GetParam().integrator;
    settings.tolerance = GetParam().tolerance;
    settings.step = GetParam().step;
    settings.end_time = end;
    return settings;
  }
};

TEST_P(Events, AreLocatedOnceEachAndTheLastEndsTheIntegration) {
  Ball ball;
  std::vector<double> times;
  Sampling sampling;
  sampling.event_sink.before = [&](double, std::span<const double> y) {
    EXPECT_EQ(y.size(), 2 + times.size());
  };
  sampling.event_sink.after = [&](const PastEvent& event, std::span<const double> y) {
    times.push_back(event.time);
    EXPECT_EQ(y.size(), 2 + times.size());
    return 0;
  };
  const IntegrationReport report = Integrate(ball, {}, Settings(), sampling);
  EXPECT_EQ(report.outcome, IntegrationReport::Outcome::kOk) << report.reason;
  ASSERT_EQ(times.size(), 3u);
  EXPECT_EQ(report.counters.events, 3);
  EXPECT_EQ(report.counters.restarts, 2) << "after all but the last one";
  EXPECT_EQ(report.counters.evaluations, ball.evaluations) << "of all solvers, steps to events too";
  // A parabola is exact to all of these methods, so the times are so to round-off.
  EXPECT_NEAR(times[0], kFirst, 1e-14);
  EXPECT_NEAR(times[1], kSecond, 1e-14);
  EXPECT_NEAR(times[2], kThird, 1e-14);
  EXPECT_EQ(report.time_reached, times[2]);
  EXPECT_EQ(report.end_state.size(), 5u);
  EXPECT_EQ(report.end_state[2], times[0]);
}

TEST_P(Events, KeepSamplesRightOnBothSidesAndChangeTheWork) {
  Ball ball;
  Sampling sampling;
  sampling.integrate_power = true;
  sampling.times = {0, 0.9 * kFirst, 1.1 * kFirst, 1.5 * kFirst, 1.9 * kFirst};
  std::vector<double> heights, work;
  double energy = 0;
  sampling.event_sink.before = [&](double, std::span<const double> y) { energy = y[1] * y[1] / 2; };
  sampling.event_sink.after = [&](const PastEvent&, std::span<const double> y) {
    return y[1] * y[1] / 2 - energy;
  };
  sampling.sink = [&](double, std::span<const double> y, double w) {
    heights.push_back(y[0]);
    work.push_back(w);
  };
  Integrate(ball, {}, Settings(), sampling);
  const auto second = [](double t) {
    const double s = t - kFirst;
    return kGravity * kFirst / 2 * s - kGravity / 2 * s * s;
  };
  ASSERT_EQ(heights.size(), 5u);
  EXPECT_NEAR(heights[1], 1 - 0.81, 1e-13);
  EXPECT_NEAR(heights[2], second(1.1 * kFirst), 1e-13);
  EXPECT_NEAR(heights[3], second(1.5 * kFirst), 1e-13);
  EXPECT_NEAR(heights[4], second(1.9 * kFirst), 1e-13);
  EXPECT_EQ(work[1], 0);
  EXPECT_NEAR(work[4], -0.75 * kGravity, 1e-12);  // of the energy g h, a quarter is left
}

// An event after the end time does not count.
TEST_P(Events, AfterTheEndTimeAreIgnored) {
  Ball ball;
  const IntegrationReport report = Integrate(ball, {}, Settings(1.5 * kFirst));
  EXPECT_EQ(report.counters.events, 1);
  EXPECT_EQ(report.time_reached, 1.5 * kFirst);
}

// Two event functions that vanish together at t = 1/3: the second one is the first one, scaled.
class Together : public Ball {
 public:
  std::size_t event_count() const override { return 3; }
  void Events(double t, std::span<const double>, std::span<double> g) override {
    g[0] = t - 0.5;
    g[1] = t - 1. / 3;
    g[2] = done_ ? -1 : 7 * (t - 1. / 3);
  }
  EventReport Apply(std::size_t index, double, std::vector<double>&) override {
    order.push_back(index);
    if (index == 2) done_ = true;
    return {};
  }
  std::vector<std::size_t> order;

 private:
  bool done_ = false;
};

TEST_P(Events, AtTheSameTimeOccurInTheOrderOfTheirIndices) {
  Together together;
  const IntegrationReport report = Integrate(together, {}, Settings(1));
  EXPECT_EQ(report.outcome, IntegrationReport::Outcome::kOk) << report.reason;
  EXPECT_THAT(together.order, testing::ElementsAre(1, 2, 0));
}

INSTANTIATE_TEST_SUITE_P(Integrators, Events,
                         testing::Values(Run{"rk4", 0, 0.07}, Run{"rk4", 0, 0.001},
                                         Run{"dopri5", 1e-9, 0}, Run{"dopri5", 0, 0.05},
                                         Run{"fehlberg8", 1e-6, 0}),
                         [](const auto& i) { return "run_" + std::to_string(i.index); });

TEST(EventsOfMultistepIntegrators, AreRefusedWithTheListOfIntegratorsThatSupportEvents) {
  Ball ball;
  IntegrationSettings settings;
  settings.integrator = "cvode-adams";
  settings.tolerance = 1e-6;
  try {
    Integrate(ball, {}, settings);
    FAIL();
  } catch (const ModelError& error) {
    EXPECT_THAT(error.what(), testing::HasSubstr("use rk4, dopri5 or fehlberg8"));
  }
}

}  // namespace
}  // namespace mbsbench
