#include "reports/envelope.h"

#include <algorithm>
#include <cmath>

namespace mbsbench::reports {

namespace {

bool FitsLogAxis(double value) { return std::isfinite(value) && value > 0; }

}  // namespace

std::vector<ErrorTimePoint> LowerEnvelope(std::vector<ErrorTimePoint> points) {
  std::erase_if(points, [](const ErrorTimePoint& p) {
    return !FitsLogAxis(p.error) || !FitsLogAxis(p.seconds);
  });
  std::sort(points.begin(), points.end(), [](const ErrorTimePoint& a, const ErrorTimePoint& b) {
    return a.seconds != b.seconds ? a.seconds < b.seconds : a.error < b.error;
  });
  // by rising time a point is on the envelope when it is more accurate than all before it
  std::vector<ErrorTimePoint> envelope;
  for (const ErrorTimePoint& point : points) {
    if (envelope.empty() || point.error < envelope.back().error) envelope.push_back(point);
  }
  return envelope;
}

TimeAtError InterpolateEnvelope(const std::vector<ErrorTimePoint>& envelope, double error) {
  const auto at =
      std::find_if(envelope.begin(), envelope.end(),
                   [error](const ErrorTimePoint& point) { return point.error <= error; });
  if (at == envelope.end()) return {};
  if (at->error == error)
    return {TimeAtError::Kind::kReached, at->seconds, at->rounds, at->rounds, 0};
  if (at == envelope.begin())
    return {TimeAtError::Kind::kAtMost, at->seconds, at->rounds, at->rounds, 0};
  const ErrorTimePoint& coarse = *(at - 1);
  const double fraction = std::log(error / coarse.error) / std::log(at->error / coarse.error);
  return {TimeAtError::Kind::kReached,
          coarse.seconds * std::pow(at->seconds / coarse.seconds, fraction), coarse.rounds,
          at->rounds, fraction};
}

Rounds TimeAtError::Rounds() const {
  reports::Rounds rounds;
  if (!coarse || !fine) return rounds;
  for (const auto& [round, seconds] : *coarse) {
    const auto other = fine->find(round);
    if (other == fine->end() || seconds <= 0 || other->second <= 0) continue;
    rounds[round] = seconds * std::pow(other->second / seconds, fraction);
  }
  return rounds;
}

LineFit FitLine(const std::vector<double>& x, const std::vector<double>& y) {
  const auto n = static_cast<double>(x.size());
  double mean_x = 0, mean_y = 0, xy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mean_x += x[i] / n, mean_y += y[i] / n;
  LineFit fit;
  for (std::size_t i = 0; i < x.size(); ++i) {
    fit.spread += (x[i] - mean_x) * (x[i] - mean_x);
    xy += (x[i] - mean_x) * (y[i] - mean_y);
  }
  fit.slope = xy / fit.spread;
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double r = y[i] - mean_y - fit.slope * (x[i] - mean_x);
    fit.residual += r * r;
  }
  return fit;
}

std::optional<LogLogFit> FitLogLog(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> u, v;
  double from = INFINITY, to = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!FitsLogAxis(x[i]) || !FitsLogAxis(y[i])) continue;
    from = std::min(from, x[i]), to = std::max(to, x[i]);
    u.push_back(std::log(x[i]));
    v.push_back(std::log(y[i]));
  }
  const LineFit line = FitLine(u, v);
  if (u.size() < 2 || line.spread < 1e-12) return std::nullopt;
  LogLogFit fit{line.slope, std::nullopt, static_cast<int>(u.size()), from, to, 0};
  std::vector<std::pair<double, double>> sorted;
  for (std::size_t i = 0; i < u.size(); ++i) sorted.emplace_back(u[i], v[i]);
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = sorted.size() - 1; i-- > 0;) {
    if (sorted.back().first - sorted[i].first < 1e-12) continue;  // the same x
    fit.last = (sorted.back().second - sorted[i].second) / (sorted.back().first - sorted[i].first);
    break;
  }
  if (u.size() > 2)
    fit.standard_error = std::sqrt(line.residual / static_cast<double>(u.size() - 2) / line.spread);
  return fit;
}

}  // namespace mbsbench::reports
