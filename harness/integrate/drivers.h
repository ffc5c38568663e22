// One driver per family of integrators; integrate.cc chooses among them, nobody else includes this.
#pragma once

#include "harness/integrate/integrate.h"

namespace mbsbench {

IntegrationReport RunRk4(OdeFormulation& ode, const SystemState& state,
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

// Marks a report as stopped at time t by a failed evaluation.
void Stop(const Status& status, double time, IntegrationReport& report);

}  // namespace mbsbench
