// The promises in groups: one function and one source file for each group.
#pragma once

#include "harness/conform/promise.h"

namespace mbsbench {

// Accelerations and reactions of one state, against the reference's equations in 113 bits.
std::vector<Promise> AccelerationPromises();
// Properties of a motion that need no reference: energy, orders, projection, samples.
std::vector<Promise> MotionPromises();
// Methods with their own steps: orders, invariants, and agreement of what they step with what they observe.
std::vector<Promise> OwnStepPromises();
// What the contract demands of functions: no allocation, propagation of NaN, exact Jacobians, batches.
std::vector<Promise> ContractPromises();
// The sentences of refusals, and the whole catalogue.
std::vector<Promise> RefusalPromises();
// The references of problems that state an accuracy, one promise per problem, and the first motion of all others.
std::vector<Promise> ReferencePromises();

}  // namespace mbsbench
