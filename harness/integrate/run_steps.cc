#include <fmt/format.h>

#include <optional>

#include "harness/integrate/dense_output.h"
#include "harness/integrate/event_locator.h"
#include "harness/integrate/sampler.h"
#include "harness/integrate/steppers.h"
#include "problems/model/all_finite.h"

namespace mbsbench {

namespace {

using Outcome = IntegrationReport::Outcome;

constexpr double kSameTime = 1e-12;  // of the end time

void Fail(Outcome outcome, std::string reason, IntegrationReport& report) {
  report.outcome = outcome;
  report.reason = std::move(reason);
}

// Applies the events in their order to the state y at their time. Returns false if the integration ends there;
// `report` holds the reason.
bool ApplyEvents(HasEvents& events, const EventLocator::Found& found, const Sampling& sampling,
                 Sampler& sampler, std::vector<double>& y, IntegrationReport& report) {
  for (std::size_t index : found.events) {
    const EventSink& sink = sampling.event_sink;
    if (sink.before) sampler.Apart([&] { sink.before(found.time, y); });
    const PastEvent event{found.time, events.Apply(index, found.time, y)};
    ++report.counters.events;
    if (!event.report.status.ok()) {
      Stop(event.report.status, found.time, report);
      return false;
    }
    double work = 0;
    if (sink.after) sampler.Apart([&] { work = sink.after(event, y); });
    sampler.Event(work);
    if (event.report.ends) return false;
  }
  return true;
}

}  // namespace

void RunSteps(TimeStepper& stepper, Formulation& formulation, const SystemState& state,
              const IntegrationSettings& settings, const Sampling& sampling, int dense_order,
              IntegrationReport& report) {
  const double end = settings.end_time;
  if (settings.step > 0 && end / settings.step > static_cast<double>(settings.step_limit)) {
    return Fail(Outcome::kIntegratorFailed,
                fmt::format("steps of {:g} s to {:g} s are more than the limit of {}",
                            settings.step, end, settings.step_limit),
                report);
  }
  const std::int64_t inner_iterations = formulation.inner_iterations();
  const StepControl control{settings.step, settings.tolerance, end, settings.length, settings.time};
  if (const Status s = stepper.Start(0, state, control); !s.ok()) {
    report.end_state.assign(formulation.state_size(), 0);
    return Stop(s, 0, report);
  }

  Interpolates* const own = stepper.interpolation();
  std::optional<DenseOutput> between;
  if (own == nullptr && formulation.form() == Form::kOde)
    between.emplace(static_cast<OdeFormulation&>(formulation), dense_order);
  Sampler sampler(formulation, sampling, end, [&](double t, std::span<double> y) -> Status {
    if (own != nullptr) return own->Interpolate(t, y);
    if (between) return between->At(t, y);
    return {Status::Code::kStepFailed, -1, -1, "its steps have no dense output"};
  });
  HasEvents* const events = formulation.events();
  EventLocator locator(events, stepper.side_steps());
  const bool looks_back = locator.active() || (between && sampler.active());
  sampler.Start(0, stepper.y());
  locator.Start(0, stepper.y());

  const std::vector<double>& breaks = settings.break_points;
  std::size_t next_break = 0;
  std::vector<double> y0, restart;  // at the start of a step; after an event or a break point
  for (std::int64_t steps = 0; stepper.time() < end; ++steps) {
    const double t0 = stepper.time();
    if (steps == settings.step_limit) {
      Fail(Outcome::kIntegratorFailed,
           fmt::format("{} steps did not reach the end: t = {:.9g} of {:.9g} s", steps, t0, end),
           report);
      break;
    }
    if (looks_back) y0.assign(stepper.y().begin(), stepper.y().end());
    const bool ends_on_break = settings.tolerance > 0 && next_break < breaks.size();
    const double limit = ends_on_break ? breaks[next_break] : end;
    const StepReport step = stepper.Step(limit);
    if (!step.status.ok()) {
      Stop(step.status, stepper.time(), report);
      break;
    }
    report.time_reached = stepper.time();
    if (step.error_estimate > report.largest_error_estimate.value_or(0))
      report.largest_error_estimate = step.error_estimate;
    if (!AllFinite(stepper.y())) {
      Fail(Outcome::kDiverged,
           fmt::format("the state is not finite at t = {:.9g} s", stepper.time()), report);
      break;
    }
    const EventLocator::Found& found = locator.Find(t0, y0, stepper.time(), stepper.y());
    if (found.failed) {
      report.time_reached = t0;
      Fail(Outcome::kDiverged,
           fmt::format("an event after t = {:.9g} s cannot be located: the steps to it fail", t0),
           report);
      break;
    }
    const bool happens = !found.events.empty();
    if (happens) report.time_reached = found.time;
    if (sampler.active()) {
      const std::span<const double> y1 = happens ? locator.state() : stepper.y();
      if (between) between->SetStep(t0, y0, report.time_reached, y1);
      sampler.Step(report.time_reached, y1);
    }
    if (!happens) {
      const double same_time = kSameTime * end;
      if (ends_on_break && stepper.time() >= limit) {
        restart.assign(stepper.y().begin(), stepper.y().end());
        stepper.Restart(limit, restart);
        restart.clear();
      }
      for (; next_break < breaks.size() && breaks[next_break] <= stepper.time() + same_time;
           ++next_break) {
        if (settings.step > 0 && breaks[next_break] < stepper.time() - same_time)
          report.break_points_inside_steps.push_back(breaks[next_break]);
      }
      continue;
    }
    restart.assign(locator.state().begin(), locator.state().end());
    if (!ApplyEvents(*events, found, sampling, sampler, restart, report)) break;
    stepper.Restart(found.time, restart);
    locator.Start(found.time, restart);
    restart.clear();
  }
  const std::int64_t event_count = report.counters.events;
  report.counters = stepper.counters();
  report.counters.events = event_count;
  report.counters.inner_iterations =
      formulation.inner_iterations() - inner_iterations - sampler.inner_iterations();
  report.work = sampler.work();
  report.uninterpolated = sampler.failure();
  report.end_state.assign(stepper.y().begin(), stepper.y().end());
  if (!restart.empty()) report.end_state = std::move(restart);
}

}  // namespace mbsbench
