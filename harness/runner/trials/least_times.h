// The least time of some work that is repeated in batches.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "harness/control_kernel.h"
#include "harness/runner/cells/wall_clock.h"

namespace mbsbench {

// The cost of reading the clock is significant in shorter batches [s].
inline constexpr double kShortestBatch = 1e-3;

struct LeastTimes {
  double cpu_seconds = INFINITY, wall_seconds = INFINITY;  // of one unit
  std::int64_t units = 0;                                  // total number done
};

// `run(n)` does n units and returns whether they succeeded; the measurement stops after a failure. It takes `seconds` of CPU
// time, and longer until one batch is long enough.
template <class Run>
LeastTimes TimeBatches(double seconds, Run run) {
  LeastTimes least;
  std::int64_t batch = 1;
  const double start = ProcessCpuSeconds();
  for (bool is_ok = true;
       is_ok && (ProcessCpuSeconds() - start < seconds || !std::isfinite(least.cpu_seconds));) {
    const double wall = WallSeconds(), cpu = ProcessCpuSeconds();
    is_ok = run(batch);
    const double cpu_seconds = ProcessCpuSeconds() - cpu, wall_seconds = WallSeconds() - wall;
    least.units += batch;
    if (cpu_seconds < kShortestBatch) {
      batch *= 2;
      continue;
    }
    least.cpu_seconds = std::min(least.cpu_seconds, cpu_seconds / static_cast<double>(batch));
    least.wall_seconds = std::min(least.wall_seconds, wall_seconds / static_cast<double>(batch));
  }
  return least;
}

}  // namespace mbsbench
