// Fits of power laws.
#include "reports/analysis/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

namespace mbsbench::reports {
namespace {

TEST(LogLogFit, FindsTheExponentOfAPowerLaw) {
  std::vector<double> x, y;
  for (double n : {6., 12., 100., 500., 33336.})
    x.push_back(n), y.push_back(3e-7 * std::pow(n, 1.25));
  const auto fit = FitLogLog(x, y);
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->slope, 1.25, 1e-12);
  EXPECT_NEAR(*fit->standard_error, 0, 1e-12);
  EXPECT_EQ(fit->points, 5);
}

TEST(LogLogFit, StandardErrorOfThreePointsByHand) {
  // log2 x = 0, 1, 2; log2 y = 0, 2, 2: slope 1, residuals -1/3, 2/3, -1/3, so s^2 = (6/9) / 1 and
  // error sqrt(s^2 / 2)
  const auto fit = FitLogLog({1, 2, 4}, {1, 4, 4});
  ASSERT_TRUE(fit);
  EXPECT_NEAR(fit->slope, 1, 1e-12);
  EXPECT_NEAR(*fit->standard_error, std::sqrt(1. / 3), 1e-12);
}

TEST(LogLogFit, RequiresTwoSizes) {
  EXPECT_FALSE(FitLogLog({5, 5}, {1, 2}));
  EXPECT_FALSE(FitLogLog({5}, {1}));
  EXPECT_FALSE(FitLogLog({}, {}));
  EXPECT_FALSE(FitLogLog({1, 2}, {1, 0}));  // zero does not count as a point
}

}  // namespace
}  // namespace mbsbench::reports
