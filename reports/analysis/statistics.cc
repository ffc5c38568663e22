#include "reports/analysis/statistics.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <random>

#include "reports/analysis/equal_error.h"

namespace mbsbench::reports {

namespace {

constexpr double kAlike = 1.02, kFewRoundsBeyond = 1.1, kOneRoundBeyond = 2, kNoisy = 1.1;
constexpr int kResamples = 1000;
constexpr unsigned kSeed = 1;

// Sorts the values, of which there is at least one.
double MedianInPlace(std::vector<double>& values) {
  std::sort(values.begin(), values.end());
  const std::size_t n = values.size();
  return n % 2 == 1 ? values[n / 2] : (values[n / 2 - 1] + values[n / 2]) / 2;
}

}  // namespace

double Median(std::vector<double> values) { return values.empty() ? NAN : MedianInPlace(values); }

double Quantile(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const std::size_t below = static_cast<std::size_t>(at),
                    above = std::min(below + 1, sorted.size() - 1);
  const double fraction = at - static_cast<double>(below);
  return fraction == 0 ? sorted[below]  // its neighbour may be infinite
                       : sorted[below] + fraction * (sorted[above] - sorted[below]);
}

Interval Middle95(std::vector<double> statistics) {
  std::sort(statistics.begin(), statistics.end());
  const auto at = [&statistics](double share) {
    return statistics[static_cast<std::size_t>(
        std::lround(share * static_cast<double>(statistics.size() - 1)))];
  };
  return {at(0.025), at(0.975)};
}

Interval BootstrapMedian(const std::vector<double>& values) {
  std::mt19937 random(kSeed);
  std::uniform_int_distribution<std::size_t> any(0, values.size() - 1);
  std::vector<double> medians(kResamples), sample(values.size());
  for (double& median : medians) {
    for (double& value : sample) value = values[any(random)];
    median = MedianInPlace(sample);
  }
  return Middle95(std::move(medians));
}

const char* NameOf(Verdict verdict) {
  switch (verdict) {
    case Verdict::kFaster: return "faster";
    case Verdict::kSlower: return "slower";
    case Verdict::kAlike: return "alike";
    case Verdict::kUndecided: return "undecided";
  }
  return "";
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
  RatioSpread spread{{}, static_cast<int>(ratios.size())};
  if (spread.IsRange()) {
    const auto [least, most] = std::minmax_element(ratios.begin(), ratios.end());
    spread.interval = {*least, *most};
    return spread;
  }
  spread.interval = BootstrapMedian(ratios);
  return spread;
}

Verdict Judge(const std::optional<RatioSpread>& spread) {
  if (!spread) return Verdict::kUndecided;
  const bool is_first_view = spread->IsRange() || spread->is_of_single_rounds;
  const double beyond = spread->rounds == 1 ? kOneRoundBeyond
                        : is_first_view     ? kFewRoundsBeyond
                                            : kAlike;
  const auto [low, high] = spread->interval;
  if (high < 1 / beyond) return Verdict::kFaster;
  if (low > beyond) return Verdict::kSlower;
  if (!is_first_view && low >= 1 / kAlike && high <= kAlike) return Verdict::kAlike;
  return Verdict::kUndecided;
}

std::string VerdictRule() {
  const auto percent = [](double factor) { return std::lround(100 * (factor - 1)); };
  return fmt::format(
      "faster or slower: the 95 % interval of the ratio lies beyond {0} %; alike: it lies within "
      "{0} %; undecided: anything else. Below {1} paired rounds the range of the rounds is shown, "
      "and it has to lie beyond {2} %. A single round decides beyond a factor of {3:g}. Where a "
      "time is a guess (≈), the interval is first widened by a factor of {4:g} at both ends",
      percent(kAlike), RatioSpread::kFewestForInterval, percent(kFewRoundsBeyond), kOneRoundBeyond,
      kGuessFactor);
}

bool ExcludesFaster(const RatioSpread& spread) {
  return !spread.IsRange() && !spread.is_of_single_rounds && spread.interval.low > 1 / kAlike;
}

std::string Describe(const std::optional<RatioSpread>& spread) {
  if (!spread) return "no paired round";
  if (spread->rounds == 1) return "1 round";
  return fmt::format("{} to {}, {} rounds{}", FormatRatio(spread->interval.low),
                     FormatRatio(spread->interval.high), spread->rounds,
                     spread->IsNoisy() ? ", noisy" : "");
}

}  // namespace mbsbench::reports
