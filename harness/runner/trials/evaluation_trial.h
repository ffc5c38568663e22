// The trial that times one evaluation.
#pragma once

#include <cmath>
#include <cstdint>

#include "harness/runner/cells/trial.h"

namespace mbsbench {

// The least times of some work that is repeated.
struct LeastTimes {
  double cpu_seconds = INFINITY, wall_seconds = INFINITY;  // of one unit
  std::int64_t units = 0;                                  // total number done
};

TrialResult EvaluationTrial(const PreparedCell& prepared, Evaluated what);

}  // namespace mbsbench
