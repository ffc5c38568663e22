// Trials of accelerations at single states, by a method and by the reference, and a single observation.
#pragma once

#include <cstdint>

#include "harness/runner/cells/trial.h"
#include "methods/interface/solved_condition.h"

namespace mbsbench {

// Accelerations by this method at the initial state and at `random_states` random ones (seeded):
// an AccelerationsRecord.
TrialResult AccelerationTrial(const PreparedCell& prepared, int random_states, std::uint64_t seed);

// Such a trial by the reference's equations in 113 bits, for the problem alone.
TrialResult ReferenceAccelerationTrial(const Problem& problem, int random_states,
                                       std::uint64_t seed);

// Accelerations and reactions at one state. Throws EvaluationFailed, naming the joint or body, if the method fails.
// `condition` receives the condition of the solved equations.
Observation ObserveAt(const PreparedCell& prepared, const SystemState& state, Detail detail,
                      SolvedCondition* condition = nullptr);
// ObserveAt for the initial state of a large system, which the method may use as its own meanwhile. Afterwards the motion of the
// bodies is empty, in the observation and in `prepared`.
Observation ObserveInitialStateInPlace(PreparedCell& prepared, Detail detail);

}  // namespace mbsbench
