#include "harness/integrate/integrate.h"

#include <fmt/format.h>

#include "harness/integrate/dense_output.h"
#include "harness/integrate/steppers.h"
#include "harness/records/classical_order.h"
#include "methods/steady/algebraic_formulation.h"
#include "problems/model/all_finite.h"
#include "problems/model/error.h"

namespace mbsbench {

const std::vector<IntegratorEntry>& AllIntegrators() {
  static const std::vector<IntegratorEntry> integrators{
      {"rk4", "classical Runge-Kutta, fixed step", Form::kOde, true, false, ClassicalOrder("rk4")},
      {"dopri5", "Dormand-Prince 7(4,5), ARKODE", Form::kOde, true, true, ClassicalOrder("dopri5")},
      {"fehlberg8", "Fehlberg 13(7,8), ARKODE", Form::kOde, true, true,
       ClassicalOrder("fehlberg8")},
      {"cvode-adams", "Adams-Moulton of orders 1 to 12, fixed-point iteration, CVODE", Form::kOde,
       false, true, 0, "CVODE projects onto constraints with BDF only", true},
      {"cvode-bdf", "BDF of orders 1 to 5, Newton with difference quotients, CVODE", Form::kOde,
       false, true, 0, "", true},
      {"own", "the time steps that the method brings along", Form::kTimeStepper, true, true, 0},
      {"ida", "variable-order BDF with exact sparse Jacobian, in blocks or by KLU, IDA", Form::kDae,
       false, true, 0, "", true},
      {"kinsol", "Newton with exact sparse Jacobian and KLU, KINSOL", Form::kAlgebraic, false, true,
       0},
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
  return AllFinite(values) ? Status{} : Status{Status::Code::kNotFinite, -1, -1, what};
}

std::vector<double> ToleranceScales(const Formulation& formulation, const StepControl& control) {
  // So that multipliers stay out of Newton's norm: with the coordinates' scale IDA fails in its first step on `branch4` at 1e-12.
  constexpr double kOfMultipliers = 1e8;
  std::vector<double> scales(formulation.state_size(), 1.0);
  const std::vector<Dimension> dimensions = formulation.Dimensions();
  for (std::size_t i = 0; i < dimensions.size(); ++i) {
    switch (dimensions[i]) {
      case Dimension::kNumber: break;
      case Dimension::kLength: scales[i] = control.length; break;
      case Dimension::kRate: scales[i] = 1 / control.time; break;
      case Dimension::kSpeed: scales[i] = control.length / control.time; break;
      case Dimension::kMultiplier: scales[i] = kOfMultipliers;
    }
  }
  return scales;
}

void Stop(const Status& status, std::string_view where, IntegrationReport& report) {
  using Outcome = IntegrationReport::Outcome;
  const char* how = "stopped";
  report.outcome = Outcome::kIntegratorFailed;
  switch (status.code) {
    case Status::Code::kSingular: report.outcome = Outcome::kSingular, how = "singular"; break;
    case Status::Code::kNotFinite: report.outcome = Outcome::kDiverged, how = "not finite"; break;
    case Status::Code::kNotConverged:
      report.outcome = Outcome::kNewtonFailed, how = "not converged";
      break;
    case Status::Code::kStepFailed:
    case Status::Code::kOk: break;
  }
  report.failure = status;
  report.reason = fmt::format("{} {}: {}", how, where, status.what);
}

void Stop(const Status& status, double time, IntegrationReport& report) {
  Stop(status, fmt::format("at t = {:.9g} s", time), report);
}

IntegrationReport Integrate(Formulation& formulation, const SystemState& state,
                            const IntegrationSettings& settings, const Sampling& sampling) {
  const IntegratorEntry* entry = FindIntegrator(settings.integrator);
  if (entry == nullptr) throw ModelError("there is no integrator '" + settings.integrator + "'.");
  const bool own = entry->form == Form::kTimeStepper;
  if (own && formulation.time_stepper() == nullptr)
    throw ModelError("the method has no time steps of its own: give another --integrator.");
  const auto refuse_if = [entry](bool refuses, const char* why, const std::string& because = "") {
    if (refuses) throw ModelError("integrator '" + entry->key + "' " + why + because + ".");
  };
  refuse_if(!own && entry->form != formulation.form(), "does not integrate equations of this form");
  if ((settings.tolerance > 0) == (settings.step > 0)) {
    throw ModelError("give either a tolerance or a step to integrator '" + entry->key +
                     "', and not both.");
  }
  refuse_if(settings.step > 0 && !entry->fixed_step, "has no fixed step: give a tolerance");
  refuse_if(settings.tolerance > 0 && !entry->adaptive, "has a fixed step only: give a step");
  Projects* const projection = formulation.projection();
  refuse_if(
      projection != nullptr && projection->needs_projection() && !entry->no_projection.empty(),
      "cannot hold the loops closed: ", entry->no_projection);
  // The form determines the class of the formulation.
  if (entry->form == Form::kAlgebraic) {
    return RunKinsol(static_cast<AlgebraicFormulation&>(formulation), state, settings, sampling);
  }
  IntegrationReport report;
  std::unique_ptr<TimeStepper> made;
  if (entry->form == Form::kDae) {
    made = MakeIda(static_cast<DaeFormulation&>(formulation), settings.iteration_tolerance,
                   report.changed_settings);
  } else if (!own) {
    auto& ode = static_cast<OdeFormulation&>(formulation);
    made = entry->key == "rk4" ? MakeRk4(ode)
           : entry->key.starts_with("cvode-")
               ? MakeCvode(ode, entry->key, settings.iteration_tolerance)
               : MakeArkode(ode, entry->key);
  }
  TimeStepper& stepper = own ? *formulation.time_stepper() : *made;
  refuse_if(formulation.events() != nullptr && stepper.side_steps() == nullptr,
            "does not look for events: use rk4, dopri5 or fehlberg8");
  // An order of the interpolant that leaves the error of the steps visible; engines interpolate by
  // cubics themselves.
  const int dense_order = settings.step > 0 || own ? DenseOutput::kCubic : entry->order + 1;
  RunSteps(stepper, formulation, state, settings, sampling, dense_order, report);
  return report;
}

}  // namespace mbsbench
