// Time at equal error. The cells of a curve give points (error, time). The time to reach an error is read off the lower
// envelope of these points: those that no other point beats in both error and time. Between two neighbours it is linear in
// log(error), log(time). Nothing is extrapolated.
#pragma once

#include <algorithm>
#include <cmath>
#include <optional>
#include <ranges>
#include <string>
#include <vector>

#include "reports/analysis/statistics.h"

namespace mbsbench::reports {

struct Cell;

struct ErrorTimePoint {
  double error = 0;            // > 0
  double seconds = 0;          // > 0
  const Cell* cell = nullptr;  // not owned
  bool is_bound = false;  // the cell has at most this error: the reference judges no smaller one
};

// The points that no other point beats, by falling error and so by rising time. Points that a logarithmic axis cannot show
// (zero, negative, not finite) are left out.
std::vector<ErrorTimePoint> LowerEnvelope(std::vector<ErrorTimePoint> points);

struct TimeAtError {
  enum class Kind {
    kReached,  // between two points, or at one
    kAtMost,   // an upper bound: even the cheapest point is more accurate, or the finer one may be
    kNotReached,   // no point is as accurate
    kNotPlanned,   // likewise, but each curve has a single cell: no finer one was planned
    kNotTimed,     // a point is as accurate, but its time is not measured yet
    kNotRun,       // no point is as accurate so far, but others are still to be run
    kNotJudgeable  // the error is below that of the reference, or of round-off in the data
  };
  Kind kind = Kind::kNotReached;
  double seconds = 0;  // of kReached and kAtMost
  // The two cells between which the time lies, the same cell twice at a cell, and the fraction of the way from the coarse one.
  ErrorTimePoint coarse = {}, fine = {};
  double fraction = 0;
  bool has_rivals = true;  // false: its method is the only one that was run on the problem

  bool known() const { return kind == Kind::kReached || kind == Kind::kAtMost; }
  double SecondsOrInfinity() const { return known() ? seconds : INFINITY; }
  // An unfinished run may still find it.
  bool is_open() const { return kind == Kind::kNotTimed || kind == Kind::kNotRun; }
  bool IsInterpolated() const { return coarse.error > fine.error; }
  double Decades() const;  // of error between the two cells, where it is interpolated
  // Interpolated so far from both cells that a straight line is a guess. A straight line differs from a smooth curve by an
  // amount that grows with the product of the distances [decades] to its two ends.
  bool IsGuess() const;
  static constexpr double kMostDecades =
      1.5;  // between two cells: half way between them is a guess above
  // The time of each round at this error.
  reports::Rounds Rounds() const;
  // Of the cells; empty where no cell is known.
  std::string Integrator() const;
};

// The one with the least time of those that have a known `time`; nullptr without one.
template <std::ranges::forward_range Timed>
auto* LeastTime(Timed&& timed) {
  const auto least = std::ranges::min_element(
      timed, {}, [](const auto& one) { return one.time.SecondsOrInfinity(); });
  return least == std::ranges::end(timed) || !least->time.known() ? nullptr : &*least;
}

TimeAtError InterpolateEnvelope(const std::vector<ErrorTimePoint>& envelope, double error);

// The least time of several envelopes at each error, as a line over all errors: linear in log-log from point to point, by
// falling error. Its points are cells, crossings of two envelopes, and the two ends of a step where one envelope ends and
// the next is slower. The last two kinds have no cell.
std::vector<ErrorTimePoint> LeastTimes(const std::vector<std::vector<ErrorTimePoint>>& envelopes);

// By least squares; needs at least one point.
struct LineFit {
  double slope = 0;
  double residual = 0, spread = 0;  // sums of squares: of y about the line, of x about its mean
};
LineFit FitLine(const std::vector<double>& x, const std::vector<double>& y);

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
