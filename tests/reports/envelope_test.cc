#include "reports/analysis/envelope.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "reports/analysis/equal_error.h"

namespace mbsbench::reports {
namespace {

TEST(LowerEnvelope, KeepsOnlyParetoOptimalPoints) {
  // (1e-4, 5) costs more than (1e-6, 4) and is less accurate
  const auto envelope = LowerEnvelope({{1e-4, 5}, {1e-2, 1}, {1e-6, 4}, {1e-3, 2}});
  ASSERT_EQ(envelope.size(), 3u);
  EXPECT_EQ(envelope[0].error, 1e-2);
  EXPECT_EQ(envelope[1].error, 1e-3);
  EXPECT_EQ(envelope[2].error, 1e-6);
}

TEST(LowerEnvelope, OmitsValuesThatALogAxisCannotShow) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(LowerEnvelope({{0, 1}, {-1, 1}, {nan, 1}, {1e-3, 0}, {1e-3, nan}}).empty());
}

TEST(LowerEnvelope, KeepsTheMoreAccurateOfEqualTimes) {
  const auto envelope = LowerEnvelope({{1e-3, 2}, {1e-5, 2}});
  ASSERT_EQ(envelope.size(), 1u);
  EXPECT_EQ(envelope[0].error, 1e-5);
}

TEST(TimeAtError, IsLinearInLogErrorAndLogTime) {
  // By hand: from (1e-2, 1 s) to (1e-6, 16 s) error falls by 1e-4; 1e-3 is a quarter of the way:
  // 16^(1/4) = 2 s.
  const auto envelope = LowerEnvelope({{1e-2, 1}, {1e-6, 16}});
  const TimeAtError quarter = InterpolateEnvelope(envelope, 1e-3);
  EXPECT_EQ(quarter.kind, TimeAtError::Kind::kReached);
  EXPECT_NEAR(quarter.seconds, 2, 1e-13);
  EXPECT_NEAR(InterpolateEnvelope(envelope, 1e-4).seconds, 4, 1e-13);
}

TEST(TimeAtError, AtAPointIsItsTime) {
  const auto envelope = LowerEnvelope({{1e-2, 1}, {1e-6, 16}});
  EXPECT_EQ(InterpolateEnvelope(envelope, 1e-6).kind, TimeAtError::Kind::kReached);
  EXPECT_EQ(InterpolateEnvelope(envelope, 1e-6).seconds, 16);
  EXPECT_EQ(InterpolateEnvelope(envelope, 1e-2).kind, TimeAtError::Kind::kReached);
}

TEST(TimeAtError, IsNeverExtrapolated) {
  const auto envelope = LowerEnvelope({{1e-4, 1}, {1e-6, 16}});
  EXPECT_EQ(InterpolateEnvelope(envelope, 1e-7).kind, TimeAtError::Kind::kNotReached);
  const TimeAtError coarse =
      InterpolateEnvelope(envelope, 1e-3);  // the cheapest point is better than asked
  EXPECT_EQ(coarse.kind, TimeAtError::Kind::kAtMost);
  EXPECT_EQ(coarse.seconds, 1);
  EXPECT_EQ(InterpolateEnvelope({}, 1e-3).kind, TimeAtError::Kind::kNotReached);
}

TEST(TimeAtError, NamesItsTwoCellsAndIsAGuessIfTheyAreFarApart) {
  const auto envelope = LowerEnvelope({{1e-2, 1}, {1e-3, 2}, {1e-6, 16}});
  const TimeAtError far = InterpolateEnvelope(envelope, 1e-5);
  EXPECT_EQ(far.coarse.error, 1e-3);
  EXPECT_EQ(far.fine.error, 1e-6);
  EXPECT_NEAR(far.Decades(), 3, 1e-12);
  EXPECT_TRUE(far.IsGuess());
  const TimeAtError near = InterpolateEnvelope(envelope, 5e-3);
  EXPECT_TRUE(near.IsInterpolated());
  EXPECT_FALSE(near.IsGuess());
  for (const double error : {1e-3, 1.}) {  // at a cell, and a bound
    EXPECT_FALSE(InterpolateEnvelope(envelope, error).IsInterpolated());
    EXPECT_FALSE(InterpolateEnvelope(envelope, error).IsGuess());
  }
}

// A straight line differs from a smooth curve by about the product of the distances to its ends.
TEST(TimeAtError, IsAGuessFarFromBothCellsOnly) {
  const auto envelope = LowerEnvelope({{1e-3, 1}, {1e-8, 16}});
  const auto is_guess = [&envelope](double decades) {
    return InterpolateEnvelope(envelope, 1e-3 * std::pow(10, -decades)).IsGuess();
  };
  EXPECT_FALSE(is_guess(0.11));  // 0.11 x 4.89 = 0.54
  EXPECT_TRUE(is_guess(0.12));   // 0.12 x 4.88 = 0.59
  EXPECT_TRUE(is_guess(4.88));
  EXPECT_FALSE(is_guess(4.89));
  const auto is_guess_half_way = [](double decades) {
    const double fine = 1e-3 * std::pow(10, -decades);
    return InterpolateEnvelope({{1e-3, 1}, {fine, 16}}, std::sqrt(1e-3 * fine)).IsGuess();
  };
  EXPECT_FALSE(is_guess_half_way(1.49));
  EXPECT_TRUE(is_guess_half_way(1.51));
}

TEST(TimeAtError, IsAtMostThatOfTheLineToACellWhoseErrorIsOnlyBounded) {
  const std::vector<ErrorTimePoint> envelope = {{1e-2, 1}, {1e-6, 16, nullptr, true}};
  for (const auto& [error, seconds] : {std::pair{1e-4, 4.}, {1e-6, 16.}}) {
    const TimeAtError time = InterpolateEnvelope(envelope, error);
    EXPECT_EQ(time.kind, TimeAtError::Kind::kAtMost) << error;
    EXPECT_NEAR(time.seconds, seconds, 1e-12) << error;
  }
  EXPECT_EQ(InterpolateEnvelope(envelope, 1e-2).kind, TimeAtError::Kind::kReached);
  EXPECT_EQ(FormatTime(InterpolateEnvelope(envelope, 1e-4)), "≲ 4.0 s") << "a bound and a guess";
}

TEST(TimeRatio, IsUndecidedByAGuessOnlyWhereTheRoundsAloneWouldDecide) {
  const auto ratio = [](double low, double high, bool has_guess) {
    return TimeRatio{has_guess ? TimeRatio::Kind::kGuess : TimeRatio::Kind::kExact, low,
                     RatioSpread{{low, high}, 8}, has_guess};
  };
  EXPECT_EQ(ratio(1.5, 1.6, true).WhyUndecided(),
            "a time is a guess (≈), which may be off by a factor of 2");
  EXPECT_EQ(ratio(1.5, 1.6, true).Verdict(), Verdict::kUndecided);
  EXPECT_EQ(ratio(1.5, 1.6, false).WhyUndecided(), "") << "slower";
  EXPECT_EQ(ratio(2.5, 2.6, true).WhyUndecided(), "") << "slower beyond the factor";
  EXPECT_EQ(ratio(0.9, 1.2, true).WhyUndecided(), "") << "the rounds scatter";
}

// What is at most a guess is not at most its value.
TEST(TimeRatio, OfABoundAndAGuessHasItsOwnMarkAndKind) {
  const auto envelope = LowerEnvelope({{1e-2, 1}, {1e-3, 2}, {1e-6, 16}});
  const TimeAtError bound = InterpolateEnvelope(envelope, 1.),
                    guess = InterpolateEnvelope(envelope, 1e-5),
                    cell = InterpolateEnvelope(envelope, 1e-3);
  EXPECT_EQ(RatioOf(bound, cell)->Mark(), "≤ ");
  EXPECT_EQ(RatioOf(bound, cell)->Name(), "at most");
  EXPECT_EQ(RatioOf(bound, guess)->Mark(), "≲ ");
  EXPECT_EQ(RatioOf(bound, guess)->Name(), "at most, guess");
  EXPECT_EQ(RatioOf(guess, bound)->Mark(), "≳ ");
  EXPECT_EQ(RatioOf(guess, cell)->Mark(), "≈ ");
}

// Points [error, seconds] of a line.
void ExpectLine(const std::vector<ErrorTimePoint>& line,
                const std::vector<std::pair<double, double>>& expected) {
  ASSERT_EQ(line.size(), expected.size());
  for (std::size_t i = 0; i < line.size(); ++i) {
    EXPECT_NEAR(line[i].error, expected[i].first, 1e-12 * expected[i].first) << i;
    EXPECT_NEAR(line[i].seconds, expected[i].second, 1e-12 * expected[i].second) << i;
  }
}

TEST(LeastTimes, ChangeCurvesAtACrossingAndSkipSlowerCells) {
  // log2 of the times rises from 0 to 4 and from 1 to 3: they cross half way
  ExpectLine(LeastTimes({{{1e-2, 1}, {1e-6, 16}}, {{1e-2, 2}, {1e-6, 8}}}),
             {{1e-2, 1}, {1e-4, 4}, {1e-6, 8}});
  // At 1e-4 the first has 4 s: the second's cell of 5 s is not on the line, though no cell beats it.
  ExpectLine(LeastTimes({{{1e-2, 1}, {1e-6, 16}}, {{1e-4, 5}}}), {{1e-2, 1}, {1e-6, 16}});
}

TEST(LeastTimes, ContinueOnTheNextCurveWhereOneEnds) {
  // at 1e-4 the second has 2 * 16^(1/2) = 8 s
  ExpectLine(LeastTimes({{{1e-2, 1}, {1e-4, 4}}, {{1e-2, 2}, {1e-6, 32}}}),
             {{1e-2, 1}, {1e-4, 4}, {1e-4, 8}, {1e-6, 32}});
}

TEST(LeastTimes, AreConstantWhereTheLeastIsABound) {
  // the second's coarsest cell of 2 s is below the first from 1e-3 on
  ExpectLine(LeastTimes({{{1e-2, 1}, {1e-6, 16}}, {{1e-4, 2}, {1e-5, 3}}}),
             {{1e-2, 1}, {1e-3, 2}, {1e-4, 2}, {1e-5, 3}, {1e-5, 8}, {1e-6, 16}});
}

TEST(LeastTimes, StartAtTheMoreAccurateOfTwoCellsOfEqualTime) {
  const std::vector<ErrorTimePoint> coarse = {{1e-3, 1}, {1e-6, 8}}, fine = {{1e-5, 1}};
  for (const auto& envelopes : {std::vector{coarse, fine}, std::vector{fine, coarse}})
    ExpectLine(LeastTimes(envelopes), {{1e-5, 1}, {1e-5, 4}, {1e-6, 8}});
}

TEST(LeastTimes, AreTheLeastInterpolatedTimeAtEveryError) {
  const std::vector<std::vector<ErrorTimePoint>> envelopes = {
      {{3e-2, 1.1}, {2e-4, 2.7}, {5e-7, 30}},
      {{7e-3, 1.3}, {1e-8, 9}},
      {{6e-4, 1.9}, {5e-5, 2.1}},
      {{1e-1, 1.05}, {1e-3, 8}, {1e-10, 40}}};
  const std::vector<ErrorTimePoint> line = LeastTimes(envelopes);
  for (int i = 1; i < 900; ++i) {
    const double error = std::pow(10, -1 - 0.01 * i);
    double least = INFINITY;
    for (const auto& envelope : envelopes) {
      const TimeAtError time = InterpolateEnvelope(envelope, error);
      if (time.known()) least = std::min(least, time.seconds);
    }
    EXPECT_NEAR(InterpolateEnvelope(line, error).seconds, least, 1e-9 * least) << error;
  }
  EXPECT_TRUE(LeastTimes({}).empty());
}

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
