#include "reports/analysis/statistics.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace mbsbench::reports {

double Quantile(const std::vector<double>& sorted, double q) {
  const double at = q * static_cast<double>(sorted.size() - 1);
  const std::size_t below = static_cast<std::size_t>(at),
                    above = std::min(below + 1, sorted.size() - 1);
  const double fraction = at - static_cast<double>(below);
  return fraction == 0 ? sorted[below]  // its neighbour may be infinite
                       : sorted[below] + fraction * (sorted[above] - sorted[below]);
}

std::optional<LogLogFit> FitLogLog(const std::vector<double>& x, const std::vector<double>& y) {
  const auto fits_log_axis = [](double value) { return std::isfinite(value) && value > 0; };
  std::vector<double> u, v;
  double from = INFINITY, to = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!fits_log_axis(x[i]) || !fits_log_axis(y[i])) continue;
    from = std::min(from, x[i]), to = std::max(to, x[i]);
    u.push_back(std::log(x[i]));
    v.push_back(std::log(y[i]));
  }
  const auto n = static_cast<double>(u.size());
  double mean_u = 0, mean_v = 0, spread = 0, joint = 0, residual = 0;
  for (std::size_t i = 0; i < u.size(); ++i) mean_u += u[i] / n, mean_v += v[i] / n;
  for (std::size_t i = 0; i < u.size(); ++i) {
    spread += (u[i] - mean_u) * (u[i] - mean_u);
    joint += (u[i] - mean_u) * (v[i] - mean_v);
  }
  if (u.size() < 2 || spread < 1e-12) return std::nullopt;
  LogLogFit fit{joint / spread, std::nullopt, static_cast<int>(u.size()), from, to, 0};
  for (std::size_t i = 0; i < u.size(); ++i) {
    const double r = v[i] - mean_v - fit.slope * (u[i] - mean_u);
    residual += r * r;
  }
  std::vector<std::pair<double, double>> sorted;
  for (std::size_t i = 0; i < u.size(); ++i) sorted.emplace_back(u[i], v[i]);
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = sorted.size() - 1; i-- > 0;) {
    if (sorted.back().first - sorted[i].first < 1e-12) continue;  // the same x
    fit.last = (sorted.back().second - sorted[i].second) / (sorted.back().first - sorted[i].first);
    break;
  }
  if (u.size() > 2)
    fit.standard_error = std::sqrt(residual / static_cast<double>(u.size() - 2) / spread);
  return fit;
}

}  // namespace mbsbench::reports
