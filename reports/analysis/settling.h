// The stability of steady states, and the damped motions that settle on them.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "reports/analysis/cells.h"
#include "reports/analysis/time_at_target.h"

namespace mbsbench::reports {

// "stable", "neutral", "unstable" or "not known"
std::string StabilityText(std::optional<bool> stable, std::optional<bool> neutral);

struct SteadyState {
  std::vector<double> q;  // in the order of the joints of the motion
  std::string stability = {};
};

// A motion relative to its drivers, from the record of a cell, and the steady state on which it lands.
struct SettlingRun {
  const ProblemResults* problem = nullptr;
  const Cell *newton = nullptr, *cell = nullptr;
  std::vector<std::string> joints;
  std::vector<double> scale;  // 1 for angles, L for lengths
  std::vector<double> times;
  std::vector<std::vector<double>> q;  // per time
  std::vector<SteadyState> states;

  std::optional<std::size_t> on = {};   // where it lands, among the states
  std::optional<double> distance = {};  // from the nearest state at the end
  std::optional<double> settled = {};   // [s]

  std::optional<TimeRatio> Ratio() const {
    return on && cell->cpu && newton->cpu ? std::optional(RatioWithSetUp(*cell, *newton))
                                          : std::nullopt;
  }
};

// One for each method; none where Newton's method was not run.
std::vector<SettlingRun> RunsOf(const ProblemResults& problem);

// The time of a whole damped motion that settles over that of Newton's method.
struct SettlingCost {
  std::string problem, method;
  TimeRatio ratio;
};
std::vector<SettlingCost> SettlingCosts(const Comparison& comparison);

}  // namespace mbsbench::reports
