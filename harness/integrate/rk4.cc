// Fixed steps, and the classical Runge-Kutta method with which the papers ran them.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/integrate/drivers.h"
#include "harness/integrate/event_locator.h"
#include "harness/integrate/step_sampler.h"

namespace mbsbench {

namespace {

class Rk4 {
 public:
  explicit Rk4(OdeFormulation& ode) : ode_(ode) {}

  // out = state at t + h, projected onto the invariants.
  Status Step(double t, std::span<const double> y, double h, std::span<double> out) {
    if (y.size() != n_) Resize(y.size());
    if (Status s = ode_.Evaluate(t, y, k_); !s.ok()) return s;
    for (std::size_t i = 0; i < n_; ++i) {
      sum_[i] = k_[i];
      stage_[i] = y[i] + h / 2 * k_[i];
    }
    if (Status s = ode_.Evaluate(t + h / 2, stage_, k_); !s.ok()) return s;
    for (std::size_t i = 0; i < n_; ++i) {
      sum_[i] += 2 * k_[i];
      stage_[i] = y[i] + h / 2 * k_[i];
    }
    if (Status s = ode_.Evaluate(t + h / 2, stage_, k_); !s.ok()) return s;
    for (std::size_t i = 0; i < n_; ++i) {
      sum_[i] += 2 * k_[i];
      stage_[i] = y[i] + h * k_[i];
    }
    if (Status s = ode_.Evaluate(t + h, stage_, k_); !s.ok()) return s;
    for (std::size_t i = 0; i < n_; ++i) out[i] = y[i] + h / 6 * (sum_[i] + k_[i]);
    return ode_.has_projection() ? ode_.Project(t + h, out) : Status{};
  }

 private:
  // At first, and behind an event that changed the size of the state.
  void Resize(std::size_t n) {
    n_ = n;
    stage_.resize(n);
    k_.resize(n);
    sum_.resize(n);
  }

  OdeFormulation& ode_;
  std::size_t n_ = 0;
  std::vector<double> stage_, k_, sum_;
};

bool AllFinite(std::span<const double> y) {
  return std::all_of(y.begin(), y.end(), [](double v) { return std::isfinite(v); });
}

}  // namespace

IntegrationReport RunRk4(OdeFormulation& ode, const SystemState& state,
                         const IntegrationSettings& settings, const Sampling& sampling) {
  Rk4 rk4(ode);
  return RunFixedSteps(
      ode,
      [&rk4](double t, std::span<const double> y, double h, std::span<double> out) {
        return rk4.Step(t, y, h, out);
      },
      4, state, settings, sampling);
}

IntegrationReport RunFixedSteps(OdeFormulation& ode, const OneStep& one_step,
                                int evaluations_per_step, const SystemState& state,
                                const IntegrationSettings& settings, const Sampling& sampling) {
  IntegrationReport report;
  std::vector<double> y(ode.state_size()), next(ode.state_size());
  const auto stop = [&](IntegrationReport::Outcome outcome, std::string reason) {
    report.outcome = outcome;
    report.reason = std::move(reason);
    report.end_state = y;
    return report;
  };
  const auto stop_at = [&](const Status& status, double time) {
    Stop(status, time, report);
    report.end_state = y;
    return report;
  };
  if (Status s = ode.Initialise(0, state, y); !s.ok()) return stop_at(s, 0);

  StepSampler sampler(
      ode, sampling, settings.end_time,
      [&one_step](double t, std::span<const double> from, double h, std::span<double> out) {
        if (!one_step(t, from, h, out).ok()) std::fill(out.begin(), out.end(), NAN);
      });
  sampler.Start(0, y);
  EventLocator locator(
      ode, [&](double t, std::span<const double> from, double length, std::span<double> out) {
        report.counters.evaluations += evaluations_per_step;
        return one_step(t, from, length, out).ok();
      });
  locator.Start(0, y);

  const double h = settings.step, end = settings.end_time;
  // Steps are counted, not summed; a remainder of less than a rounding error is no step.
  const double exact = end / h;
  const auto full = static_cast<std::int64_t>(std::floor(exact * (1 + 1e-12)));
  const bool remainder = exact - static_cast<double>(full) > 1e-9;
  const std::int64_t total = full + (remainder ? 1 : 0);
  if (total > settings.step_limit) {
    return stop(IntegrationReport::Outcome::kIntegratorFailed,
                fmt::format("{} steps of {:g} s are more than the limit of {}", total, h,
                            settings.step_limit));
  }
  for (std::int64_t k = 0; k < total; ++k) {
    double t0 = static_cast<double>(k) * h;
    const double t1 = k + 1 == total ? end : static_cast<double>(k + 1) * h;
    // Behind an event within the step, what is left of it; the grid stays as it is.
    while (t0 < t1) {
      const Status status = one_step(t0, y, t1 - t0, next);
      report.counters.evaluations += evaluations_per_step;
      if (!status.ok()) return stop_at(status, t0);
      if (!AllFinite(next)) {
        return stop(IntegrationReport::Outcome::kDiverged,
                    fmt::format("the state is not finite after the step from t = {:.9g} s", t0));
      }
      ++report.counters.steps;
      if (ode.has_projection()) ++report.counters.projections;
      const EventLocator::Found& found = locator.Find(t0, y, t1, next);
      if (found.failed) return stop(IntegrationReport::Outcome::kDiverged, LostEvent(t0));
      if (found.events.empty()) {
        sampler.Step(t0, y, t1, next);
        y.swap(next);
        report.time_reached = t0 = t1;
        continue;
      }
      sampler.Step(t0, y, found.time, locator.state());
      y.assign(locator.state().begin(), locator.state().end());
      report.time_reached = t0 = found.time;
      if (!TakePlace(ode, found, sampling, sampler, y, report)) {
        report.end_state = y;
        report.work = sampler.work();
        return report;
      }
      next.resize(y.size());
      locator.Start(t0, y);
    }
  }
  report.end_state = y;
  report.work = sampler.work();
  return report;
}

}  // namespace mbsbench
