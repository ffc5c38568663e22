// The trial that judges: one integration, each of its samples observed.
#pragma once

#include <functional>

#include "harness/runner/trial.h"

namespace mbsbench {

// Integrates once, observing and judging every sample. `visit` sees each sample as well, in `detail` at
// least.
// `start`: what is known of the initial state; null: it is judged first.
using SampleVisitor = std::function<void(double time, const Observation& observation)>;
struct JudgedStart;
TrialResult AccuracyTrial(const PreparedCell& prepared, const SampleVisitor& visit = {},
                          const JudgedStart* start = nullptr, Detail detail = Detail::kMotion);

}  // namespace mbsbench
