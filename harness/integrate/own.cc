// The integrator that a formulation brings along.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "harness/integrate/drivers.h"
#include "methods/interface/own_integration.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

// The work between two samples by Lobatto's rule over this many equal parts, at states that the
// integrator interpolates: its steps do not show.
constexpr int kPartsPerSample = 8;

// Asks for states in the order of time: those of the samples, and between them those that the work
// takes.
class Samples {
 public:
  Samples(OdeFormulation& ode, OwnAdaptive& own, const Sampling& sampling)
      : ode_(ode),
        own_(own),
        sampling_(sampling),
        with_power_(sampling.integrate_power && ode.has_power()) {}

  // From (t0, y), where they are, to t; y is taken there.
  Status AdvanceTo(double t0, double t, std::span<double> y) {
    if (!with_power_) return own_.AdvanceTo(t, y);
    const double h = (t - t0) / kPartsPerSample, inner = std::sqrt(3.0 / 7) / 2;
    for (int part = 0; part < kPartsPerSample; ++part) {
      const double begin = t0 + part * h;
      double sum = ode_.Power(begin, y) / 20;
      const double last = part + 1 == kPartsPerSample ? t : begin + h;
      for (auto [time, weight] : {std::pair{begin + (0.5 - inner) * h, 49.0 / 180},
                                  {begin + 0.5 * h, 16.0 / 45},
                                  {begin + (0.5 + inner) * h, 49.0 / 180},
                                  {last, 1.0 / 20}}) {
        if (Status s = own_.AdvanceTo(time, y); !s.ok()) return s;
        sum += weight * ode_.Power(time, y);
      }
      work_ += h * sum;
    }
    return {};
  }
  double work() const { return work_; }

 private:
  OdeFormulation& ode_;
  OwnAdaptive& own_;
  const Sampling& sampling_;
  bool with_power_;
  double work_ = 0;
};

IntegrationReport RunAdaptive(OdeFormulation& ode, OwnAdaptive& own, const SystemState& state,
                              const IntegrationSettings& settings, const Sampling& sampling) {
  IntegrationReport report;
  std::vector<double> y(ode.state_size());
  Status status = ode.Initialise(0, state, y);
  if (status.ok()) status = own.Begin(0, y, settings.end_time, settings.tolerance);
  Samples samples(ode, own, sampling);
  const double same_time = 1e-12 * settings.end_time;
  std::vector<double> times;
  if (sampling.sink) times = sampling.times;
  if (times.empty() || times.back() < settings.end_time - same_time)
    times.push_back(settings.end_time);
  for (std::size_t k = 0; k < times.size() && status.ok(); ++k) {
    const double t = std::min(times[k], settings.end_time);
    if (t > report.time_reached) status = samples.AdvanceTo(report.time_reached, t, y);
    if (status.ok())
      status = FiniteOr(y, "the state that the method's own integrator came to is not finite");
    if (!status.ok()) break;
    report.time_reached = t;
    if (k < sampling.times.size() && sampling.sink) sampling.sink(times[k], y, samples.work());
  }
  if (status.code == Status::Code::kNotFinite) {
    Stop(status, report.time_reached, report);
  } else if (!status.ok()) {
    report.outcome = IntegrationReport::Outcome::kIntegratorFailed;
    report.failure = status;
    report.reason = fmt::format("the method's own integrator gave up behind t = {:.9g} s: {}",
                                report.time_reached, status.what);
  }
  const OwnAdaptive::Counters counters = own.counters();
  report.counters.steps = counters.steps;
  report.counters.rejected_steps = counters.rejected_steps;
  report.counters.evaluations = counters.evaluations;
  report.counters.projections = counters.projections;
  report.work = samples.work();
  report.end_state = std::move(y);
  return report;
}

}  // namespace

IntegrationReport RunOwn(OdeFormulation& ode, const SystemState& state,
                         const IntegrationSettings& settings, const Sampling& sampling) {
  if (OwnAdaptive* const own = ode.own_adaptive(); own != nullptr && settings.tolerance > 0)
    return RunAdaptive(ode, *own, state, settings, sampling);
  if (OwnFixedStep* const own = ode.own_fixed_step(); own != nullptr && settings.step > 0) {
    return RunFixedSteps(
        ode,
        [own](double t, std::span<const double> y, double h, std::span<double> out) {
          return own->Step(t, y, h, out);
        },
        own->evaluations_per_step(), state, settings, sampling);
  }
  throw ModelError("the method brings along no integrator that takes " +
                   std::string(settings.step > 0 ? "fixed steps" : "steps to a tolerance") +
                   ": give another --integrator, or " +
                   (settings.step > 0 ? "--tolerance." : "--step."));
}

}  // namespace mbsbench
