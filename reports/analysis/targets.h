// The time of each method at the targets of the store. A target is a problem and an error that it allows. Targets depend on the
// problems and the plan alone, so removing a method changes nothing for the others.
#pragma once

#include <optional>
#include <ranges>
#include <string>
#include <vector>

#include "reports/analysis/time_at_target.h"

namespace mbsbench::reports {

struct Target {
  const ProblemResults* problem = nullptr;
  double error = 0;
  // Bodies x end time / T, which normalises a time per body and characteristic time. For a system that grows: the sum of the
  // seconds that each body has moved at the end, over T.
  double unit_seconds = 0;
  std::vector<BestTime> times;  // as BestOfEachMethod gives them
  bool IsReached() const;
};

// A system whose bodies change in number at events, as its most accurate cell recorded them. Empty where no cell did.
struct ChangingBodies {
  double first = 0, last = 0;  // bodies
  double body_seconds =
      0;  // bodies times the seconds that they move, until the end that was reached
};
std::optional<ChangingBodies> ChangingBodiesOf(const ProblemResults& problem);

// The times of the variants of a family of methods.
inline auto TimesOfFamily(const Target& target, const std::string& family) {
  return target.times | std::views::filter([&family](const BestTime& one) {
           return MethodKey(one.method) == family;
         });
}

// The targets of all problems on which a motion was judged that are in the store and that problem and reference allow.
std::vector<Target> Targets(const Comparison& comparison);

// Whether no method reached it, but cells that are still to be run may do so.
bool IsOpenForAll(const Target& target);

}  // namespace mbsbench::reports
