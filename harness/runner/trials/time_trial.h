// The timed trial: a round of integrations without observation.
#pragma once

#include "harness/runner/cells/trial.h"

namespace mbsbench {

// Repeats the integration, from other last places of the initial state each time (InOtherLastPlaces), until the round is long enough to be timed, and records the least CPU time of one integration.
TrialResult TimeTrial(const PreparedCell& prepared);

}  // namespace mbsbench
