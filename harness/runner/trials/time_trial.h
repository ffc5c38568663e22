// The timed trial: rounds of integrations without observation.
#pragma once

#include "harness/runner/cells/trial.h"

namespace mbsbench {

// Prepares once and times that many rounds, each a result of its own in `rounds`. A round repeats the integration until it
// is long enough to be timed; it records the least CPU time of one integration.
TrialResult TimeTrial(const PreparedCell& prepared, int rounds = 1);

}  // namespace mbsbench
