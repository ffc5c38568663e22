// The agreement check of a problem: every method's accelerations, and those of the reference in 113 bits, each in a
// process of its own, held against each other.
#pragma once

#include <string>

#include "harness/runner/agreement.h"
#include "harness/runner/plan.h"
#include "harness/runner/supervisor.h"

namespace mbsbench {

struct AgreementRequest {
  ProcessLimits limits;
  std::uint64_t seed = 1;  // of the random states
  std::size_t side_by_side = 1;
};

// The methods that are asked for their accelerations: those evaluated, without the ones of steady states.
std::vector<MethodChoice> AskedForAccelerations(const PlannedProblem& problem);

// No child of the supervisor's may be under way. `seconds`: of all processes together.
TrialResult CheckAgreement(const PlannedProblem& problem, const AgreementRequest& request,
                           Supervisor& supervisor, double& seconds);

}  // namespace mbsbench
