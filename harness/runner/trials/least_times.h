// The least time of some work that is repeated.
#pragma once

#include <cmath>
#include <cstdint>

namespace mbsbench {

struct LeastTimes {
  double cpu_seconds = INFINITY, wall_seconds = INFINITY;  // of one unit
  std::int64_t units = 0;                                  // total number done
};

}  // namespace mbsbench
