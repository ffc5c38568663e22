#include "reports/analysis/digit_loss.h"

#include <gtest/gtest.h>

#include <cmath>

namespace mbsbench::reports {
namespace {

const std::vector<double> kBodies{4, 10, 20, 40, 100};

std::vector<double> Values(double (*law)(double)) {
  std::vector<double> values;
  for (double n : kBodies) values.push_back(law(n));
  return values;
}

TEST(DigitLoss, ClassifiesAnExponentialLaw) {
  const auto growth = FitGrowth(kBodies, Values([](double n) { return 1e-16 * std::pow(1.3, n); }));
  ASSERT_TRUE(growth);
  EXPECT_TRUE(growth->is_exponential);
  EXPECT_NEAR(growth->rate, 1.3, 1e-9);
  EXPECT_EQ(FormatGrowth(growth), "1.3^bodies (5 sizes)");
}

TEST(DigitLoss, ClassifiesAPowerLaw) {
  const auto growth = FitGrowth(kBodies, Values([](double n) { return 1e-15 * std::pow(n, 2.5); }));
  ASSERT_TRUE(growth);
  EXPECT_FALSE(growth->is_exponential);
  EXPECT_NEAR(growth->rate, 2.5, 1e-9);
  EXPECT_EQ(FormatGrowth(growth), "bodies^2.50 (5 sizes)");
}

TEST(DigitLoss, FitsNothingIfAllDigitsAreLost) {
  ScalingCurve curve;
  for (double n : kBodies) {
    ScalingPoint point;
    point.bodies = n;
    point.value = n > 20 ? 1e3 : 1e-16 * std::pow(3.7, n);
    curve.points.push_back(point);
  }
  const auto growth = ErrorGrowth(curve);
  ASSERT_TRUE(growth);
  EXPECT_EQ(growth->sizes, 3);
  EXPECT_NEAR(growth->rate, 3.7, 1e-9);
}

TEST(DigitLoss, FitsNothingToTwoSizes) {
  EXPECT_FALSE(FitGrowth({10, 20}, {1e-12, 1e-6}));
  EXPECT_FALSE(FitGrowth({10, 10, 10}, {1e-12, 1e-12, 1e-12})) << "one size thrice";
}

}  // namespace
}  // namespace mbsbench::reports
