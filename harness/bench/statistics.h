// Statistics of paired times, robust against the outliers of shared machines.
#pragma once

#include <span>
#include <vector>

namespace mbsbench {

// Wilcoxon's signed-rank test, one-sided: the probability that differences symmetric about zero
// give a positive rank sum at least this large. Exact; ties have their mean rank and zeros are
// omitted.
double WilcoxonGreater(std::span<const double> differences);

// Standard error of the median of that many ratios of equal times, estimated from the ratios of
// `times` to their predecessors.
double NoiseOfMedianRatio(std::span<const double> times);

// Holm's step-down adjustment of p values for multiple tests.
std::vector<double> HolmAdjusted(std::span<const double> p);

}  // namespace mbsbench
