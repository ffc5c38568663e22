#include "harness/bench/statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

#include "harness/comparison/paired_rounds.h"

namespace mbsbench {
namespace {

// Ranks 1 to 12, of which those in `negative` have a minus.
std::vector<double> Ranks(const std::vector<int>& negative) {
  std::vector<double> values;
  for (int r = 1; r <= 12; ++r) values.push_back(r);
  for (int r : negative) values[static_cast<std::size_t>(r - 1)] *= -1;
  return values;
}

// Subsets of {1, ..., 12} with a sum up to s: partitions into distinct parts, counted by hand.
TEST(WilcoxonGreater, CountsAllSigns) {
  EXPECT_DOUBLE_EQ(1. / 4096, WilcoxonGreater(Ranks({})));
  EXPECT_DOUBLE_EQ(2. / 4096, WilcoxonGreater(Ranks({1})));
  EXPECT_DOUBLE_EQ(33. / 4096, WilcoxonGreater(Ranks({4, 5})));
}

// The critical value of tables for 12 pairs, one-sided 1 %, is 9.
TEST(WilcoxonGreater, HasTheCriticalValueOfTables) {
  EXPECT_LT(WilcoxonGreater(Ranks({2, 7})), 0.01);
  EXPECT_GT(WilcoxonGreater(Ranks({3, 7})), 0.01);
}

TEST(WilcoxonGreater, GivesTiesTheirMeanRankAndOmitsZeros) {
  EXPECT_DOUBLE_EQ(0.5, WilcoxonGreater(std::vector<double>{1, 1, -1}));
  EXPECT_DOUBLE_EQ(0.5, WilcoxonGreater(std::vector<double>{1, 0, 1, -1, 0}));
  EXPECT_DOUBLE_EQ(1, WilcoxonGreater(std::vector<double>{0, 0}));
}

TEST(HolmAdjusted, StepsDownAndIsMonotone) {
  const std::vector<double> adjusted = HolmAdjusted(std::vector<double>{0.01, 0.04, 0.03});
  EXPECT_DOUBLE_EQ(0.03, adjusted[0]);
  EXPECT_DOUBLE_EQ(0.06, adjusted[1]);
  EXPECT_DOUBLE_EQ(0.06, adjusted[2]);
  EXPECT_DOUBLE_EQ(1, HolmAdjusted(std::vector<double>{0.9, 0.8})[0]);
}

TEST(NoiseOfMedianRatio, IsTheSpreadOfMedianRatiosOfEqualTimes) {
  constexpr int kRounds = 20, kRepeats = 4000;
  std::mt19937_64 random(7);
  std::normal_distribution<double> noise(0, 0.02);
  double estimated = 0, square = 0;
  for (int k = 0; k < kRepeats; ++k) {
    std::vector<double> times, ratios;
    for (int i = 0; i < kRounds; ++i) {
      const double base = std::exp(noise(random));
      times.push_back(base);
      ratios.push_back(noise(random) - std::log(base));
    }
    estimated += NoiseOfMedianRatio(times) / kRepeats;
    square += std::pow(Median(ratios), 2) / kRepeats;
  }
  EXPECT_NEAR(estimated, std::sqrt(square), 0.1 * estimated);  // measured: 4 %
}

TEST(NoiseOfMedianRatio, IgnoresDriftSlowerThanARound) {
  std::vector<double> times;
  for (int i = 0; i < 20; ++i) times.push_back(1 + 1e-3 * i);  // 2 % in all
  EXPECT_LT(NoiseOfMedianRatio(times), 5e-4);
}

}  // namespace
}  // namespace mbsbench
