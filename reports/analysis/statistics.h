// Quantiles and fits. Medians, intervals and the rule of verdicts are in harness/comparison/paired_rounds.h.
#pragma once

#include <optional>
#include <vector>

namespace mbsbench::reports {

// The quantile of ascending values, linear between neighbours; 0 <= q <= 1.
double Quantile(const std::vector<double>& sorted, double q);

// Fit of log y = slope log x + c by least squares; empty with fewer than two different x.
struct LogLogFit {
  double slope = 0;
  std::optional<double> standard_error;  // of the slope; none with two points
  int points = 0;
  double from = 0, to = 0;  // x
  double last = 0;          // slope between the two largest x
};
std::optional<LogLogFit> FitLogLog(const std::vector<double>& x, const std::vector<double>& y);

}  // namespace mbsbench::reports
