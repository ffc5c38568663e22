// Pseudo-arclength: the speed joins the unknowns, y = (z, omega), and the equation
//
//   t . D (y - y_0) = step,    t the unit secant through the last two points
//
// is added to f. D is the metric: coordinates (displacements by L) and the speed by the interval's width; multipliers have
// no weight. A turning point is where the speed, as a function of arc length, has an
// extremum: the parabola through three points is refined by points of the branch itself.
#include "harness/integrate/continuation.h"

#include <algorithm>
#include <cmath>
#include <optional>

#include "harness/integrate/singular_branch.h"

namespace mbsbench {

namespace {

// f(z, omega) = 0 and the plane normal to the secant. The pattern is the formulation's with one more column and row,
// after z and before the auxiliary unknowns.
class Bordered final : public SparseSystem {
 public:
  Bordered(AlgebraicFormulation& formulation, const ContinuationSettings& settings)
      : formulation_(formulation), n_(formulation.state_size()) {
    const double width = std::abs(settings.to - settings.from);
    const auto names = formulation.unknowns();
    for (std::size_t i = 0; i < n_; ++i) {
      const bool counts = i < formulation.coordinate_count();
      weight_.push_back(!counts ? 0 : names[i].unit == "m" ? 1 / settings.length : 1);
    }
    weight_.push_back(1 / width);
    BuildPattern();
  }

  std::size_t size() const override { return n_ + 1; }
  const SparsityPattern& pattern() const override { return pattern_; }

  // The plane at `step` from `origin` along `direction`, a unit vector of the metric.
  void SetPlane(const std::vector<double>& origin, const std::vector<double>& direction,
                double step) {
    origin_ = origin;
    direction_ = direction;
    step_ = step;
  }
  double Distance(const std::vector<double>& a, const std::vector<double>& b) const {
    double sum = 0;
    for (std::size_t i = 0; i <= n_; ++i) {
      const double d = weight_[i] * (a[i] - b[i]);
      sum += d * d;
    }
    return std::sqrt(sum);
  }
  const std::vector<double>& weight() const { return weight_; }

  Status Residual(std::span<const double> y, std::span<double> f) override {
    formulation_.SetSpeed(y[n_]);
    const Status s = formulation_.Residual(y.first(n_), f.first(n_));
    f[n_] = -step_;
    for (std::size_t i = 0; i <= n_; ++i) {
      f[n_] += direction_[i] * weight_[i] * weight_[i] * (y[i] - origin_[i]);
    }
    return s;
  }

  Status Jacobian(std::span<const double> y, std::span<double> values) override {
    const double speed = y[n_];
    const auto z = y.first(n_);
    // f is a quadratic polynomial in the speed: central differences are exact.
    const double h = std::max(1.0, std::abs(speed));
    std::vector<double> plus(n_), minus(n_);
    formulation_.SetSpeed(speed + h);
    if (const Status s = formulation_.Residual(z, plus); !s.ok()) return s;
    formulation_.SetSpeed(speed - h);
    if (const Status s = formulation_.Residual(z, minus); !s.ok()) return s;
    formulation_.SetSpeed(speed);
    inner_values_.resize(formulation_.pattern().row.size());
    if (const Status s = formulation_.Jacobian(z, inner_values_); !s.ok()) return s;
    for (std::size_t e = 0; e < values.size(); ++e) {
      const Source& from = source_[e];
      const auto i = static_cast<std::size_t>(from.index);
      switch (from.kind) {
        case Source::kInner: values[e] = inner_values_[i]; break;
        case Source::kSpeedColumn: values[e] = (plus[i] - minus[i]) / (2 * h); break;
        case Source::kPlaneRow: values[e] = direction_[i] * weight_[i] * weight_[i]; break;
      }
    }
    return {};
  }

  void ResidualScale(std::span<const double> y, std::span<double> scale) override {
    formulation_.SetSpeed(y[n_]);
    formulation_.ResidualScale(y.first(n_), scale.first(n_));
    scale[n_] = 1;
  }

 private:
  struct Source {
    enum Kind { kInner, kSpeedColumn, kPlaneRow } kind;
    int index;
  };

  void BuildPattern() {
    const SparsityPattern& inner = formulation_.pattern();
    const int n = static_cast<int>(n_);
    const auto shifted = [n](int i) { return i < n ? i : i + 1; };
    const auto put = [this](int row, Source::Kind kind, int index) {
      pattern_.row.push_back(row);
      source_.push_back({kind, index});
    };
    pattern_.column_start = {0};
    const int columns = static_cast<int>(inner.column_start.size()) - 1;
    const auto close = [this] {
      pattern_.column_start.push_back(static_cast<int>(pattern_.row.size()));
    };
    const auto speed_column = [&] {
      for (int r = 0; r < n; ++r) put(r, Source::kSpeedColumn, r);
      put(n, Source::kPlaneRow, n);
      close();
    };
    for (int c = 0; c < columns; ++c) {
      if (c == n) speed_column();
      bool plane_put = c >= n;  // the plane's row stands between those of f and the auxiliary ones
      for (int e = inner.column_start[static_cast<std::size_t>(c)];
           e < inner.column_start[static_cast<std::size_t>(c) + 1]; ++e) {
        const int row = inner.row[static_cast<std::size_t>(e)];
        if (!plane_put && row >= n) {
          put(n, Source::kPlaneRow, c);
          plane_put = true;
        }
        put(shifted(row), Source::kInner, e);
      }
      if (!plane_put) put(n, Source::kPlaneRow, c);
      close();
    }
    if (columns == n) speed_column();
  }

  AlgebraicFormulation& formulation_;
  std::size_t n_;
  std::vector<double> weight_, origin_, direction_, inner_values_;
  double step_ = 0;
  SparsityPattern pattern_;
  std::vector<Source> source_;
};

using Point = std::vector<double>;  // y = (z, omega)

class Follower {
 public:
  Follower(AlgebraicFormulation& formulation, const ContinuationSettings& settings)
      : formulation_(formulation), settings_(settings), bordered_(formulation, settings) {}

  // Points from `start` on, including it; the speed first grows (sign 1) or falls (-1).
  struct Arc {
    std::vector<Point> points;
    std::vector<Branch::TurningPoint> turning_points;
    std::string ends;
  };
  Arc Follow(const Point& start, int sign) {
    Arc arc;
    arc.points = {start};
    const std::size_t last = start.size() - 1;
    const std::optional<Point> next_to_it = PointNextTo(start, sign);
    if (!next_to_it) {
      arc.ends = "Newton does not converge farther on: the branch ends or forks near here";
      return arc;
    }
    Point direction = Direction(start, *next_to_it);
    double step = settings_.first_step;
    while (static_cast<int>(arc.points.size()) < settings_.most_points) {
      const Point& at = arc.points.back();
      const std::optional<Point> next = Correct(at, direction, step);
      if (!next || bordered_.Distance(*next, at) > kLeap * step) {
        step /= 2;
        if (step < settings_.smallest_step) {
          arc.ends = "Newton does not converge farther on: the branch ends or forks near here";
          return arc;
        }
        continue;
      }
      arc.points.push_back(*next);
      const Point& now = arc.points.back();
      direction = Direction(arc.points[arc.points.size() - 2], now);
      FindTurningPoint(arc);
      const double speed = now[last];
      if (speed > std::max(settings_.from, settings_.to) ||
          speed < std::min(settings_.from, settings_.to)) {
        EndAt(speed > std::max(settings_.from, settings_.to)
                  ? std::max(settings_.from, settings_.to)
                  : std::min(settings_.from, settings_.to),
              arc);
        return arc;
      }
      if (arc.points.size() > 10 && bordered_.Distance(now, start) < step / 2) {
        arc.ends = "the branch closes in itself";
        return arc;
      }
      step = std::min(settings_.largest_step, 1.3 * step);
    }
    arc.ends = "the limit of points is reached";
    return arc;
  }

 private:
  static constexpr double kLeap =
      1.5;  // a corrected point farther than this may be on another branch
  static constexpr int kCorrections = 12;

  // A steady state at a speed a little above (sign 1) or below: the first secant.
  std::optional<Point> PointNextTo(const Point& start, int sign) {
    constexpr double kDistance = 1e-4;  // of the interval's width
    const std::size_t n = formulation_.state_size();
    Point point = start;
    point[n] += sign * kDistance / bordered_.weight()[n];
    formulation_.SetSpeed(point[n]);
    const IntegrationReport report =
        SolveSteadyState(formulation_, {start.data(), n}, {.iteration_limit = kCorrections});
    if (!report.ok()) return {};
    std::copy(report.end_state.begin(), report.end_state.end(), point.begin());
    return point;
  }

  std::optional<Point> Correct(const Point& from, const Point& direction, double step) {
    bordered_.SetPlane(from, direction, step);
    Point guess = from;
    for (std::size_t i = 0; i < guess.size(); ++i) guess[i] += step * direction[i];
    const IntegrationReport report =
        SolveSteadyState(bordered_, guess, {.iteration_limit = kCorrections});
    if (!report.ok()) return {};
    return report.end_state;
  }

  Point Direction(const Point& a, const Point& b) const {
    const double length = bordered_.Distance(a, b);
    Point d(a.size());
    for (std::size_t i = 0; i < d.size(); ++i) d[i] = (b[i] - a[i]) / length;
    return d;
  }

  // The last point is moved along the branch to the speed at which it left the interval.
  void EndAt(double speed, Arc& arc) {
    const std::size_t n = formulation_.state_size();
    Point& last = arc.points.back();
    const Point& before = arc.points[arc.points.size() - 2];
    const double part = (speed - before[n]) / (last[n] - before[n]);
    Point guess(n);
    for (std::size_t i = 0; i < n; ++i) guess[i] = before[i] + part * (last[i] - before[i]);
    formulation_.SetSpeed(speed);
    const IntegrationReport report = SolveSteadyState(formulation_, guess);
    if (report.ok()) {
      std::copy(report.end_state.begin(), report.end_state.end(), last.begin());
      last[n] = speed;
    }
    arc.ends = "the interval of speeds ends";
  }

  void FindTurningPoint(Arc& arc) {
    const std::size_t count = arc.points.size();
    if (count < 3) return;
    const std::size_t n = formulation_.state_size();
    const Point &a = arc.points[count - 3], &b = arc.points[count - 2], &c = arc.points[count - 1];
    if ((b[n] - a[n]) * (c[n] - b[n]) >= 0) return;
    // Arc length from b along the secant a-c; parabola, then points of the branch in its place.
    const Point along = Direction(a, c);
    struct Sample {
      double s;
      Point y;
    };
    std::vector<Sample> samples;
    for (const Point* y : {&a, &b, &c}) {
      double s = 0;
      for (std::size_t i = 0; i <= n; ++i) {
        const double w = bordered_.weight()[i];
        s += along[i] * w * w * ((*y)[i] - b[i]);
      }
      samples.push_back({s, *y});
    }
    Sample best = samples[1];
    for (int k = 0; k < 8; ++k) {
      const auto& [s0, y0] = samples[0];
      const auto& [s1, y1] = samples[1];
      const auto& [s2, y2] = samples[2];
      const double d01 = (y1[n] - y0[n]) / (s1 - s0), d12 = (y2[n] - y1[n]) / (s2 - s1);
      const double curvature = (d12 - d01) / (s2 - s0);
      const double s = (s0 + s1) / 2 - d01 / (2 * curvature);
      const double width = s2 - s0;
      if (!std::isfinite(s) || s < s0 || s > s2) break;
      const std::optional<Point> y = Correct(b, along, s);
      if (!y) break;
      const bool settled = std::abs(s - best.s) < 1e-6 * width;
      best = {s, *y};
      if (settled || width < 1e-5) break;
      // The three nearest to the extremum, in order.
      const double reach = std::max(std::abs(s - s1), 1e-3 * width);
      std::vector<Sample> nearer{best};
      for (double at : {s - reach, s + reach}) {
        if (const std::optional<Point> p = Correct(b, along, at)) nearer.push_back({at, *p});
      }
      if (nearer.size() < 3) break;
      std::sort(nearer.begin(), nearer.end(),
                [](const Sample& p, const Sample& q) { return p.s < q.s; });
      samples = std::move(nearer);
    }
    arc.turning_points.push_back({best.y[n], {best.y.begin(), best.y.end() - 1}, count - 2});
  }

  AlgebraicFormulation& formulation_;
  const ContinuationSettings& settings_;
  Bordered bordered_;
};

// For starts from which arclength cannot continue: by the speed alone (singular_branch.h).
void FollowInSpeed(AlgebraicFormulation& formulation, const Point& start,
                   const ContinuationSettings& settings, Follower::Arc& down, Follower::Arc& up) {
  constexpr int kSteps = 100;  // of the whole interval
  const double speed = start.back(), low = std::min(settings.from, settings.to),
               high = std::max(settings.from, settings.to);
  for (Follower::Arc* arc : {&down, &up}) {
    const double to = arc == &down ? low : high;
    const int steps =
        std::max(1, static_cast<int>(std::lround(kSteps * std::abs(to - speed) / (high - low))));
    const std::vector<SpeedPoint> points = FollowSingularBranch(
        formulation, {start.data(), start.size() - 1}, speed, to, steps, settings.largest_step);
    for (std::size_t i = 1; i < points.size(); ++i) {
      arc->points.push_back(points[i].z);
      arc->points.back().push_back(points[i].speed);
    }
    if (points.back().speed == to) arc->ends = "the interval of speeds ends";
  }
}

}  // namespace

Branch FollowBranch(AlgebraicFormulation& formulation, std::span<const double> z, double speed,
                    const ContinuationSettings& settings) {
  Point start(z.begin(), z.end());
  start.push_back(speed);
  Follower follower(formulation, settings);
  Follower::Arc down = follower.Follow(start, -1), up = follower.Follow(start, 1);
  if (down.points.size() == 1 && up.points.size() == 1) {
    FollowInSpeed(formulation, start, settings, down, up);
  }
  Branch branch;
  branch.begins = down.ends;
  branch.ends = up.ends;
  const auto put = [&](const Point& y) {
    BranchPoint point{y.back(), {y.begin(), y.end() - 1}, {}};
    formulation.SetSpeed(point.speed);
    point.stability = StabilityAt(formulation, point.z);
    branch.points.push_back(std::move(point));
  };
  const std::size_t before = down.points.size() - 1;
  for (std::size_t i = down.points.size(); i-- > 1;) put(down.points[i]);
  for (const Point& y : up.points) put(y);
  for (auto t = down.turning_points.rbegin(); t != down.turning_points.rend(); ++t) {
    t->after = before - t->after;
    branch.turning_points.push_back(std::move(*t));
  }
  for (Branch::TurningPoint& t : up.turning_points) {
    t.after += before;
    branch.turning_points.push_back(std::move(t));
  }
  formulation.SetSpeed(speed);
  return branch;
}

}  // namespace mbsbench
