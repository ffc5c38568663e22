// The trial that times one evaluation.
#pragma once

#include "harness/runner/cells/evaluated.h"
#include "harness/runner/cells/trial.h"

namespace mbsbench {

TrialResult EvaluationTrial(const PreparedCell& prepared, Evaluated what);

}  // namespace mbsbench
