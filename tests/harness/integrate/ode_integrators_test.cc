// The integrators of y' = f(t, y) on equations whose solutions are known: order, samples, work, and every way to fail.
// fail.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/integrate/integrate.h"
#include "problems/model/error.h"

namespace mbsbench {
namespace {

// y'' = -y from (1, 0), with friction that does not affect the solution: y = (cos t, -sin t). Its "power" is cos t.
class Oscillator : public OdeFormulation, public HasPower {
 public:
  std::size_t state_size() const override { return 2; }
  Status Initialise(double, const SystemState&, std::span<double> y) override {
    y[0] = 1, y[1] = 0;
    return {};
  }
  Status Evaluate(double, std::span<const double> y, std::span<double> ydot) override {
    ++evaluations;
    ydot[0] = y[1], ydot[1] = -y[0];
    return {};
  }
  Status Observe(double, std::span<const double>, Detail, Observation&) override { return {}; }
  HasPower* power() override { return this; }
  double Power(double, std::span<const double> y) override { return y[0]; }
  std::int64_t evaluations = 0;
};

// y' = y^2 from 1: infinite at t = 1.
class Explosion : public Oscillator {
 public:
  Status Evaluate(double, std::span<const double> y, std::span<double> ydot) override {
    ydot[0] = y[0] * y[0], ydot[1] = 0;
    return {};
  }
};

// Fails from t = 0.5 on, as a mechanism that runs into a singular position.
class Wall : public Oscillator {
 public:
  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) override {
    if (t > 0.5) return {Status::Code::kSingular, 4, -1, "a wall"};
    return Oscillator::Evaluate(t, y, ydot);
  }
};

// Iterates inside its evaluations, until that does not converge from t = 0.5 on.
class Iterates : public Oscillator {
 public:
  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) override {
    iterations_ += 3;
    if (t > 0.5) return {Status::Code::kNotConverged, 4, -1, "the multipliers do not converge"};
    return Oscillator::Evaluate(t, y, ydot);
  }
  std::int64_t inner_iterations() const override { return iterations_; }

 private:
  std::int64_t iterations_ = 0;
};

// Gives NaN from t = 0.5 on without reporting it.
class Undefined : public Oscillator {
 public:
  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) override {
    Oscillator::Evaluate(t, y, ydot);
    if (t > 0.5) ydot[1] = NAN;
    return {};
  }
};

IntegrationSettings Fixed(const std::string& key, double step, double end) {
  IntegrationSettings s;
  s.integrator = key, s.step = step, s.end_time = end;
  return s;
}
IntegrationSettings Adaptive(const std::string& key, double tolerance, double end) {
  IntegrationSettings s;
  s.integrator = key, s.tolerance = tolerance, s.end_time = end;
  return s;
}

double EndError(const IntegrationSettings& settings) {
  Oscillator f;
  const IntegrationReport r = Integrate(f, {}, settings);
  EXPECT_EQ(r.outcome, IntegrationReport::Outcome::kOk) << r.reason;
  EXPECT_DOUBLE_EQ(r.time_reached, settings.end_time);
  return std::hypot(r.end_state[0] - std::cos(settings.end_time),
                    r.end_state[1] + std::sin(settings.end_time));
}

struct Expected {
  const char* key;
  double order, step;
};
class FixedStep : public testing::TestWithParam<Expected> {};

TEST_P(FixedStep, HalvingTheStepDividesTheErrorByTwoToTheOrder) {
  const auto [key, order, step] = GetParam();
  const double coarse = EndError(Fixed(key, step, 8)), fine = EndError(Fixed(key, step / 2, 8));
  ASSERT_GT(fine, 1e-14) << "round-off floor reached: coarsen the steps";
  EXPECT_NEAR(std::log2(coarse / fine), order, 0.25) << coarse << " " << fine;
}

// At the end of a step the state there, of the order of the method; between steps the cubic that all
// fixed steps are interpolated by, which errs by h^4/384 of the fourth derivative.
TEST_P(FixedStep, SamplesAreGridValuesOrCubicInterpolantsAndDoNotChangeTheSteps) {
  const auto [key, order, step] = GetParam();
  Oscillator plain, sampled;
  const IntegrationReport a = Integrate(plain, {}, Fixed(key, step, 8));
  double on_grid = 0, between = 0;
  std::size_t seen = 0;
  Sampling sampling;
  for (double t = 0; t < 8; t += step) {
    sampling.times.push_back(t);
    sampling.times.push_back(t + 0.4 * step);
  }
  sampling.sink = [&](double t, std::span<const double> y, double) {
    EXPECT_DOUBLE_EQ(t, sampling.times[seen]);
    double& worst = seen++ % 2 == 0 ? on_grid : between;
    worst = std::max(worst, std::hypot(y[0] - std::cos(t), y[1] + std::sin(t)));
  };
  const IntegrationReport b = Integrate(sampled, {}, Fixed(key, step, 8), sampling);
  EXPECT_EQ(seen, sampling.times.size());
  EXPECT_EQ(a.end_state, b.end_state);
  EXPECT_EQ(a.counters.evaluations, b.counters.evaluations);
  const double error = EndError(Fixed(key, step, 8));
  EXPECT_LT(on_grid, 1.5 * error + 1e-14);
  EXPECT_LT(between, 1.5 * error + std::pow(step, 4) / 384);
}

INSTANTIATE_TEST_SUITE_P(All, FixedStep,
                         testing::Values(Expected{"rk4", 4, 1. / 16}, Expected{"dopri5", 5, 1. / 8},
                                         Expected{"fehlberg8", 8, 1. / 2}),
                         [](const auto& i) { return std::string(i.param.key); });

TEST(Rk4, TakesTheRemainderAsAShortLastStep) {
  EXPECT_LT(EndError(Fixed("rk4", 0.0003, 1.00005)), 1e-12);
}

TEST(Rk4, CountsFourEvaluationsPerStep) {
  Oscillator f;
  const IntegrationReport r = Integrate(f, {}, Fixed("rk4", 0.001, 1));
  EXPECT_EQ(r.counters.steps, 1000);
  EXPECT_EQ(r.counters.evaluations, 4000);
  EXPECT_EQ(f.evaluations, 4000);
}

TEST(Arkode, ReportsAsManyEvaluationsAsItMade) {
  Oscillator f;
  const IntegrationReport r = Integrate(f, {}, Adaptive("dopri5", 1e-8, 8));
  EXPECT_EQ(r.counters.evaluations, f.evaluations);
  EXPECT_GT(r.counters.steps, 10);
}

TEST(Arkode, ToleranceGovernsTheError) {
  for (const char* key : {"dopri5", "fehlberg8"}) {
    for (double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
      const double error = EndError(Adaptive(key, tolerance, 8));
      EXPECT_LT(error, 100 * tolerance) << key << " " << tolerance;
    }
  }
}

TEST(Arkode, SamplesDoNotChangeAdaptiveSteps) {
  Oscillator plain, sampled;
  Sampling sampling;
  for (int k = 0; k <= 100; ++k) sampling.times.push_back(0.08 * k);
  double worst = 0;
  sampling.sink = [&](double t, std::span<const double> y, double) {
    worst = std::max(worst, std::abs(y[0] - std::cos(t)));
  };
  const IntegrationReport a = Integrate(plain, {}, Adaptive("fehlberg8", 1e-10, 8));
  const IntegrationReport b = Integrate(sampled, {}, Adaptive("fehlberg8", 1e-10, 8), sampling);
  EXPECT_EQ(a.end_state, b.end_state);
  EXPECT_LT(worst, 1e-8);
}

TEST(Cvode, ToleranceGovernsTheErrorOfSamplesAndEnd) {
  for (const char* key : {"cvode-adams", "cvode-bdf"}) {
    for (double tolerance : {1e-4, 1e-6, 1e-8, 1e-10}) {
      Oscillator plain, sampled;
      Sampling sampling;
      for (int k = 0; k <= 80; ++k) sampling.times.push_back(0.1 * k);
      double worst = 0;
      sampling.sink = [&](double t, std::span<const double> y, double) {
        worst = std::max(worst, std::hypot(y[0] - std::cos(t), y[1] + std::sin(t)));
      };
      const IntegrationReport a = Integrate(plain, {}, Adaptive(key, tolerance, 8));
      const IntegrationReport b = Integrate(sampled, {}, Adaptive(key, tolerance, 8), sampling);
      EXPECT_EQ(a.end_state, b.end_state);
      EXPECT_LT(worst, 300 * tolerance) << key << " " << tolerance;
      EXPECT_EQ(a.counters.evaluations, plain.evaluations) << key;
    }
  }
}

// Cannot be evaluated within a layer that long steps enter: ARKODE has to repeat these steps.
class Layer : public Oscillator {
 public:
  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) override {
    ++evaluations;
    ydot[0] = y[1], ydot[1] = -y[0];
    if (t > 4 && y[0] > 0.999 * std::cos(t) + 1e-3)
      return {Status::Code::kSingular, 4, -1, "a layer"};
    return {};
  }
};

TEST(Counters, AccumulateOverRestartsOfASolver) {
  Layer f;
  const IntegrationReport r = Integrate(f, {}, Adaptive("dopri5", 1e-3, 4.2));
  EXPECT_EQ(r.counters.evaluations, f.evaluations) << r.reason;
}

// y1' = -1e6 (y1 - cos t) - sin t: Adams needs very short steps, BDF does not.
class Stiff : public Oscillator {
 public:
  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) override {
    ++evaluations;
    ydot[0] = -1e6 * (y[0] - std::cos(t)) - std::sin(t), ydot[1] = 0;
    return {};
  }
};

TEST(Cvode, BdfSolvesStiffEquationsInLargeSteps) {
  Stiff f;
  const IntegrationReport r = Integrate(f, {}, Adaptive("cvode-bdf", 1e-6, 8));
  EXPECT_EQ(r.outcome, IntegrationReport::Outcome::kOk) << r.reason;
  EXPECT_NEAR(r.end_state[0], std::cos(8), 1e-5);
  EXPECT_LT(r.counters.steps, 1000);
}

// Van der Pol's oscillator, stiff, with its Jacobian: or with one that is that of `sign` times f.
class StiffOscillator : public Oscillator, public OdeJacobian {
 public:
  explicit StiffOscillator(double sign) : sign_(sign) {}
  Status Evaluate(double, std::span<const double> y, std::span<double> ydot) override {
    ++evaluations;
    ydot[0] = y[1], ydot[1] = kStiffness * (1 - y[0] * y[0]) * y[1] - y[0];
    return {};
  }
  Status Jacobian(double, std::span<const double> y, std::span<double> values) override {
    ++jacobians;
    values[0] = 0, values[2] = sign_;  // column by column
    values[1] = sign_ * (-2 * kStiffness * y[0] * y[1] - 1);
    values[3] = sign_ * kStiffness * (1 - y[0] * y[0]);
    return {};
  }
  OdeJacobian* jacobian() override { return this; }
  std::int64_t jacobians = 0;

 private:
  static constexpr double kStiffness = 1000;
  double sign_;
};
class WithoutJacobian : public Oscillator {
 public:
  Status Evaluate(double t, std::span<const double> y, std::span<double> ydot) override {
    return inner_.Evaluate(t, y, ydot);
  }

 private:
  StiffOscillator inner_{1};
};

TEST(Cvode, BdfUsesTheJacobianOfTheFormulation) {
  const IntegrationSettings settings = Adaptive("cvode-bdf", 1e-8, 100);
  StiffOscillator exact(1), wrong(-1);
  WithoutJacobian plain;
  const IntegrationReport by_exact = Integrate(exact, {}, settings),
                          by_quotients = Integrate(plain, {}, settings),
                          by_wrong = Integrate(wrong, {}, settings);
  ASSERT_EQ(by_exact.outcome, IntegrationReport::Outcome::kOk) << by_exact.reason;
  ASSERT_EQ(by_quotients.outcome, IntegrationReport::Outcome::kOk) << by_quotients.reason;
  EXPECT_NEAR(by_exact.end_state[0], by_quotients.end_state[0], 1e-5);
  EXPECT_EQ(exact.jacobians, by_exact.counters.jacobians);
  EXPECT_GT(exact.jacobians, 0);
  EXPECT_EQ(exact.evaluations, by_exact.counters.evaluations) << "none for quotients";
  EXPECT_GE(by_quotients.counters.evaluations,
            by_exact.counters.evaluations + by_exact.counters.jacobians);
  EXPECT_TRUE(by_wrong.outcome != IntegrationReport::Outcome::kOk ||
              by_wrong.counters.steps > 10 * by_exact.counters.steps)
      << "it is used";
}

TEST(Cvode, AdamsNeedsNoJacobian) {
  StiffOscillator f(1);
  Integrate(f, {}, Adaptive("cvode-adams", 1e-4, 0.01));
  EXPECT_EQ(0, f.jacobians);
}

TEST(Work, IsTheIntegralOfThePowerToTheOrderOfTheMethod) {
  for (const IntegrationSettings& settings :
       {Fixed("rk4", 1. / 128, 8), Adaptive("dopri5", 1e-11, 8),
        Adaptive("cvode-adams", 1e-11, 8)}) {
    Oscillator f;
    Sampling sampling;
    sampling.integrate_power = true;
    sampling.times = {3.3};
    double at_sample = 0;
    sampling.sink = [&](double, std::span<const double>, double work) { at_sample = work; };
    const IntegrationReport r = Integrate(f, {}, settings, sampling);
    EXPECT_NEAR(r.work, std::sin(8), 1e-8);
    EXPECT_NEAR(at_sample, std::sin(3.3), 1e-8);
  }
}

TEST(Failure, OfTheSolutionIsReportedAsDivergedOrCollapsedWithItsTime) {
  for (const IntegrationSettings& settings :
       {Fixed("rk4", 0.01, 3), Fixed("dopri5", 0.01, 3), Adaptive("dopri5", 1e-8, 3),
        Adaptive("cvode-adams", 1e-8, 3), Adaptive("cvode-bdf", 1e-8, 3)}) {
    Explosion f;
    const IntegrationReport r = Integrate(f, {}, settings);
    EXPECT_NE(r.outcome, IntegrationReport::Outcome::kOk) << settings.integrator;
    EXPECT_LT(r.time_reached, 1.2);
    EXPECT_NE(r.reason.find("t = "), std::string::npos) << r.reason;
  }
}

TEST(Failure, OfAnEvaluationIsReportedWithTimeAndPlace) {
  for (const IntegrationSettings& settings :
       {Fixed("rk4", 0.01, 1), Fixed("dopri5", 0.01, 1), Adaptive("fehlberg8", 1e-8, 1),
        Adaptive("cvode-adams", 1e-8, 1), Adaptive("cvode-bdf", 1e-8, 1)}) {
    Wall f;
    const IntegrationReport r = Integrate(f, {}, settings);
    EXPECT_EQ(r.outcome, IntegrationReport::Outcome::kSingular)
        << settings.integrator << ": " << r.reason;
    EXPECT_EQ(r.failure.joint, 4);
    EXPECT_NEAR(r.time_reached, 0.5, 0.02);
  }
}

TEST(Failure, OfAnIterationInsideAnEvaluationIsOneOfNewtonAndItsIterationsAreCounted) {
  Sampling sampling;
  sampling.times = {0.101, 0.202};
  sampling.sink = [](double, std::span<const double>, double) {};
  for (const double end : {0.4, 1.0}) {
    for (const IntegrationSettings& settings :
         {Fixed("rk4", 0.01, end), Adaptive("fehlberg8", 1e-8, end),
          Adaptive("cvode-bdf", 1e-8, end)}) {
      Iterates f;
      const IntegrationReport r = Integrate(f, {}, settings, sampling);
      if (end < 0.5) {
        EXPECT_TRUE(r.ok()) << r.reason;
        EXPECT_EQ(r.counters.inner_iterations, 3 * r.counters.evaluations)
            << settings.integrator << ": those of samples do not count";
        continue;
      }
      EXPECT_EQ(r.outcome, IntegrationReport::Outcome::kNewtonFailed)
          << settings.integrator << ": " << r.reason;
      EXPECT_EQ(r.failure.joint, 4);
      EXPECT_NE(r.reason.find("the multipliers do not converge"), std::string::npos) << r.reason;
    }
  }
}

TEST(Failure, OfANonFiniteDerivativeIsDivergedForEveryIntegrator) {
  for (const IntegrationSettings& settings :
       {Fixed("rk4", 0.01, 1), Fixed("dopri5", 0.01, 1), Adaptive("dopri5", 1e-8, 1),
        Adaptive("fehlberg8", 1e-8, 1), Adaptive("cvode-adams", 1e-8, 1),
        Adaptive("cvode-bdf", 1e-8, 1)}) {
    Undefined f;
    const IntegrationReport r = Integrate(f, {}, settings);
    EXPECT_EQ(r.outcome, IntegrationReport::Outcome::kDiverged)
        << settings.integrator << ": " << r.reason;
    EXPECT_NEAR(r.time_reached, 0.5, 0.02);
    EXPECT_NE(r.reason.find("not finite"), std::string::npos) << r.reason;
  }
}

TEST(Failure, StepLimitEndsEveryIntegration) {
  for (IntegrationSettings settings : {Fixed("rk4", 1e-6, 1), Adaptive("dopri5", 1e-12, 100)}) {
    settings.step_limit = 100;
    Oscillator f;
    EXPECT_EQ(Integrate(f, {}, settings).outcome, IntegrationReport::Outcome::kIntegratorFailed);
  }
}

TEST(Settings, AreRefusedIfInvalid) {
  Oscillator f;
  EXPECT_THROW(Integrate(f, {}, Fixed("rk5", 0.1, 1)), ModelError);
  EXPECT_THROW(Integrate(f, {}, Adaptive("rk4", 1e-6, 1)), ModelError);
  EXPECT_THROW(Integrate(f, {}, IntegrationSettings{.integrator = "dopri5"}), ModelError);
}

}  // namespace
}  // namespace mbsbench
