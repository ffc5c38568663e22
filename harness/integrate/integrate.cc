#include "harness/integrate/integrate.h"

#include <fmt/format.h>

#include <cmath>

#include "harness/integrate/drivers.h"
#include "problems/model/error.h"

namespace mbsbench {

const std::vector<IntegratorEntry>& AllIntegrators() {
  static const std::vector<IntegratorEntry> integrators{
      {"rk4", "classical Runge-Kutta, fixed step", Form::kOde, true, false, 4, true},
      {"dopri5", "Dormand-Prince 7(4,5), ARKODE", Form::kOde, true, true, 5, true},
      {"fehlberg8", "Fehlberg 13(7,8), ARKODE", Form::kOde, true, true, 8, true},
      {"cvode-adams", "Adams-Moulton of orders 1 to 12, fixed-point iteration, CVODE", Form::kOde,
       false, true, 0, false, "CVODE projects onto constraints with BDF only"},
      {"cvode-bdf", "BDF of orders 1 to 5, Newton with difference quotients, CVODE", Form::kOde,
       false, true, 0, false},
      {"own", "the integrator that the method brings along", Form::kOde, true, true, 0, false},
      {"ida", "variable-order BDF with exact sparse Jacobian and KLU, IDA", Form::kDae, false, true,
       0, false},
      {"kinsol", "Newton with exact sparse Jacobian and KLU, KINSOL", Form::kAlgebraic, false, true,
       0, false},
  };
  return integrators;
}

const IntegratorEntry* FindIntegrator(std::string_view key) {
  for (const IntegratorEntry& entry : AllIntegrators()) {
    if (entry.key == key) return &entry;
  }
  return nullptr;
}

Status FiniteOr(std::span<const double> values, const char* what) {
  for (double value : values) {
    if (!std::isfinite(value)) return {Status::Code::kNotFinite, -1, -1, what};
  }
  return {};
}

void Stop(const Status& status, double time, IntegrationReport& report) {
  const bool singular = status.code == Status::Code::kSingular;
  report.outcome =
      singular ? IntegrationReport::Outcome::kSingular : IntegrationReport::Outcome::kDiverged;
  report.failure = status;
  report.reason = fmt::format("{} at t = {:.9g} s: {}", singular ? "singular" : "not finite", time,
                              status.what);
}

bool TakePlace(Formulation& formulation, const EventLocator::Found& found, const Sampling& sampling,
               StepSampler& sampler, std::vector<double>& y, IntegrationReport& report) {
  for (std::size_t index : found.events) {
    const PastEvent event{found.time, formulation.Apply(index, found.time, y)};
    ++report.counters.events;
    sampler.Event(event.report);
    if (!event.report.status.ok()) {
      Stop(event.report.status, found.time, report);
      return false;
    }
    if (sampling.event_sink) sampling.event_sink(event, y);
    if (event.report.ends) {
      report.ended_by_event = true;
      return false;
    }
  }
  return true;
}

std::string LostEvent(double time) {
  return fmt::format("an event behind t = {:.9g} s cannot be located: the steps to it fail", time);
}

IntegrationReport Integrate(Formulation& formulation, const SystemState& state,
                            const IntegrationSettings& settings, const Sampling& sampling) {
  const IntegratorEntry* entry = FindIntegrator(settings.integrator);
  if (entry == nullptr) throw ModelError("there is no integrator '" + settings.integrator + "'.");
  if (entry->form != formulation.form()) {
    throw ModelError("integrator '" + entry->key + "' does not integrate equations of this form.");
  }
  if ((settings.tolerance > 0) == (settings.step > 0)) {
    throw ModelError("give either a tolerance or a step to integrator '" + entry->key +
                     "', and not both.");
  }
  if (settings.step > 0 && !entry->fixed_step) {
    throw ModelError("integrator '" + entry->key + "' has no fixed step: give a tolerance.");
  }
  if (settings.tolerance > 0 && !entry->adaptive) {
    throw ModelError("integrator '" + entry->key + "' has a fixed step only: give a step.");
  }
  if (formulation.needs_projection() && !entry->no_projection.empty()) {
    throw ModelError("integrator '" + entry->key +
                     "' cannot hold the loops closed: " + entry->no_projection + ".");
  }
  if (formulation.event_count() > 0 && !entry->finds_events) {
    throw ModelError("integrator '" + entry->key +
                     "' does not look for events: use rk4, dopri5 or fehlberg8.");
  }
  // Its form says what the formulation derives from.
  if (entry->form == Form::kAlgebraic) {
    return RunKinsol(static_cast<AlgebraicFormulation&>(formulation), state, settings, sampling);
  }
  if (entry->form == Form::kDae) {
    return RunIda(static_cast<DaeFormulation&>(formulation), state, settings, sampling);
  }
  auto& ode = static_cast<OdeFormulation&>(formulation);
  if (entry->key == "own") return RunOwn(ode, state, settings, sampling);
  if (entry->key == "rk4") return RunRk4(ode, state, settings, sampling);
  if (entry->key == "cvode-adams" || entry->key == "cvode-bdf") {
    return RunCvode(ode, state, settings, sampling);
  }
  return RunArkode(ode, state, settings, sampling);
}

}  // namespace mbsbench
