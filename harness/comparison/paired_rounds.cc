#include "harness/comparison/paired_rounds.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mbsbench {

namespace {

constexpr double kBeyond = 1.02, kFewRoundsBeyond = 1.1, kOneRoundBeyond = 2;
constexpr double kAlikeWithin = 1.05, kNoisy = 1.1;
constexpr int kFewestForAlike = 3;
constexpr double kOutside = 0.025;  // on each side of an interval

}  // namespace

double Median(std::vector<double> values) {
  if (values.empty()) return NAN;
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

Interval IntervalOfMedian(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  // The number of values below the median is that of heads in n throws of a coin.
  double log_exactly = -std::log(2) * static_cast<double>(n), at_most = std::exp(log_exactly);
  std::size_t left_out = 0;  // on each side
  while (at_most <= kOutside) {
    ++left_out;
    log_exactly += std::log(static_cast<double>(n + 1 - left_out) / static_cast<double>(left_out));
    at_most += std::exp(log_exactly);
  }
  left_out -= left_out > 0 ? 1 : 0;
  return {values[left_out], values[n - 1 - left_out]};
}

const char* NameOf(PairVerdict verdict) {
  constexpr const char* kNames[] = {"faster", "slower", "alike", "open"};
  return kNames[static_cast<std::size_t>(verdict)];
}

bool RatioSpread::IsNoisy() const { return interval.high > kNoisy * interval.low; }

std::vector<double> PairedRatios(const Rounds& time, const Rounds& base) {
  std::vector<double> ratios;
  for (const auto& [round, seconds] : time) {
    const auto other = base.find(round);
    if (other != base.end() && other->second > 0) ratios.push_back(seconds / other->second);
  }
  return ratios;
}

std::optional<RatioSpread> SpreadOf(const std::vector<double>& ratios) {
  if (ratios.empty()) return std::nullopt;
  return RatioSpread{IntervalOfMedian(ratios), static_cast<int>(ratios.size())};
}

PairVerdict Judge(const std::optional<RatioSpread>& spread) {
  if (!spread) return PairVerdict::kOpen;
  const double beyond = spread->rounds == 1                                ? kOneRoundBeyond
                        : spread->IsRange() || spread->is_of_single_rounds ? kFewRoundsBeyond
                                                                           : kBeyond;
  const auto [low, high] = spread->interval;
  if (high < 1 / beyond) return PairVerdict::kFaster;
  if (low > beyond) return PairVerdict::kSlower;
  const bool is_alike = spread->rounds >= kFewestForAlike && !spread->is_of_single_rounds &&
                        low >= 1 / kAlikeWithin && high <= kAlikeWithin;
  return is_alike ? PairVerdict::kAlike : PairVerdict::kOpen;
}

std::string VerdictRule() {
  const auto percent = [](double factor) { return std::lround(100 * (factor - 1)); };
  return fmt::format(
      "faster or slower: the 95 % interval of the ratio lies beyond {} %; with fewer than {} "
      "rounds all of them lie beyond {} %, a single one beyond a factor of {:g}. Alike: the "
      "interval, or all of at least {} rounds, lie within {} %. Open: anything else",
      percent(kBeyond), RatioSpread::kFewestForInterval, percent(kFewRoundsBeyond), kOneRoundBeyond,
      kFewestForAlike, percent(kAlikeWithin));
}

}  // namespace mbsbench
