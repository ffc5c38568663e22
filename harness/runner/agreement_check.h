// The agreement check of a problem compares the accelerations of every method and of the reference in 113 bits, each computed
// in its own process.
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

// The methods whose accelerations are compared: the evaluated ones, without methods for steady states.
std::vector<MethodChoice> ComparedMethods(const PlannedProblem& problem);

// No child of the supervisor may be running. `seconds`: of all processes together.
TrialResult CheckAgreement(const PlannedProblem& problem, const AgreementRequest& request,
                           Supervisor& supervisor, double& seconds);

}  // namespace mbsbench
