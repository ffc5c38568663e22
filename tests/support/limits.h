// Limits of processes in tests. Sanitizers make them slower and larger.
#pragma once

#include "harness/runner/process/supervisor.h"
#include "tests/support/sanitized.h"

namespace mbsbench {

inline constexpr double kTimesSlower = kIsSanitized ? 5 : 1;
inline constexpr std::int64_t kTimesLarger = kIsSanitized ? 4 : 1;

constexpr ProcessLimits TestLimits(double seconds, std::int64_t megabytes) {
  return {kTimesSlower * seconds, kTimesLarger * (megabytes << 20)};
}

}  // namespace mbsbench
