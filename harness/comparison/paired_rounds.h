// Times measured in paired rounds: their ratios, how far these scatter, and the rule by which a ratio is judged. A run asks
// this rule which pairs need further rounds, and a report states its verdicts.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace mbsbench {

// Rounds of one target and number are paired with each other. The target of rounds that belong to none is 0.
using RoundKey = std::pair<double, int>;

// CPU seconds of the timed rounds of a cell.
using Rounds = std::map<RoundKey, double>;

struct Interval {
  double low = 0, high = 0;
};

// The median of an even number of values is the mean of the middle two. Values may be infinite. NaN without a value.
double Median(std::vector<double> values);

// The interval between two of the values that holds the median of their distribution, whatever it is, with 95 % or more. Fewer
// than 6 values have none, and this is their range.
Interval IntervalOfMedian(std::vector<double> values);

enum class PairVerdict { kFaster, kSlower, kAlike, kOpen };
const char* NameOf(PairVerdict verdict);

// The scatter of the ratios of all paired rounds: from 6 rounds on the 95 % interval of their median, below 6 their range. Both
// contain the median.
struct RatioSpread {
  Interval interval;
  int rounds = 0;
  // Each ratio was measured once, on another problem, so that the noise of one measurement is not known.
  bool is_of_single_rounds = false;
  bool IsRange() const { return rounds < kFewestForInterval; }
  bool IsNoisy() const;  // the ends are more than 10 % apart

  static constexpr int kFewestForInterval = 6;
};

// time / base of each round that both have.
std::vector<double> PairedRatios(const Rounds& time, const Rounds& base);

// Empty without a ratio.
std::optional<RatioSpread> SpreadOf(const std::vector<double>& ratios);

// Ratios above this do not depend on the grid of settings: one step of it changes the work of a method of order 1 by less than 2.
inline constexpr double kBeyondTheGrid = 4;

// Faster or slower: the interval lies beyond 2 %; of a range of fewer than 6 rounds, or of ratios measured once: beyond 10 %; of a
// single round: beyond a factor of 2. Alike: the interval, or the range of at least 3 rounds, lies within 5 %. Open: all else.
PairVerdict Judge(const std::optional<RatioSpread>& spread);

// The rule in words.
std::string VerdictRule();

}  // namespace mbsbench
