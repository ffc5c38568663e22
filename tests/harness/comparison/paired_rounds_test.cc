// Medians, and the rule by which a ratio of two times is judged.
#include "harness/comparison/paired_rounds.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>
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

// The ranks of the table of every textbook, such as Conover, Practical Nonparametric Statistics, section 3.2.
TEST(IntervalOfMedian, HoldsTheMedianWithNinetyFivePercentFromSixValuesOn) {
  const auto ranks = [](int n) {
    std::vector<double> values(static_cast<std::size_t>(n));
    std::iota(values.rbegin(), values.rend(), 1);
    const Interval interval = IntervalOfMedian(values);
    return std::pair(interval.low, interval.high);
  };
  EXPECT_EQ(ranks(1), std::pair(1., 1.));
  EXPECT_EQ(ranks(5), std::pair(1., 5.)) << "the range";
  EXPECT_EQ(ranks(6), std::pair(1., 6.));
  EXPECT_EQ(ranks(8), std::pair(1., 8.));
  EXPECT_EQ(ranks(9), std::pair(2., 8.));
  EXPECT_EQ(ranks(12), std::pair(3., 10.));
  EXPECT_EQ(ranks(20), std::pair(6., 15.));
  EXPECT_EQ(ranks(30), std::pair(10., 21.));
  EXPECT_EQ(ranks(2000), std::pair(956., 1045.)) << "1000.5 +- 1.96 sqrt(500), outwards";
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

// Rounds on a machine that others use too: its speed drifts from round to round and is common to all; every time has scatter of
// its own, and some are hit by a spike.
class SharedMachine {
 public:
  SharedMachine(unsigned seed, double scatter, double spikes)
      : random_(seed), scatter_(scatter), spikes_(spikes) {}

  // Further rounds of two methods, of which the first is slower by a factor.
  void Run(int rounds, double factor) {
    for (int i = 0; i < rounds; ++i) {
      drift_ = 0.8 * drift_ + 0.05 * normal_(random_);
      const RoundKey round(1e-6, static_cast<int>(time.size()));
      time[round] = factor * Second();
      base[round] = Second();
    }
  }
  std::optional<RatioSpread> Spread() const { return SpreadOf(PairedRatios(time, base)); }

  Rounds time, base;

 private:
  double Second() {
    const double usual = std::exp(drift_ + scatter_ * normal_(random_));
    return uniform_(random_) < spikes_ ? usual * (1.05 + 0.45 * uniform_(random_)) : usual;
  }

  std::mt19937 random_;
  std::normal_distribution<double> normal_{0, 1};
  std::uniform_real_distribution<double> uniform_{0, 1};
  double scatter_, spikes_, drift_ = 0;
};

// The looks of a run: further rounds as long as the verdict is open.
PairVerdict AfterLooks(SharedMachine machine, double factor) {
  int done = 0;
  for (const int rounds : {3, 6, 12, 20}) {
    machine.Run(rounds - done, factor);
    done = rounds;
    if (const PairVerdict verdict = Judge(machine.Spread()); verdict != PairVerdict::kOpen)
      return verdict;
  }
  return PairVerdict::kOpen;
}

bool IsUnequal(PairVerdict verdict) {
  return verdict == PairVerdict::kFaster || verdict == PairVerdict::kSlower;
}

// The scatter of a machine with little, and with much, other work.
constexpr double kQuiet = 0.01, kBusy = 0.05, kFewSpikes = 0.05, kManySpikes = 0.15;

// Of 2,000 seeds 96 % have such an interval and 98 % the verdict; these ten have both.
TEST(Controls, ADelayOfTenPercentIsSlowerAndHeldByTheIntervalOfTwelveRounds) {
  for (unsigned seed = 20; seed < 30; ++seed) {
    SharedMachine machine(seed, kQuiet, kFewSpikes);
    machine.Run(12, 1.1);
    const std::optional<RatioSpread> spread = machine.Spread();
    EXPECT_EQ(Judge(spread), PairVerdict::kSlower) << "seed " << seed;
    EXPECT_LE(spread->interval.low, 1.1) << "seed " << seed;
    EXPECT_GE(spread->interval.high, 1.1) << "seed " << seed;
  }
}

TEST(Controls, TheIntervalHoldsADelayInNinetyFivePercentOfRunsHoweverTheTimesScatter) {
  constexpr int kRuns = 2000;
  const auto count = [](double scatter, double spikes, int least_slower) {
    int held = 0, slower = 0, faster = 0;
    for (unsigned seed = 0; seed < kRuns; ++seed) {
      SharedMachine machine(seed, scatter, spikes);
      machine.Run(12, 1.1);
      const RatioSpread spread = *machine.Spread();
      held += spread.interval.low <= 1.1 && spread.interval.high >= 1.1;
      slower += Judge(spread) == PairVerdict::kSlower;
      faster += Judge(spread) == PairVerdict::kFaster;
    }
    EXPECT_GE(held, 0.95 * kRuns);
    EXPECT_GE(slower, least_slower);
    EXPECT_EQ(faster, 0);
  };
  count(kQuiet, kFewSpikes, 1900);  // measured: 1923 hold it, 1965 are slower
  count(kBusy, kManySpikes, 800);   // measured: 1918 and 939; the others are open
}

TEST(Controls, TwoCopiesOfAMethodAreNotCalledUnequal) {
  for (unsigned seed = 0; seed < 20; ++seed)
    EXPECT_FALSE(IsUnequal(AfterLooks({seed, kQuiet, kFewSpikes}, 1))) << "seed " << seed;
  constexpr int kRuns = 2000;
  int quiet = 0, busy = 0;
  for (unsigned seed = 0; seed < kRuns; ++seed) {
    quiet += IsUnequal(AfterLooks({seed, kQuiet, kFewSpikes}, 1));
    busy += IsUnequal(AfterLooks({seed, kBusy, kManySpikes}, 1));
  }
  EXPECT_LE(quiet, 2);            // measured: none
  EXPECT_LE(busy, 0.05 * kRuns);  // measured: 62
}

}  // namespace
}  // namespace mbsbench
