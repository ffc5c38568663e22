// What a steady trial records beyond the one state that it solved for: the steady states that many
// guesses reach, and their branches over the driving speed.
#pragma once

#include "harness/runner/trial.h"

namespace mbsbench {

// {"equilibria": ..., "branches": ...} as DOCUMENTS.md has them, for a problem with a steady survey;
// null where nothing is asked for. Leaves the formulation at the problem's own speed.
Json SurveyDocument(const PreparedCell& prepared, AlgebraicFormulation& formulation);

}  // namespace mbsbench
