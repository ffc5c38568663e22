// The trial that judges accuracy: one integration with all samples observed.
#pragma once

#include <functional>

#include "harness/runner/cells/trial.h"

namespace mbsbench {

// Integrates once, observing and judging every sample. `visit` receives each sample, observed in `detail` at least; `follow` the
// bodies at the end of each step, because samples of one phase of an oscillation do not tell its turns. `start`: the verdict on the
// initial state; null: it is judged first.
using SampleVisitor = std::function<void(double time, const Observation& observation)>;
using StepVisitor = std::function<void(double time, const std::vector<BodyState>& bodies)>;
struct JudgedStart;
TrialResult AccuracyTrial(const PreparedCell& prepared, const SampleVisitor& visit = {},
                          const JudgedStart* start = nullptr, Detail detail = Detail::kMotion,
                          const StepVisitor& follow = {});

}  // namespace mbsbench
