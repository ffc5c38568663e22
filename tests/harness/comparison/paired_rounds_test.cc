// Medians, and the rule by which a ratio of two times is judged.
#include "harness/comparison/paired_rounds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <random>

namespace mbsbench {
namespace {

Rounds Times(const std::vector<double>& seconds) {
  Rounds rounds;
  for (const double one : seconds) rounds[{0, static_cast<int>(rounds.size())}] = one;
  return rounds;
}

PairVerdict Of(const std::vector<double>& time, const std::vector<double>& base) {
  return Judge(SpreadOf(PairedRatios(Times(time), Times(base))));
}

TEST(Median, OfAnEvenNumberIsTheMeanOfTheMiddleTwo) {
  EXPECT_DOUBLE_EQ(Median({66.3, 40.3, 1, 100}), 53.3);
  EXPECT_DOUBLE_EQ(Median({3, 1, 2}), 2);
  EXPECT_EQ(Median({1, INFINITY, INFINITY}), INFINITY);
  EXPECT_TRUE(std::isnan(Median({})));
}

TEST(PairVerdict, FromSixRoundsOnRequiresTheIntervalToLieBeyondTwoPercent) {
  EXPECT_EQ(Of({1.05, 1.06, 1.05, 1.04, 1.05, 1.05}, {1, 1, 1, 1, 1, 1}), PairVerdict::kSlower);
  EXPECT_EQ(Of({1, 1, 1, 1, 1, 1}, {1.05, 1.06, 1.05, 1.04, 1.05, 1.05}), PairVerdict::kFaster);
  EXPECT_EQ(Of({1.01, 1.5, 0.7, 1, 1.4, 0.6}, {1, 1, 1, 1, 1, 1}), PairVerdict::kOpen);
}

TEST(PairVerdict, IsAlikeWhereTheIntervalLiesWithinFivePercent) {
  EXPECT_EQ(Of({1.01, 1, 0.99, 1, 1.01, 1}, {1, 1, 1, 1, 1, 1}), PairVerdict::kAlike);
  EXPECT_EQ(Of({1.04, 1, 0.96, 1.04, 0.96, 1}, {1, 1, 1, 1, 1, 1}), PairVerdict::kAlike);
  EXPECT_EQ(Of({1.00, 1.04, 0.97}, {1, 1, 1}), PairVerdict::kAlike) << "all of three rounds";
  EXPECT_EQ(Of({1.00, 1.06, 0.97}, {1, 1, 1}), PairVerdict::kOpen);
  EXPECT_EQ(Of({1, 1}, {1, 1}), PairVerdict::kOpen) << "two rounds are too few";
}

TEST(PairVerdict, WithFewerRoundsRequiresAllToLieBeyondTenPercent) {
  EXPECT_EQ(Of({1.05, 1.06, 1.05}, {1, 1, 1}), PairVerdict::kOpen);
  EXPECT_EQ(Of({1.2, 1.3, 1.15}, {1, 1, 1}), PairVerdict::kSlower);
  EXPECT_EQ(Of({1.2, 1.3, 1.05}, {1, 1, 1}), PairVerdict::kOpen);
  EXPECT_EQ(Of({}, {1}), PairVerdict::kOpen);
}

TEST(PairVerdict, OfASingleRoundRequiresAFactorOfTwo) {
  EXPECT_EQ(Of({1.9}, {1}), PairVerdict::kOpen);
  EXPECT_EQ(Of({1}, {1}), PairVerdict::kOpen);
  EXPECT_EQ(Of({2.1}, {1}), PairVerdict::kSlower);
  EXPECT_EQ(Of({1}, {2.1}), PairVerdict::kFaster);
  EXPECT_EQ(Of({1.9, 1.9}, {1, 1}), PairVerdict::kSlower);
}

TEST(PairVerdict, OfTheInverseRatioIsTheOpposite) {
  EXPECT_EQ(Of({1, 1}, {1.101, 1.2}), PairVerdict::kFaster);
  EXPECT_EQ(Of({1.101, 1.2}, {1, 1}), PairVerdict::kSlower);
}

TEST(PairVerdict, OfRatiosMeasuredOnceRequiresTenPercent) {
  const auto of = [](double low, double high) { return Judge(RatioSpread{{low, high}, 30, true}); };
  EXPECT_EQ(of(0.80, 0.90), PairVerdict::kFaster);
  EXPECT_EQ(of(0.93, 0.95), PairVerdict::kOpen);
  EXPECT_EQ(of(1.00, 1.01), PairVerdict::kOpen) << "not alike";
  EXPECT_EQ(of(1.11, 1.30), PairVerdict::kSlower);
}

TEST(PairedRatios, PairRoundsOfOneTargetAndNumber) {
  const Rounds time = {{{0, 0}, 2}, {{0, 2}, 6}, {{0, 3}, 1}, {{1e-6, 0}, 10}},
               base = {{{0, 0}, 1}, {{0, 2}, 2}, {{0, 4}, 1}, {{1e-3, 0}, 1}, {{1e-6, 0}, 4}};
  EXPECT_EQ(PairedRatios(time, base), (std::vector<double>{2, 3, 2.5}));
}

// The looks of a run: after 3, 6, 12 and 20 rounds, as long as the verdict is open.
PairVerdict AfterLooks(double slower_by, unsigned seed) {
  std::mt19937 random(seed);
  std::lognormal_distribution<double> noise(0, 0.02);
  std::vector<double> time, base;
  for (const std::size_t rounds : {3, 6, 12, 20}) {
    while (time.size() < rounds)
      time.push_back(slower_by * noise(random)), base.push_back(noise(random));
    if (const PairVerdict verdict = Of(time, base); verdict != PairVerdict::kOpen) return verdict;
  }
  return PairVerdict::kOpen;
}

TEST(PairVerdict, OfNoisyRoundsSeesADelayOfTenPercentAndNoneWhereThereIsNone) {
  int slower = 0, wrong = 0;
  for (unsigned seed = 0; seed < 20; ++seed) {
    slower += AfterLooks(1.1, seed) == PairVerdict::kSlower;
    const PairVerdict of_copies = AfterLooks(1, 100 + seed);
    wrong += of_copies == PairVerdict::kFaster || of_copies == PairVerdict::kSlower;
  }
  EXPECT_EQ(slower, 20);
  EXPECT_LE(wrong, 1) << "the interval holds 95 %";
}

}  // namespace
}  // namespace mbsbench
