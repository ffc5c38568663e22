// Medians, intervals, and the rule by which a ratio of two times is judged.
#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace mbsbench::reports {

// CPU seconds of the timed rounds of a cell, by number. Two cells are compared round by round, rounds of one number with each
// other.
using Rounds = std::map<int, double>;

// Of an even number of values the mean of the middle two. Values may be infinite. NaN without a value.
double Median(std::vector<double> values);

// Of ascending values, linear between neighbours; 0 <= q <= 1.
double Quantile(const std::vector<double>& sorted, double q);

struct Interval {
  double low = 0, high = 0;
};

// The interval that contains the middle 95 % of the statistics of resampled data.
Interval Middle95(std::vector<double> statistics);

// The 95 % interval of the median of at least one value, by resampling the values.
Interval BootstrapMedian(const std::vector<double>& values);

enum class Verdict { kFaster, kSlower, kAlike, kUndecided };
const char* NameOf(Verdict verdict);

// The scatter of the ratios of all paired rounds: from 6 rounds on the 95 % interval of their median by bootstrap, below 6
// their range. Both contain the median.
struct RatioSpread {
  Interval interval;
  int rounds = 0;
  // Of a median over problems: each of its ratios was measured once, so that the noise of one measurement is not known.
  bool is_of_single_rounds = false;
  bool IsRange() const { return rounds < kFewestForInterval; }
  bool IsNoisy() const;  // the ends are more than 10 % apart

  static constexpr int kFewestForInterval = 6;
};

// time / base of each round that both have.
std::vector<double> PairedRatios(const Rounds& time, const Rounds& base);

// Empty without a ratio.
std::optional<RatioSpread> SpreadOf(const std::vector<double>& ratios);

// Faster or slower: the interval lies beyond 2 %. Alike: it lies within 2 %. A range of fewer than 6
// rounds has to lie beyond 10 %, as has an interval of ratios measured once, a single round beyond a factor of 2. Undecided:
// anything else.
Verdict Judge(const std::optional<RatioSpread>& spread);

// The interval of a ratio is widened by this factor at both ends before it is judged, if one or both of its times are guesses
// (TimeAtError::IsGuess). The true ratio lies within this factor, as measured by leaving out cells; the figures are in
// docs/reading_the_report.md.
inline constexpr double kGuessFactor = 2;

// The rule of verdicts in words.
std::string VerdictRule();

// "1.10 to 1.15, 8 rounds", "1.10 to 1.35, 8 rounds, noisy"; "1 round"
std::string Describe(const std::optional<RatioSpread>& spread);

// Whether the interval excludes "faster": it lies wholly above 1 / 1.02. A range of fewer than 6 rounds excludes nothing, nor do
// ratios measured once.
bool ExcludesFaster(const RatioSpread& spread);

}  // namespace mbsbench::reports
