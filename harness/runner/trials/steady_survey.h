// The further record of a steady trial: the steady states that many guesses reach.
#pragma once

#include "harness/runner/cells/trial.h"
#include "methods/steady/algebraic_formulation.h"

namespace mbsbench {

// Empty if the problem requests none.
std::optional<SteadySurveyRecord> SurveyOf(const PreparedCell& prepared,
                                           AlgebraicFormulation& formulation);

}  // namespace mbsbench
