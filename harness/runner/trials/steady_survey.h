// The further records of a steady trial: the steady states that many guesses reach, and their branches over the driving speed.
#pragma once

#include "harness/runner/cells/trial.h"
#include "methods/steady/algebraic_formulation.h"

namespace mbsbench {

// Empty if the problem requests none. Sets the formulation back to the problem's own speed.
std::optional<SteadySurveyRecord> SurveyOf(const PreparedCell& prepared,
                                           AlgebraicFormulation& formulation);

}  // namespace mbsbench
