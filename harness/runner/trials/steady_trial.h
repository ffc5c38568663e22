// Trials of methods for steady states.
#pragma once

#include "harness/runner/trials/accuracy_trial.h"
#include "methods/steady/algebraic_formulation.h"

namespace mbsbench {

// The unknowns, residuals and iterations of a steady state.
SteadyStateRecord RecordOf(const AlgebraicFormulation& formulation,
                           const IntegrationReport& report);

// Solves for the steady state by Newton's iteration from the initial state and judges it by the certified equilibrium. `visit`
// receives the steady state with the time NaN.
TrialResult SteadyAccuracyTrial(const PreparedCell& prepared, const SampleVisitor& visit,
                                Detail detail = Detail::kMotion);

}  // namespace mbsbench
