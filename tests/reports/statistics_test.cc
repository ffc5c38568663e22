// Medians, and the rule by which a ratio of two times is judged.
#include "reports/analysis/statistics.h"

#include <gtest/gtest.h>

#include <cmath>

#include "reports/analysis/equal_error.h"

namespace mbsbench::reports {
namespace {

Rounds Times(std::initializer_list<double> seconds) {
  Rounds rounds;
  for (const double one : seconds) rounds[static_cast<int>(rounds.size())] = one;
  return rounds;
}

Verdict Of(std::initializer_list<double> time, std::initializer_list<double> base) {
  return Judge(SpreadOf(PairedRatios(Times(time), Times(base))));
}

TEST(Median, OfAnEvenNumberIsTheMeanOfTheMiddleTwo) {
  EXPECT_DOUBLE_EQ(Median({66.3, 40.3, 1, 100}), 53.3);
  EXPECT_DOUBLE_EQ(Median({3, 1, 2}), 2);
  EXPECT_EQ(Median({1, INFINITY, INFINITY}), INFINITY);
  EXPECT_TRUE(std::isnan(Median({})));
}

TEST(RatioVerdict, FromSixRoundsOnRequiresTheIntervalToLieBeyondTwoPercent) {
  EXPECT_EQ(Of({1.05, 1.06, 1.05, 1.04, 1.05, 1.05}, {1, 1, 1, 1, 1, 1}), Verdict::kSlower);
  EXPECT_EQ(Of({1, 1, 1, 1, 1, 1}, {1.05, 1.06, 1.05, 1.04, 1.05, 1.05}), Verdict::kFaster);
  EXPECT_EQ(Of({1.01, 1, 0.99, 1, 1.01, 1}, {1, 1, 1, 1, 1, 1}), Verdict::kAlike);
  EXPECT_EQ(Of({1.01, 1.5, 0.7, 1, 1.4, 0.6}, {1, 1, 1, 1, 1, 1}), Verdict::kUndecided);
}

TEST(RatioVerdict, AnIntervalWhollyAboveOneLessTwoPercentExcludesFaster) {
  EXPECT_TRUE(ExcludesFaster({{1.01, 1.07}, 8}));
  EXPECT_FALSE(ExcludesFaster({{0.97, 1.07}, 8}));
  EXPECT_FALSE(ExcludesFaster({{1.01, 1.07}, 3})) << "a range of few rounds";
}

TEST(RatioVerdict, WithFewerRoundsRequiresAllToLieBeyondTenPercent) {
  EXPECT_EQ(Of({1.05, 1.06, 1.05}, {1, 1, 1}), Verdict::kUndecided);
  EXPECT_EQ(Of({1.00, 1.00, 1.00}, {1, 1, 1}), Verdict::kUndecided) << "too few to be alike";
  EXPECT_EQ(Of({1.2, 1.3, 1.15}, {1, 1, 1}), Verdict::kSlower);
  EXPECT_EQ(Of({1.2, 1.3, 1.05}, {1, 1, 1}), Verdict::kUndecided);
  EXPECT_EQ(Of({}, {1}), Verdict::kUndecided);
}

TEST(RatioVerdict, ASingleRoundDecidesBeyondAFactorOfTwo) {
  EXPECT_EQ(Of({1.9}, {1}), Verdict::kUndecided);
  EXPECT_EQ(Of({1}, {1.9}), Verdict::kUndecided);
  EXPECT_EQ(Of({1}, {1}), Verdict::kUndecided);
  EXPECT_EQ(Of({2.1}, {1}), Verdict::kSlower);
  EXPECT_EQ(Of({1}, {2.1}), Verdict::kFaster);
  EXPECT_EQ(Of({1.9, 1.9}, {1, 1}), Verdict::kSlower);
}

TEST(RatioVerdict, PairsRoundsByTheirNumber) {
  const auto spread = SpreadOf(PairedRatios({{0, 2}, {2, 6}, {3, 1}}, {{0, 1}, {2, 2}, {4, 1}}));
  ASSERT_TRUE(spread);
  EXPECT_EQ(spread->rounds, 2);
  EXPECT_DOUBLE_EQ(spread->interval.low, 2);
  EXPECT_DOUBLE_EQ(spread->interval.high, 3);
}

TEST(RatioVerdict, OfTheInverseRatioIsTheOpposite) {
  EXPECT_EQ(Of({1, 1}, {1.101, 1.2}), Verdict::kFaster);
  EXPECT_EQ(Of({1.101, 1.2}, {1, 1}), Verdict::kSlower);
}

TEST(RatioVerdict, OfRatiosMeasuredOnceRequiresTenPercent) {
  const auto of = [](double low, double high) { return Judge(RatioSpread{{low, high}, 30, true}); };
  EXPECT_EQ(of(0.80, 0.90), Verdict::kFaster);
  EXPECT_EQ(of(0.93, 0.95), Verdict::kUndecided);
  EXPECT_EQ(of(1.00, 1.01), Verdict::kUndecided) << "not alike";
  EXPECT_EQ(of(1.11, 1.30), Verdict::kSlower);
  EXPECT_FALSE(ExcludesFaster({{1.00, 1.01}, 30, true}));
  EXPECT_TRUE(ExcludesFaster({{1.00, 1.01}, 30}));
}

TEST(TimeVerdict, IsEmptyWhereNoOtherTimeIsKnown) {
  const TimeAtError known{TimeAtError::Kind::kReached, 1};
  EXPECT_EQ(VerdictAmong(known, {TimeAtError{}, TimeAtError{}}).name, "");
  EXPECT_EQ(VerdictAmong(known, {TimeAtError{}, known}).name, kFastest);
}

}  // namespace
TEST(Describe, MarksARatioWhoseRoundsLieMoreThanTenPercentApart) {
  EXPECT_EQ(Describe(RatioSpread{{1.00, 1.09}, 3}), "1.00 to 1.09, 3 rounds");
  EXPECT_EQ(Describe(RatioSpread{{1.00, 1.11}, 3}), "1.00 to 1.11, 3 rounds, noisy");
  EXPECT_EQ(Describe(RatioSpread{{20, 20.5}, 8}), "20.0 to 20.5, 8 rounds") << "relative";
  EXPECT_EQ(Describe(RatioSpread{{2, 2}, 1}), "1 round");
  EXPECT_EQ(Describe(std::nullopt), "no paired round");
}

}  // namespace mbsbench::reports
