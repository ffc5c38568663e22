// A promise about systems: a method is tried on each system that it supports, and the worst value counts. A motion is tried by
// judging it.
#pragma once

#include <functional>

#include "harness/conform/promise.h"
#include "harness/conform/systems.h"
#include "harness/metrics/accuracy_judge.h"

namespace mbsbench {

// The fault of a method that reports the reaction of a joint as not unique although it is.
std::string FalselyNotUnique(const std::string& joint);

using Measure = std::function<Deviation(const MethodChoice&, const TriedSystem&)>;

// If the promise is broken, the model of the finding is the smallest one that breaks it in the same way.
Finding TryOnSystems(const MethodChoice& method, const TriedSystems& systems, double bound,
                     const Measure& measure = DeviationOf);

// The finding for a method of steady states, which gives no accelerations; empty for other methods.
std::optional<Finding> WithoutMotion(const MethodChoice& method);
// The same, and for one that owns its step: no tolerance sets its error.
std::optional<Finding> WithoutTolerance(const MethodChoice& method);

// A motion integrated once, observed and judged.
struct JudgedMotion {
  Accuracy accuracy;
  IntegrationReport report;
};

// Integrates from `start` to the problem's end time, with samples at its sample times. A sample that cannot be observed fails the
// motion. `reference` may be null. Throws ModelError if the method cannot prepare the system.
JudgedMotion JudgeMotion(const Problem& problem, const Reference* reference,
                         const SystemState& start, const MethodChoice& method,
                         IntegrationSettings settings);

}  // namespace mbsbench
