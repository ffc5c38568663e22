#include "reference/numerics/extrapolation.h"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/model/error.h"

namespace mbsbench::extended {
namespace {

// y'' = -y after the nonlinear substitution z = exp(y), so that linearity does not raise the order.
const RightHandSide kOscillator = [](Real, const std::vector<Real>& y, std::vector<Real>& f) {
  const Real position = logq(y[0]);
  f = {y[0] * y[1], -position};
};
double ErrorOfOneStep(double h, int columns) {
  const Real t = h;
  const ExtrapolationStep step = Step(kOscillator, 0, {expq(Real(1)), 0}, t, columns);
  return static_cast<double>(Max(Abs(logq(step.y[0]) - Cos(t)), Abs(step.y[1] + Sin(t))));
}

// k columns have order 2k, so that halving the step divides the error of one step by
// 2^(2k+1).
TEST(Extrapolation, LocalErrorIsOfTheOrderPlusOne) {
  for (int columns : {3, 5, 7}) {
    const double coarse = ErrorOfOneStep(0.125, columns), fine = ErrorOfOneStep(0.0625, columns);
    ASSERT_GT(fine, 1e-31) << "round-off floor reached: coarsen the steps";
    EXPECT_NEAR(std::log2(coarse / fine), 2 * columns + 1, 0.5) << columns << " columns";
  }
}

// Measured 1.6e-26 at tolerance 1e-24 after one turn.
TEST(Extrapolation, StepControlKeepsTheToleranceAndEndsOnTheSamples) {
  const double turn = 6.25;
  std::vector<Real> errors;
  const ExtrapolationCounters counters = Extrapolate(
      kOscillator, {0, 1, 1.5, turn}, {expq(Real(1)), 0}, {1, 1},
      {.columns = 10, .tolerance = 1e-24}, [](Real, std::vector<Real>&) {},
      [&](std::size_t k, const std::vector<Real>& y) {
        const Real t = std::vector<double>{0, 1, 1.5, turn}[k];
        errors.push_back(Abs(logq(y[0]) - Cos(t)));
      });
  ASSERT_EQ(errors.size(), 4u);
  for (Real error : errors) EXPECT_LT(static_cast<double>(error), 1e-23);
  EXPECT_GT(counters.steps, 3);
  EXPECT_GT(counters.evaluations, counters.steps);
}

TEST(Extrapolation, ASingularityIsReportedWithItsTime) {
  // y' = y^2 from 1 is infinite at t = 1.
  const RightHandSide blow_up = [](Real, const std::vector<Real>& y, std::vector<Real>& f) {
    f = {y[0] * y[0]};
  };
  try {
    Extrapolate(
        blow_up, {0, 2}, {1}, {1}, {.columns = 6, .tolerance = 1e-12},
        [](Real, std::vector<Real>&) {}, [](std::size_t, const std::vector<Real>&) {});
    FAIL() << "nothing was thrown";
  } catch (const ModelError& e) {
    EXPECT_NE(std::string(e.what()).find("singular point"), std::string::npos) << e.what();
  }
}

}  // namespace
}  // namespace mbsbench::extended
