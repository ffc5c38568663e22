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

std::optional<LogLogFit> FitLogLog(const std::vector<double>& x, const std::vector<double>& y) {
  std::vector<double> u, v;
  double from = INFINITY, to = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!FitsLogAxis(x[i]) || !FitsLogAxis(y[i])) continue;
    from = std::min(from, x[i]), to = std::max(to, x[i]);
    u.push_back(std::log(x[i]));
    v.push_back(std::log(y[i]));
  }
  const double n = static_cast<double>(u.size());
  double mean_u = 0, mean_v = 0;
  for (std::size_t i = 0; i < u.size(); ++i) mean_u += u[i] / n, mean_v += v[i] / n;
  double uu = 0, uv = 0;
  for (std::size_t i = 0; i < u.size(); ++i) {
    uu += (u[i] - mean_u) * (u[i] - mean_u);
    uv += (u[i] - mean_u) * (v[i] - mean_v);
  }
  if (u.size() < 2 || uu < 1e-12) return std::nullopt;
  LogLogFit fit{uv / uu, std::nullopt, static_cast<int>(u.size()), from, to, 0};
  std::vector<std::pair<double, double>> sorted;
  for (std::size_t i = 0; i < u.size(); ++i) sorted.emplace_back(u[i], v[i]);
  std::sort(sorted.begin(), sorted.end());
  for (std::size_t i = sorted.size() - 1; i-- > 0;) {
    if (sorted.back().first - sorted[i].first < 1e-12) continue;  // the same x
    fit.last = (sorted.back().second - sorted[i].second) / (sorted.back().first - sorted[i].first);
    break;
  }
  if (u.size() > 2) {
    double residual = 0;
    for (std::size_t i = 0; i < u.size(); ++i) {
      const double r = v[i] - mean_v - fit.slope * (u[i] - mean_u);
      residual += r * r;
    }
    fit.standard_error = std::sqrt(residual / (n - 2) / uu);
  }
  return fit;
}

}  // namespace mbsbench::reports
