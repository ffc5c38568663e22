// The cost of damped motions that settle on a steady state, the conventional way to it.
#pragma once

#include <string>
#include <vector>

#include "reports/analysis/time_at_target.h"

namespace mbsbench::reports {

// The time of a whole damped motion that settles over that of Newton's method, each with its set-up.
struct SettlingCost {
  std::string problem, method;
  TimeRatio ratio;
};
// One for each method on each problem where Newton's method was run, too.
std::vector<SettlingCost> SettlingCosts(const Comparison& comparison);

}  // namespace mbsbench::reports
