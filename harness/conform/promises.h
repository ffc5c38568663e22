// The promises, by what they are about: one function and one source file for each group.
#pragma once

#include "harness/conform/promise.h"

namespace mbsbench {

// Accelerations and reactions of one state, against the reference's equations in 113 bits.
std::vector<Promise> AccelerationPromises();
// What is known of a motion without a reference: energy, orders, projection, samples.
std::vector<Promise> MotionPromises();
// What the contract asks of functions: no allocation, no number from what is none, exact Jacobians, batches.
std::vector<Promise> ContractPromises();
// Systems that are refused, and the whole catalogue.
std::vector<Promise> RefusalPromises();
// The references of problems that state an accuracy: one promise per problem.
std::vector<Promise> ReferencePromises();

}  // namespace mbsbench
