// Loops whose constraints are so nearly dependent that methods which square their rows cannot
// detect it.
#pragma once

#include <algorithm>

#include "methods/interface/status.h"
#include "methods/thresholds/thresholds.h"
#include "problems/model/system.h"

namespace mbsbench {

// The thresholds of rows, where the system states that its frames are less exact than doubles.
struct RowAccuracy {
  RowAccuracy() = default;
  explicit RowAccuracy(const System& system) {
    if (!(system.loop_precision > 0)) return;
    const double dependent = kDependentPerPrecision * system.loop_precision;
    is_rounded = true;
    least_independent = std::max(least_independent, dependent);
    entry_known_to = std::max(entry_known_to, dependent);
    least_known = kIndependentPerPrecision / kDependentPerPrecision;
  }

  bool is_rounded = false;
  double least_independent = kThresholds.independent_row;
  double entry_known_to = kThresholds.known_entry;
  double least_known = kThresholds.known_rank;
};

Status NearlyDependentLoops(const RowAccuracy& accuracy);

}  // namespace mbsbench
