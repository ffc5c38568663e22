// A motion integrated once, observed and judged.
#pragma once

#include "harness/metrics/accuracy_judge.h"
#include "harness/runner/cells/method_choice.h"

namespace mbsbench {

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
