#include "harness/runner/trials/evaluation_kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <string>

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

EvaluationKernel KernelOf(double push) {
  static std::vector<MethodEntry> methods;
  MethodEntry entry;
  entry.key = "one-state";
  entry.capabilities = Everything();
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
