// Formulations with their own steps, run by the loop of all integrators.
#include "methods/interface/time_stepper.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "harness/integrate/dense_output.h"
#include "harness/integrate/integrate.h"
#include "methods/interface/fixed_steps.h"
#include "problems/model/error.h"

namespace mbsbench {
namespace {

// y'' = -y from (1, 0) by the leapfrog; memory [y, y', y'']. Its power is y.
class Leapfrog : public TimeStepperFormulation, public HasPower {
 public:
  std::size_t state_size() const override { return 3; }
  Status Initialise(double, const SystemState&, std::span<double> y) override {
    y[0] = 1, y[1] = 0, y[2] = -1;
    return {};
  }
  Status Observe(double, std::span<const double> y, Detail, Observation& out) override {
    out.bodies.resize(1);
    out.bodies[0].position.x = y[0];
    return {};
  }
  HasPower* power() override { return this; }
  double Power(double, std::span<const double> y) override { return y[0]; }

  Status Start(double t, const SystemState& state, const StepControl& control) override {
    counters_ = {};
    time_ = before_ = t;
    grid_.Start(t, control.step);
    y_.resize(3);
    return Initialise(t, state, y_);
  }
  StepReport Step(double limit) override {
    const double end = grid_.Next(limit), h = end - time_;
    if (end > fails_after) {
      ++counters_.convergence_failures;
      return {{Status::Code::kNotConverged, -1, 3, "Newton's iteration does not converge"}};
    }
    begin_ = y_;
    const double middle = y_[1] + h / 2 * y_[2];
    y_[0] += h * middle;
    y_[2] = -y_[0];
    y_[1] = middle + h / 2 * y_[2];
    before_ = time_, time_ = end;
    grid_.Advance();
    ++counters_.steps;
    counters_.newton_iterations += 3;
    counters_.factorisations += 2;
    return {{}, h * h * h / 12};
  }
  double time() const override { return time_; }
  std::span<const double> y() const override { return y_; }
  Status Interpolate(double t, std::span<double> y) override {
    EXPECT_GT(t, before_);
    EXPECT_LT(t, time_);
    if (!interpolates_well) return {Status::Code::kSingular, -1, -1, "nothing between"};
    const double h = time_ - before_, s = (t - before_) / h;
    y[0] = (1 + 2 * s) * (1 - s) * (1 - s) * begin_[0] + h * s * (1 - s) * (1 - s) * begin_[1] +
           s * s * (3 - 2 * s) * y_[0] - h * s * s * (1 - s) * y_[1];
    return {};
  }
  WorkCounters counters() const override { return counters_; }

  double fails_after = INFINITY;
  bool interpolates_well = true;

 private:
  StepGrid grid_;
  WorkCounters counters_;
  double time_ = 0, before_ = 0;
  std::vector<double> y_, begin_;
};

IntegrationSettings Steps(double step, double end) {
  IntegrationSettings settings;
  settings.integrator = "own", settings.step = step, settings.end_time = end;
  return settings;
}

TEST(TimeSteppers, StepOnTheirGridAndAreInterpolatedAtSamples) {
  Leapfrog plain, sampled;
  Sampling sampling;
  sampling.times = {0, 0.1, 0.25, 0.333, 1};
  sampling.integrate_power = true;
  std::vector<double> seen, work;
  sampling.sink = [&](double, std::span<const double> y, double w) {
    seen.push_back(y[0]);
    work.push_back(w);
  };
  const IntegrationReport a = Integrate(plain, {}, Steps(0.01, 1));
  const IntegrationReport b = Integrate(sampled, {}, Steps(0.01, 1), sampling);
  EXPECT_EQ(a.end_state, b.end_state);
  EXPECT_EQ(100, b.counters.steps);
  ASSERT_EQ(seen.size(), 5u);
  for (std::size_t k = 0; k < 5; ++k) {
    EXPECT_NEAR(seen[k], std::cos(sampling.times[k]), 2e-5) << k;
    EXPECT_NEAR(work[k], std::sin(sampling.times[k]), 2e-5) << k;
  }
  EXPECT_EQ(seen.back(), b.end_state[0]);
  Observation observation;
  EXPECT_TRUE(
      static_cast<TimeStepperFormulation&>(sampled).Observe(Detail::kMotion, observation).ok());
  EXPECT_EQ(observation.bodies[0].position.x, b.end_state[0]) << "of the state that it holds";
}

TEST(TimeSteppers, WithoutStateBetweenTheirStepsReachTheEndAndGiveTheReason) {
  Leapfrog f;
  f.interpolates_well = false;
  std::vector<bool> known;
  const Sampling sampling{{0, 0.05, 0.1, 1}, [&](double, std::span<const double> y, double) {
                            known.push_back(!std::isnan(y[0]));
                          }};
  const IntegrationReport report = Integrate(f, {}, Steps(0.1, 1), sampling);
  EXPECT_TRUE(report.ok());
  EXPECT_EQ((std::vector<bool>{true, false, true, true}), known);
  EXPECT_STREQ("nothing between", report.uninterpolated.what);
}

TEST(TimeSteppers, ReportIterationsFactorisationsAndTheLargestErrorEstimate) {
  Leapfrog f;
  const IntegrationReport report = Integrate(f, {}, Steps(0.1, 1));
  EXPECT_EQ(30, report.counters.newton_iterations);
  EXPECT_EQ(20, report.counters.factorisations);
  ASSERT_TRUE(report.largest_error_estimate);
  EXPECT_NEAR(1e-3 / 12, *report.largest_error_estimate, 1e-12);
}

TEST(TimeSteppers, WithoutConvergenceEndAsNewtonFailedWithTimeAndBody) {
  Leapfrog f;
  f.fails_after = 0.55;
  const IntegrationReport report = Integrate(f, {}, Steps(0.1, 1));
  EXPECT_EQ(IntegrationReport::Outcome::kNewtonFailed, report.outcome);
  EXPECT_EQ(3, report.failure.body);
  EXPECT_NEAR(0.5, report.time_reached, 1e-12);
  EXPECT_THAT(report.reason, testing::HasSubstr("t = 0.5 s: Newton's iteration"));
  EXPECT_EQ(5, report.counters.steps);
  EXPECT_EQ(1, report.counters.convergence_failures);
  EXPECT_EQ(3u, report.end_state.size()) << "the last good one";
}

TEST(TimeSteppers, AreRunByTheirOwnIntegratorOnlyAndItRunsNothingElse) {
  Leapfrog f;
  IntegrationSettings settings = Steps(0.1, 1);
  settings.integrator = "rk4";
  EXPECT_THROW(Integrate(f, {}, settings), ModelError);
}

TEST(StepGrid, CountsStepsWithTheRemainderAsAShortLastOne) {
  StepGrid grid;
  grid.Start(0, 0.1);
  double t = 0;
  int steps = 0;
  for (; t < 0.75; ++steps, grid.Advance()) t = grid.Next(0.75);
  EXPECT_EQ(8, steps);
  EXPECT_EQ(0.75, t);
  grid.Start(0, 0.1);
  for (int k = 1; k <= 9; ++k, grid.Advance()) EXPECT_EQ(k * 0.1, grid.Next(1));
  EXPECT_EQ(1, grid.Next(1)) << "not 0.9 + 0.1";
}

// y' = A y with a turning pair and a decay.
class Linear : public OdeFormulation {
 public:
  std::size_t state_size() const override { return 3; }
  Status Initialise(double, const SystemState&, std::span<double> y) override {
    return Exact(0, y), Status{};
  }
  static void Exact(double t, std::span<double> y) {
    y[0] = std::cos(3 * t), y[1] = -3 * std::sin(3 * t), y[2] = std::exp(-2 * t);
  }
  Status Evaluate(double, std::span<const double> y, std::span<double> ydot) override {
    ydot[0] = y[1], ydot[1] = -9 * y[0], ydot[2] = -2 * y[2];
    return {};
  }
  Status Observe(double, std::span<const double>, Detail, Observation&) override { return {}; }
};

double DenseError(int order, double h) {
  Linear f;
  DenseOutput dense(f, order);
  std::vector<double> y0(3), y1(3), y(3), truth(3);
  double worst = 0;
  for (double t0 : {0., 0.3, 0.9}) {
    Linear::Exact(t0, y0), Linear::Exact(t0 + h, y1);
    dense.SetStep(t0, y0, t0 + h, y1);
    for (double s : {0.15, 0.5, 0.7}) {
      EXPECT_TRUE(dense.At(t0 + s * h, y).ok());
      Linear::Exact(t0 + s * h, truth);
      for (std::size_t i = 0; i < 3; ++i) worst = std::max(worst, std::abs(y[i] - truth[i]));
    }
  }
  return worst;
}

// A unit vector that turns. Away from the circle it has no rates.
class OnTheCircle : public OdeFormulation, public Projects {
 public:
  std::size_t state_size() const override { return 2; }
  Status Initialise(double, const SystemState&, std::span<double>) override { return {}; }
  Status Evaluate(double, std::span<const double> y, std::span<double> ydot) override {
    if (std::abs(std::hypot(y[0], y[1]) - 1) > 1e-3)
      return {Status::Code::kSingular, -1, -1, "off the circle"};
    ydot[0] = -y[1], ydot[1] = y[0];
    return {};
  }
  Projects* projection() override { return projects ? this : nullptr; }
  Status Project(double, std::span<double> y) override {
    const double size = std::hypot(y[0], y[1]);
    for (double& x : y) x /= size;
    return {};
  }
  Status Observe(double, std::span<const double>, Detail, Observation&) override { return {}; }
  bool projects = true;
};

TEST(DenseOutput, ProjectsStatesInsideALongStepThatTheMethodRefuses) {
  constexpr double kStep = 1.5;
  const std::vector<double> y0{1, 0}, y1{std::cos(kStep), std::sin(kStep)};
  std::vector<double> y(2);
  OnTheCircle circle;
  DenseOutput dense(circle, 9);
  dense.SetStep(0, y0, kStep, y1);
  for (double t : {0.3, 0.75, 1.1}) {
    ASSERT_TRUE(dense.At(t, y).ok());
    EXPECT_NEAR(std::sin(t), y[1], 1e-4);
  }
  circle.projects = false;
  dense.SetStep(0, y0, kStep, y1);
  EXPECT_STREQ("off the circle", dense.At(0.3, y).what);
}

TEST(DenseOutput, HasTheRequestedOrderAndIsExactAtTheEnds) {
  for (int order : {4, 5, 6, 7, 8, 9}) {
    const double coarse = DenseError(order, 0.4), fine = DenseError(order, 0.2);
    EXPECT_NEAR(std::log2(coarse / fine), order, 0.6) << order << ": " << coarse << " " << fine;
  }
  Linear f;
  DenseOutput dense(f, 9);
  const std::vector<double> y0{1, 2, 3}, y1{4, 5, 6};
  std::vector<double> y(3);
  dense.SetStep(1, y0, 1.1, y1);
  ASSERT_TRUE(dense.At(1, y).ok());
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(y0[i], y[i], 1e-14);
  ASSERT_TRUE(dense.At(1.1, y).ok());
  for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(y1[i], y[i], 1e-13);
}

}  // namespace
}  // namespace mbsbench
