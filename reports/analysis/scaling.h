// The growth of cost with the number of bodies, within one family of problems.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/analysis/cells.h"
#include "reports/analysis/statistics.h"

namespace mbsbench::reports {

struct ScalingPoint {
  const ProblemResults* problem = nullptr;
  std::string method, of;
  double bodies = 0;
  // A step: CPU seconds per step, since runs of different sizes have different end times and steps. An evaluation:
  // nanoseconds per body. Accelerations at random states: their error against 113 bits, not always known.
  std::optional<double> value = {};
  const Cell* cell = nullptr;                // of a step
  const Trial* trial = nullptr;              // of an evaluation
  MethodAgreementRecord accelerations = {};  // the reason included where there is no error
  std::string family = "";                   // as of FamilyScaling
};
struct ScalingCurve {
  std::string method, of;  // the integrator, or what was evaluated
  std::string bench;       // one machine and one build
  std::string name = {};
  std::vector<ScalingPoint> points = {};  // by bodies
  std::optional<LogLogFit> fit = {};      // of a cost: slope 0 of one per body is linear cost

  double Range() const { return points.back().bodies / points.front().bodies; }
};

struct FamilyScaling {
  std::string family;  // "family"; "family:loops=10" where members differ in more than their bodies
  std::string stem;    // unique among families, for files and anchors
  // Without a point where the method has no right digit, of steps and evaluations.
  std::vector<ScalingCurve> steps, evaluations, errors;
};

// Families with at least so many sizes, in the order of the store.
std::vector<FamilyScaling> Scaling(const Comparison& comparison, std::size_t fewest_sizes = 2);

// Nothing is fitted over fewer sizes or a narrower range: 6 to 24 bodies say nothing about 10,000.
inline constexpr int kFewestSizes = 3;
inline constexpr double kLeastRange = 10;  // largest over smallest size

// "1.02 ± 0.01 (5 sizes)", "no power law: 1.12 ± 0.57 (6 sizes)"; "-" without a fit
std::string FormatSlope(const std::optional<LogLogFit>& fit);

}  // namespace mbsbench::reports
