// What a steady trial records beyond the one state that it solved for: the steady states that many
// guesses reach, and their branches over the driving speed.
#pragma once

#include "harness/runner/trial.h"

namespace mbsbench {

// Empty where the problem asks for none. Leaves the formulation at the problem's own speed.
std::optional<SteadySurveyRecord> SurveyOf(const PreparedCell& prepared,
                                           AlgebraicFormulation& formulation);

}  // namespace mbsbench
