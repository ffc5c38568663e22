#include "harness/runner/trials/evaluation_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "harness/runner/trials/time_trial.h"
#include "problems/catalog/catalog.h"
#include "problems/model/error.h"
#include "tests/support/everything.h"

namespace mbsbench {
namespace {

// Starts from y = 0 for any state: at rest for ever, or with a force.
class PushedState : public OdeFormulation {
 public:
  explicit PushedState(double push) : push_(push) {}
  std::size_t state_size() const override { return 2; }
  Status Initialise(double, const SystemState&, std::span<double> y) override {
    std::fill(y.begin(), y.end(), 0.0);
    return {};
  }
  Status Evaluate(double, std::span<const double> y, std::span<double> ydot) override {
    ydot[0] = y[1];
    ydot[1] = push_ - y[0];
    return {};
  }
  Status Observe(double, std::span<const double>, Detail, Observation&) override { return {}; }

 private:
  double push_;
};

// A pendulum that remembers every acceleration it has computed.
class Remembers : public OdeFormulation {
 public:
  explicit Remembers(int& computed) : computed_(computed) {}
  std::size_t state_size() const override { return 2; }
  Status Initialise(double, const SystemState& state, std::span<double> y) override {
    y[0] = state.joints.q[0];
    y[1] = state.joints.u[0];
    return {};
  }
  Status Evaluate(double, std::span<const double> y, std::span<double> ydot) override {
    const auto [known, is_new] = known_.try_emplace({y[0], y[1]}, 0);
    if (is_new) {
      ++computed_;
      known->second = -9.81 * std::sin(y[0]);
    }
    ydot[0] = y[1];
    ydot[1] = known->second;
    return {};
  }
  Status Observe(double, std::span<const double>, Detail, Observation&) override { return {}; }

 private:
  int& computed_;
  std::map<std::pair<double, double>, double> known_;
};

std::vector<MethodEntry> RememberingMethod(int& computed) {
  MethodEntry entry = Taking("remembers");
  entry.prepare = [&computed](const System&, const MethodOptions&) {
    return std::make_unique<Remembers>(computed);
  };
  return {entry};
}

TEST(EvaluationKernel, AMethodThatRemembersItsAnswersComputesThemAgainInEveryEvaluation) {
  int computed = 0;
  const std::vector<MethodEntry> methods = RememberingMethod(computed);
  EvaluationKernel kernel(PrepareCell({"pendulum", "remembers", "", {}, {}, {}}, methods),
                          Evaluated::kAccelerations);
  computed = 0;
  kernel.RunFresh(120);
  EXPECT_GE(computed, 118) << "the first two states may have been known";
}

TEST(TimeTrial, AMethodThatRemembersItsAnswersComputesThemAgainInEveryRepetition) {
  int computed = 0;
  const std::vector<MethodEntry> methods = RememberingMethod(computed);
  const TrialResult result =
      TimeTrial(PrepareCell({"pendulum", "remembers", "dopri5", 1e-6, {}, 1.}, methods));
  ASSERT_EQ(Outcome::kOk, result.ending.outcome) << result.ending.reason;
  const auto whole = static_cast<int>(*result.record.integration->counters.evaluations);
  const int different = *result.record.time->repetitions;
  EXPECT_GT(different, 10);
  EXPECT_GT(computed, different * whole * 9 / 10);
}

EvaluationKernel KernelOf(double push) {
  static std::vector<MethodEntry> methods;
  MethodEntry entry = Taking("one-state");
  entry.prepare = [push](const System&, const MethodOptions&) {
    return std::make_unique<PushedState>(push);
  };
  methods = {entry};
  return {PrepareCell({"pendulum", "one-state", "", {}, {}, {}}, methods),
          Evaluated::kAccelerations};
}

TEST(EvaluationKernel, TimesAMethodWithAFixedStartAtItAndShortlyAfter) {
  const EvaluationKernel kernel = KernelOf(1);
  ASSERT_TRUE(kernel.status().ok());
  EXPECT_NE(kernel.point(0).y, kernel.point(1).y);
  EXPECT_GT(kernel.point(1).y[1], 0);
}

TEST(EvaluationKernel, RefusesToTimeTwoEqualStates) {
  try {
    KernelOf(0);
    FAIL() << "both states are y = 0";
  } catch (const ModelError& error) {
    EXPECT_NE(std::string(error.what()).find("no second state of 'pendulum'"), std::string::npos)
        << error.what();
  }
}

}  // namespace
}  // namespace mbsbench
