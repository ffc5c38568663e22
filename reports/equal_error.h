// What each method costs at equal error, and who is fastest.
#pragma once

#include <string>
#include <vector>

#include "reports/cells.h"

namespace mbsbench::reports {

inline constexpr double kErrorLevels[] = {1e-3, 1e-6, 1e-9};

// Of one method at one error: its best integrator.
struct BestTime {
  std::string method, integrator;
  TimeAtError time;
};

// Of all curves of `method` (of those with `integrator`, unless empty).
BestTime BestOfMethod(const ProblemResults& problem, const std::string& method,
                      const std::string& integrator, double error);

// Of all methods that the problem has cells of, in the order of the comparison.
std::vector<BestTime> BestOfEachMethod(const Comparison& comparison, const ProblemResults& problem,
                                       const std::string& integrator, double error);

// The least time in a list; nullptr when nobody reached the error.
const BestTime* Fastest(const std::vector<BestTime>& times);

// Whether any cell of a problem has an error: without a reference nothing can be compared at equal
// error.
bool IsJudged(const ProblemResults& problem);

// "12.3 ms", "≤ 12.3 ms", "not reached"
std::string FormatTime(const TimeAtError& time);

std::string FormatRatio(double ratio);  // three digits

// time / base, marked as a bound where one of the two is; "-" where it would say nothing.
std::string FormatRatio(const TimeAtError& time, const TimeAtError& base);

}  // namespace mbsbench::reports
