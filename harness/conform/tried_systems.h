// A promise about systems: a method is tried on each system that it supports, and the worst value counts.
#pragma once

#include <functional>

#include "harness/conform/promise.h"
#include "harness/conform/systems.h"

namespace mbsbench {

// The fault of a method that reports the reaction of a joint as not unique although it is.
std::string FalselyNotUnique(const std::string& joint);

using Measure = std::function<Deviation(const MethodChoice&, const TriedSystem&)>;

// If the promise is broken, the model of the finding is the smallest one that breaks it in the same way.
Finding TryOnSystems(const MethodChoice& method, const TriedSystems& systems, double bound,
                     const Measure& measure = DeviationOf);

// The finding for a method of steady states, which gives no accelerations; empty for other methods.
std::optional<Finding> WithoutMotion(const MethodChoice& method);

}  // namespace mbsbench
