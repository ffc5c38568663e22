// The agreement check of a problem compares the accelerations of every method and of the reference in 113 bits, each computed
// in its own process.
#pragma once

#include "harness/runner/plan/plan.h"
#include "harness/runner/process/supervisor.h"
#include "harness/runner/trials/agreement.h"

namespace mbsbench {

// The methods whose accelerations are compared: the evaluated ones, without methods for steady states.
std::vector<MethodChoice> ComparedMethods(const PlannedProblem& problem);

// `seed`: of the random states. No child of the supervisor may be running. The seconds are those of all processes together.
ChildEnd CheckAgreement(const PlannedProblem& problem, const ProcessLimits& limits,
                        std::uint64_t seed, Supervisor& supervisor);

}  // namespace mbsbench
