#include "harness/bench/statistics.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "harness/comparison/paired_rounds.h"

namespace mbsbench {

double WilcoxonGreater(std::span<const double> differences) {
  // Boost.Math has no signed-rank distribution. This counts all 2^n combinations of signs, with doubled ranks,
  // which are integers even for ties with a mean rank.
  std::vector<double> kept;
  for (double d : differences) {
    if (d != 0) kept.push_back(d);
  }
  std::sort(kept.begin(), kept.end(), [](double a, double b) { return std::abs(a) < std::abs(b); });
  const std::size_t n = kept.size();
  std::vector<double> ways(n * (n + 1) + 1, 0);  // by the sum of twice the positive ranks
  ways[0] = 1;
  std::size_t observed = 0, total = 0;
  for (std::size_t begin = 0, end = 0; begin < n; begin = end) {
    while (end < n && std::abs(kept[end]) == std::abs(kept[begin])) ++end;
    const std::size_t twice_rank = begin + 1 + end;  // first + last rank of the tie
    for (std::size_t i = begin; i < end; ++i) {
      if (kept[i] > 0) observed += twice_rank;
      total += twice_rank;
      for (std::size_t sum = total + 1; sum-- > twice_rank;) ways[sum] += ways[sum - twice_rank];
    }
  }
  const double as_large =
      std::accumulate(ways.begin() + static_cast<std::ptrdiff_t>(observed),
                      ways.begin() + static_cast<std::ptrdiff_t>(total) + 1, 0.);
  return as_large / std::exp2(static_cast<double>(n));
}

double NoiseOfMedianRatio(std::span<const double> times) {
  if (times.size() < 2) return 0;
  std::vector<double> moves;
  for (std::size_t i = 1; i < times.size(); ++i)
    moves.push_back(std::abs(std::log(times[i] / times[i - 1])));
  // For normal deviates: standard deviation = 1.4826 median |deviation|, and the median of n of them
  // has sqrt(pi / 2) times the standard error of their mean.
  constexpr double kDeviation = 1.4826, kMedian = 1.2533;
  return kMedian * kDeviation * Median(moves) / std::sqrt(static_cast<double>(times.size()));
}

std::vector<double> HolmAdjusted(std::span<const double> p) {
  std::vector<std::size_t> order(p.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&p](std::size_t a, std::size_t b) { return p[a] < p[b]; });
  std::vector<double> adjusted(p.size());
  double largest = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, static_cast<double>(p.size() - i) * p[order[i]]);
    adjusted[order[i]] = std::min(1., largest);
  }
  return adjusted;
}

}  // namespace mbsbench
