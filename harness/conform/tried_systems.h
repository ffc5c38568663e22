// A promise about systems: a method is tried on each system that it takes, and the worst value counts.
#pragma once

#include <functional>

#include "harness/conform/promise.h"
#include "harness/conform/systems.h"

namespace mbsbench {

using Measure = std::function<Deviation(const MethodChoice&, const TriedSystem&)>;

// Where it is broken, the model is the smallest one that breaks it in the same way.
Finding TryOnSystems(const MethodChoice& method, const TriedSystems& systems, double bound,
                     const Measure& measure = DeviationOf);

// Of a method of steady states, which has no accelerations to give; empty of others.
std::optional<Finding> WithoutMotion(const MethodChoice& method);

}  // namespace mbsbench
