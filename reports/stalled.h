// Curves whose error stops falling while the tolerance, or the step, goes on to fall, at a level that round-off does not
// explain: the method solves another problem, or some iteration of its own stops early.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "reports/cells.h"

namespace mbsbench::reports {

// Errors that differ by less than this factor from the one of the finest cell do not fall any more, where they span so much of
// the tolerance or of the step: what converges falls by a factor of 10 over the tolerances, of 4 and more over the steps. Round-off
// scatters.
inline constexpr double kAlikeErrors = 1.3, kTolerancesAlike = 99, kStepsAlike = 3.9;
// So many times the floor of the problem is above round-off.
inline constexpr double kAboveFloor = 10;

struct StalledCurve {
  std::string problem, method, curve;  // "method:option, rk4"
  std::string from, to;        // settings from which on it does not fall
  double error = 0, floor = 0;
  std::string Sentence() const;
};
std::vector<StalledCurve> StalledCurves(const ProblemResults& problem);
std::vector<StalledCurve> StalledCurves(const Comparison& comparison);

// Of all that a store holds.
std::vector<std::string> StalledCurvesOf(const std::filesystem::path& store);

}  // namespace mbsbench::reports
