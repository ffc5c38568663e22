// The trials of accelerations at single states, by a method and by the reference; and one observation.
#pragma once

#include <cstdint>

#include "harness/runner/trial.h"
#include "methods/interface/solved_condition.h"

namespace mbsbench {

// Accelerations by this method at the initial state and at `random_states` random ones (seeded):
// the record holds "states", one array of six numbers per body per state, or null with the reason
// in "reasons" where the method cannot evaluate that state; and in "conditions" per state how well
// conditioned is what the method solves there, null where it states none; "condition_of" says what, "order" how many rows the largest matrix has;
// "scatters" per state how far round-off scatters the accelerations, null where that is not measured;
// "start" how far round-off scatters the accelerations of the initial state: { "scatter", "why_not" }.
TrialResult AccelerationTrial(const PreparedCell& prepared, int random_states, std::uint64_t seed);

// The same by the reference's equations in 113 bits, for the problem alone; with "length" and "natural_acceleration", by which
// AccelerationError measures.
TrialResult ReferenceAccelerationTrial(const Problem& problem, int random_states,
                                       std::uint64_t seed);

// Accelerations and reactions at one state. Throws EvaluationFailed naming the joint or body where the method cannot.
// `condition`: where to put how well conditioned is what was solved.
Observation ObserveAt(const PreparedCell& prepared, const SystemState& state, Detail detail,
                      SolvedCondition* condition = nullptr);

}  // namespace mbsbench
