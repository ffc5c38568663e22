// The trial that times: rounds of integrations without an observer.
#pragma once

#include <vector>

#include "harness/runner/trial.h"

namespace mbsbench {

// Prepares once and times that many rounds. A round integrates and does nothing else, again and again until it
// is long enough to be timed: the least CPU time of one integration.
std::vector<TrialResult> TimeTrial(const PreparedCell& prepared, int rounds = 1);
// As one result, so that a process can hand it over, and back; of anything else no rounds.
TrialResult Together(const std::vector<TrialResult>& rounds);
std::vector<TrialResult> RoundsFrom(const TrialResult& together);

}  // namespace mbsbench
