// The trial that judges accuracy: one integration with all samples observed.
#pragma once

#include <functional>

#include "harness/runner/cells/trial.h"

namespace mbsbench {

// Integrates once, observing and judging every sample. `visit` receives each sample, observed in `detail` at least.
// `start`: the verdict on the initial state; null: it is judged first.
using SampleVisitor = std::function<void(double time, const Observation& observation)>;
struct JudgedStart;
TrialResult AccuracyTrial(const PreparedCell& prepared, const SampleVisitor& visit = {},
                          const JudgedStart* start = nullptr, Detail detail = Detail::kMotion);

}  // namespace mbsbench
