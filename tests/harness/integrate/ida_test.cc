// The IDA driver on small equations whose solutions are known.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "harness/integrate/integrate.h"

namespace mbsbench {
namespace {

// x' = v, v' = -w^2 x, and an algebraic a = -w^2 x; x(0) = 1, v(0) = 0: x = cos(w t). Its "power"
// is x(t).
class DaeOscillator : public DaeFormulation, public HasPower {
 public:
  std::size_t state_size() const override { return 3; }
  Status InitialiseDae(double, const SystemState&, std::span<double> y,
                       std::span<double> yp) override {
    y[0] = 1, y[1] = 0, y[2] = -kSquare;
    yp[0] = 0, yp[1] = -kSquare, yp[2] = 0;
    return initial_status_;
  }
  Status Residual(double t, std::span<const double> y, std::span<const double> yp,
                  std::span<double> r) override {
    ++residuals_;
    r[0] = yp[0] - y[1];
    r[1] = yp[1] - y[2];
    r[2] = y[2] + kSquare * y[0];
    if (t > fails_after_) return failure_;
    if (t > not_finite_after_) r[1] = std::nan("");
    if (t > unsolvable_after_) r[2] = 1 + y[2] * y[2];
    return {};
  }
  const SparsityPattern& pattern() const override { return pattern_; }
  Status Jacobian(double t, double c, std::span<const double> y, std::span<const double>,
                  std::span<double> values) override {
    ++jacobians_;
    const double expected[] = {c, kSquare, -1, c, -1, 1};
    std::copy(std::begin(expected), std::end(expected), values.begin());
    if (t > unsolvable_after_) values[1] = 0, values[5] = 2 * y[2];
    if (t > singular_after_) values[5] = values[4] = 0;
    return {};
  }
  std::span<const double> differential() const override { return differential_; }
  std::vector<Dimension> Dimensions() const override {
    return {Dimension::kNumber, Dimension::kNumber, Dimension::kMultiplier};
  }
  Status Observe(double, std::span<const double>, Detail, Observation&) override { return {}; }
  HasPower* power() override { return this; }
  double Power(double, std::span<const double> y) override { return y[0]; }

  static constexpr double kRate = 3, kSquare = kRate * kRate;
  static constexpr double kNever = std::numeric_limits<double>::infinity();
  Status initial_status_, failure_;
  double fails_after_ = kNever, not_finite_after_ = kNever, unsolvable_after_ = kNever,
         singular_after_ = kNever;
  std::int64_t residuals_ = 0, jacobians_ = 0;

 private:
  const SparsityPattern pattern_{{0, 2, 4, 6}, {0, 2, 0, 1, 1, 2}};
  const std::vector<double> differential_{1, 1, 0};
};

IntegrationSettings Settings(double tolerance, double end = 2) {
  IntegrationSettings settings;
  settings.integrator = "ida";
  settings.end_time = end;
  settings.tolerance = tolerance;
  return settings;
}

double EndError(double tolerance) {
  DaeOscillator f;
  const IntegrationReport report = Integrate(f, {}, Settings(tolerance), {});
  EXPECT_EQ(report.outcome, IntegrationReport::Outcome::kOk) << report.reason;
  EXPECT_EQ(report.time_reached, 2);
  return std::abs(report.end_state[0] - std::cos(2 * DaeOscillator::kRate));
}

TEST(Ida, ReachesTheEndWithAnErrorThatFollowsTheTolerance) {
  EXPECT_LT(EndError(1e-4), 1e-2);
  EXPECT_LT(EndError(1e-8), 1e-5);
  EXPECT_LT(EndError(1e-12), 1e-9);
}

TEST(Ida, SamplesLieOnTheSolutionAndWorkIsTheIntegralOfPower) {
  DaeOscillator f;
  Sampling sampling;
  sampling.integrate_power = true;
  for (int k = 0; k <= 40; ++k) sampling.times.push_back(k / 20.);
  std::vector<double> seen;
  sampling.sink = [&](double t, std::span<const double> y, double work) {
    seen.push_back(t);
    EXPECT_NEAR(y[0], std::cos(DaeOscillator::kRate * t), 1e-8);
    EXPECT_NEAR(work, std::sin(DaeOscillator::kRate * t) / DaeOscillator::kRate, 1e-8);
  };
  const IntegrationReport report = Integrate(f, {}, Settings(1e-11), sampling);
  EXPECT_EQ(seen, sampling.times);
  EXPECT_NEAR(report.work, std::sin(2 * DaeOscillator::kRate) / DaeOscillator::kRate, 1e-8);
}

TEST(Ida, SamplesAndWorkDoNotChangeTheSteps) {
  DaeOscillator plain, sampled;
  Sampling sampling;
  sampling.times = {0, 0.1, 0.111, 0.5, 2};
  sampling.integrate_power = true;
  int samples = 0;
  sampling.sink = [&samples](double, std::span<const double>, double) { ++samples; };
  const IntegrationReport a = Integrate(plain, {}, Settings(1e-8), {});
  const IntegrationReport b = Integrate(sampled, {}, Settings(1e-8), sampling);
  EXPECT_EQ(samples, 5);
  EXPECT_EQ(a.end_state, b.end_state);
  EXPECT_EQ(a.counters.steps, b.counters.steps);
  EXPECT_EQ(a.counters.evaluations, b.counters.evaluations);
}

TEST(Ida, CountersAreExact) {
  DaeOscillator f;
  const WorkCounters counters = Integrate(f, {}, Settings(1e-8), {}).counters;
  EXPECT_EQ(counters.evaluations, f.residuals_);
  EXPECT_EQ(counters.jacobians, f.jacobians_);
  EXPECT_EQ(counters.factorisations, f.jacobians_);
  EXPECT_GE(counters.newton_iterations, counters.steps);
  EXPECT_GT(counters.steps, 50);
}

void ExpectFailure(const IntegrationReport& report, IntegrationReport::Outcome outcome,
                   const std::string& words) {
  EXPECT_EQ(report.outcome, outcome) << report.reason;
  EXPECT_NE(report.reason.find(words), std::string::npos) << report.reason;
  EXPECT_EQ(report.end_state.size(), 3u);
}

TEST(Ida, InitialStateThatIsSingularIsReportedWithTheJoint) {
  DaeOscillator f;
  f.initial_status_ = {Status::Code::kSingular, 4, -1, "no inertia about the joint's free axes"};
  const IntegrationReport report = Integrate(f, {}, Settings(1e-6), {});
  ExpectFailure(report, IntegrationReport::Outcome::kSingular,
                "no inertia about the joint's free axes");
  EXPECT_EQ(report.failure.joint, 4);
  EXPECT_EQ(report.time_reached, 0);
}

TEST(Ida, EvaluationThatBecomesSingularStopsThereAndIsReportedWithTheBody) {
  DaeOscillator f;
  f.fails_after_ = 1;
  f.failure_ = {Status::Code::kSingular, -1, 2, "a body without inertia"};
  const IntegrationReport report = Integrate(f, {}, Settings(1e-6), {});
  ExpectFailure(report, IntegrationReport::Outcome::kSingular, "a body without inertia");
  EXPECT_EQ(report.failure.body, 2);
  EXPECT_NEAR(report.time_reached, 1, 0.1);
}

TEST(Ida, ResidualThatIsNotFiniteEndsAsDiverged) {
  DaeOscillator f;
  f.not_finite_after_ = 1;
  ExpectFailure(Integrate(f, {}, Settings(1e-6), {}), IntegrationReport::Outcome::kDiverged,
                "t = ");
}

TEST(Ida, EquationWithoutSolutionEndsAsNewtonFailure) {
  DaeOscillator f;
  f.unsolvable_after_ = 1;  // a^2 + 1 = 0
  ExpectFailure(Integrate(f, {}, Settings(1e-6), {}), IntegrationReport::Outcome::kNewtonFailed,
                "t = ");
}

TEST(Ida, IterationMatrixThatCannotBeFactorisedEndsAsSingular) {
  DaeOscillator f;
  f.singular_after_ = -1;
  ExpectFailure(Integrate(f, {}, Settings(1e-6), {}), IntegrationReport::Outcome::kSingular,
                "factorised");
}

TEST(Ida, StepLimitEndsTheRun) {
  DaeOscillator f;
  IntegrationSettings settings = Settings(1e-8);
  settings.step_limit = 10;
  const IntegrationReport report = Integrate(f, {}, settings, {});
  ExpectFailure(report, IntegrationReport::Outcome::kIntegratorFailed, "10 steps");
  EXPECT_EQ(report.counters.steps, 10);
  EXPECT_GT(report.time_reached, 0);
}

TEST(Ida, ToleranceBelowRoundOffIsRefusedWithThatReason) {
  DaeOscillator f;
  ExpectFailure(Integrate(f, {}, Settings(1e-17), {}),
                IntegrationReport::Outcome::kIntegratorFailed, "round-off");
}

// The error weights shrink below round-off in the first steps: Newton's corrections stay noise there.
class NoisyStart : public DaeOscillator {
 public:
  Status Residual(double t, std::span<const double> y, std::span<const double> yp,
                  std::span<double> r) override {
    const Status status = DaeOscillator::Residual(t, y, yp, r);
    if (t < 1e-3) r[2] += (residuals_ % 2 == 0 ? 1 : -1) * noise_;
    return status;
  }
  double noise_ = 0;
};

// Each try starts with new counters in IDA.
TEST(Ida, ARetryWithALooserNewtonIsRecordedWithTheWorkOfTheFirstTry) {
  bool has_restarted = false;
  for (double noise = 1e-8; noise < 1; noise *= 2) {
    NoisyStart f;
    f.noise_ = noise;
    const IntegrationReport report = Integrate(f, {}, Settings(1e-6));
    EXPECT_EQ(report.counters.evaluations, f.residuals_) << noise;
    EXPECT_EQ(report.counters.jacobians, f.jacobians_) << noise;
    EXPECT_EQ(static_cast<std::size_t>(report.counters.restarts), report.changed_settings.size());
    if (report.changed_settings.empty()) continue;
    has_restarted = true;
    EXPECT_EQ("newton_coefficient", report.changed_settings[0].name);
    EXPECT_EQ(1, report.changed_settings[0].value);
  }
  EXPECT_TRUE(has_restarted);
}

}  // namespace
}  // namespace mbsbench
