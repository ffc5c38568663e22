// Statistics of paired times, robust against the outliers of shared machines.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace mbsbench {

double Median(std::span<const double> values);

// Wilcoxon's signed-rank test, one-sided: how likely differences that are symmetric about zero
// would have ranks as much in favour of positive ones as these. Exact, ties with their middle ranks;
// zeros are left out.
double WilcoxonGreater(std::span<const double> differences);

// The interval that holds 95 % of the medians of resampled values (percentile bootstrap).
struct Interval {
  double low = 0, high = 0;
};
Interval BootstrapMedian(std::span<const double> values, std::uint64_t seed);

// How far the median of as many ratios of equal times strays from one (its standard error), by the
// ratios of `times` to their predecessors: those of a thing to itself.
double NoiseOfMedianRatio(std::span<const double> times);

// Holm's step-down adjustment of p values for their number.
std::vector<double> HolmAdjusted(std::span<const double> p);

}  // namespace mbsbench
