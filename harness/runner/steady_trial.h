// The trials of a method that gives a steady state instead of a motion.
#pragma once

#include "harness/runner/accuracy_trial.h"

namespace mbsbench {

// What a steady state holds beyond its bodies.
SteadyStateRecord RecordOf(const AlgebraicFormulation& formulation,
                           const IntegrationReport& report);

// The guess from the initial state, Newton's iteration, and its end judged by the certified
// equilibrium. `visit` sees the steady state, its time being NaN.
TrialResult SteadyAccuracyTrial(const PreparedCell& prepared, const SampleVisitor& visit,
                                Detail detail = Detail::kMotion);

}  // namespace mbsbench
