#include "reports/analysis/envelope.h"

#include <algorithm>
#include <cmath>
#include <compare>

#include "reports/analysis/cells.h"

namespace mbsbench::reports {

namespace {

bool FitsLogAxis(double value) { return std::isfinite(value) && value > 0; }

// An envelope between two errors without a cell between them: the logarithms of its times at both.
struct Stretch {
  double from = 0, to = 0;
  auto operator<=>(const Stretch&) const = default;
  double At(double fraction) const { return from + fraction * (to - from); }
};

// The fraction of the way at which `other` falls below `least`; 1 if it does not.
double Crossing(const Stretch& least, const Stretch& other) {
  const double above = other.from - least.from, below = least.to - other.to;
  return below > 0 && above >= 0 ? above / (above + below) : 1;
}

// Adds the points of the least of `stretches` between two errors: first the far end of a step, if the envelope of the last
// point ends, then the crossings.
void AddLeast(const std::vector<Stretch>& stretches, double from, double to,
              std::vector<ErrorTimePoint>& line) {
  if (stretches.empty()) return;
  const Stretch* least = &*std::ranges::min_element(stretches);
  if (line.back().error == from && least->from > std::log(line.back().seconds))
    line.push_back({from, std::exp(least->from)});
  for (;;) {
    const Stretch* next = nullptr;
    double at = 1;
    for (const Stretch& other : stretches) {
      const double crossing = Crossing(*least, other);
      if (crossing < at || (next && crossing == at && other.to < next->to))
        next = &other, at = crossing;
    }
    if (!next) return;
    line.push_back({from * std::pow(to / from, at), std::exp(next->At(at))});
    least = next;
  }
}

}  // namespace

std::vector<ErrorTimePoint> LowerEnvelope(std::vector<ErrorTimePoint> points) {
  std::erase_if(points, [](const ErrorTimePoint& p) {
    return !FitsLogAxis(p.error) || !FitsLogAxis(p.seconds);
  });
  std::ranges::sort(points, {}, [](const auto& p) { return std::pair(p.seconds, p.error); });
  // By rising time, a point is on the envelope if it is more accurate than all previous ones.
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
  const auto reached = at->is_bound ? TimeAtError::Kind::kAtMost : TimeAtError::Kind::kReached;
  if (at->error == error) return {reached, at->seconds, *at, *at, 0};
  if (at == envelope.begin()) return {TimeAtError::Kind::kAtMost, at->seconds, *at, *at, 0};
  const ErrorTimePoint& coarse = *(at - 1);
  const double fraction = std::log(error / coarse.error) / std::log(at->error / coarse.error);
  return {reached, coarse.seconds * std::pow(at->seconds / coarse.seconds, fraction), coarse, *at,
          fraction};
}

std::vector<ErrorTimePoint> LeastTimes(const std::vector<std::vector<ErrorTimePoint>>& envelopes) {
  std::vector<ErrorTimePoint> cells;
  for (const auto& envelope : envelopes)
    cells.insert(cells.end(), envelope.begin(), envelope.end());
  std::ranges::sort(cells, std::ranges::greater(), &ErrorTimePoint::error);
  // Above the error of the quickest cell all times are bounds.
  const auto quickest = std::ranges::min_element(
      cells, {}, [](const ErrorTimePoint& one) { return std::pair(one.seconds, one.error); });
  std::vector<ErrorTimePoint> line;
  for (auto cell = quickest; cell != cells.end(); ++cell) {
    if (cell != quickest && cell->error == (cell - 1)->error) continue;
    const double error = cell->error;
    std::vector<TimeAtError> times;
    for (const auto& envelope : envelopes) times.push_back(InterpolateEnvelope(envelope, error));
    const TimeAtError& least =
        *std::ranges::min_element(times, {}, &TimeAtError::SecondsOrInfinity);
    if (least.coarse.error == error) line.push_back(least.coarse);
    const auto next = std::find_if(
        cell, cells.end(), [error](const ErrorTimePoint& other) { return other.error < error; });
    if (next == cells.end()) break;
    std::vector<Stretch> stretches;
    for (std::size_t i = 0; i < envelopes.size(); ++i) {
      const TimeAtError to = InterpolateEnvelope(envelopes[i], next->error);
      if (to.known()) stretches.push_back({std::log(times[i].seconds), std::log(to.seconds)});
    }
    AddLeast(stretches, error, next->error, line);
  }
  return line;
}

double TimeAtError::Decades() const { return std::log10(coarse.error / fine.error); }

bool TimeAtError::IsGuess() const {
  const double to_coarse = fraction * Decades(), to_fine = (1 - fraction) * Decades();
  return to_coarse * to_fine > kMostDecades / 2 * (kMostDecades / 2);
}

std::string TimeAtError::Integrator() const { return fine.cell ? fine.cell->integrator : ""; }

Rounds TimeAtError::Rounds() const {
  reports::Rounds rounds;
  if (!coarse.cell || !fine.cell) return rounds;
  for (const auto& [round, seconds] : coarse.cell->rounds) {
    const auto other = fine.cell->rounds.find(round);
    if (other == fine.cell->rounds.end() || seconds <= 0 || other->second <= 0) continue;
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
