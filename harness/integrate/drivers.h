// One driver per family of integrators; integrate.cc chooses among them, nobody else includes this.
#pragma once

#include "harness/integrate/event_locator.h"
#include "harness/integrate/integrate.h"
#include "harness/integrate/step_sampler.h"

namespace mbsbench {

// out = state at t + h, projected onto the invariants where there are any.
using OneStep =
    std::function<Status(double t, std::span<const double> y, double h, std::span<double> out)>;
// Any method of one step; `evaluations` are those of a step.
IntegrationReport RunFixedSteps(OdeFormulation& ode, const OneStep& one_step, int evaluations,
                                const SystemState& state, const IntegrationSettings& settings,
                                const Sampling& sampling);
IntegrationReport RunRk4(OdeFormulation& ode, const SystemState& state,
                         const IntegrationSettings& settings, const Sampling& sampling);
// With the integrator that the formulation brings along.
IntegrationReport RunOwn(OdeFormulation& ode, const SystemState& state,
                         const IntegrationSettings& settings, const Sampling& sampling);
IntegrationReport RunArkode(OdeFormulation& ode, const SystemState& state,
                            const IntegrationSettings& settings, const Sampling& sampling);
IntegrationReport RunCvode(OdeFormulation& ode, const SystemState& state,
                           const IntegrationSettings& settings, const Sampling& sampling);
IntegrationReport RunIda(DaeFormulation& dae, const SystemState& state,
                         const IntegrationSettings& settings, const Sampling& sampling);
// The steady state nearest to the guess that `state` is; a sink gets it at its first sample time.
IntegrationReport RunKinsol(AlgebraicFormulation& formulation, const SystemState& state,
                            const IntegrationSettings& settings, const Sampling& sampling);

// Ok where all values are finite; else not finite, with `what` as what is not.
Status FiniteOr(std::span<const double> values, const char* what);

// Marks a report as stopped at time t by a failed evaluation.
void Stop(const Status& status, double time, IntegrationReport& report);

// Carries out the events found, in their order, at the state y in which they take place. False where
// nothing is to be integrated beyond them: `report` says why.
bool TakePlace(Formulation& formulation, const EventLocator::Found& found, const Sampling& sampling,
               StepSampler& sampler, std::vector<double>& y, IntegrationReport& report);

// Why an integration stops where a step contains an event that side steps cannot reach.
std::string LostEvent(double time);

}  // namespace mbsbench
