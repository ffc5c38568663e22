// How cost grows with bodies, within one family of problems.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/cells.h"

namespace mbsbench::reports {

// Cost of one integration step against bodies. Runs of different sizes have different end times and
// step sizes, so their times are divided by their steps.
struct StepCostPoint {
  const ProblemResults* problem = nullptr;
  const Cell* cell = nullptr;
  double bodies = 0, seconds_per_step = 0;
};
struct StepCostCurve {
  std::string method, integrator, name;
  std::string bench;                  // one machine and one build
  std::vector<StepCostPoint> points;  // by bodies
  std::optional<LogLogFit> fit;
};

// Cost of one evaluation per body against bodies.
struct EvaluationPoint {
  const ProblemResults* problem = nullptr;
  const Trial* trial = nullptr;
  double bodies = 0, nanoseconds_per_body = 0;
};
struct EvaluationCurve {
  std::string method, what, name;
  std::string bench;
  std::vector<EvaluationPoint> points;
  std::optional<LogLogFit> fit;  // slope 0: cost per body is constant
};

// Error of one evaluation at random states against 113 bits, against bodies.
struct EvaluationErrorPoint {
  const ProblemResults* problem = nullptr;
  double bodies = 0;
  std::optional<double> error;
  std::string reason;  // where there is none
  // Of what the method solves there, and the rows of its largest matrix; where it states them.
  std::optional<double> condition, order;
  std::string condition_of;  // what that is, or why there is none
};
struct EvaluationErrorCurve {
  std::string method, name;
  std::string bench;
  std::vector<EvaluationErrorPoint> points;  // by bodies
  std::optional<LogLogFit> fit;
};

struct FamilyScaling {
  std::string family;  // "family"; "family:loops=10" where members differ in more than their bodies
  std::string stem;    // its own among families, for files and anchors
  std::vector<StepCostCurve> steps;
  std::vector<EvaluationCurve> evaluations;
  std::vector<EvaluationErrorCurve> errors;
};

// Families with at least two sizes, in the order of the store.
std::vector<FamilyScaling> Scaling(const Comparison& comparison);

// A power law over fewer sizes or a narrower range is none: 6 to 24 bodies say nothing of 10,000.
inline constexpr int kFewestSizes = 3;
inline constexpr double kLeastRange = 10;  // largest over smallest size

// Least squares over the logarithms; empty below the limits above. `x` ascending.
std::optional<LogLogFit> FitPower(const std::vector<double>& x, const std::vector<double>& y);

// "1.02 ± 0.01 (5 sizes)", "no power law: 1.12 ± 0.57 (6 sizes)"; "-" without a fit
std::string FormatSlope(const std::optional<LogLogFit>& fit);

}  // namespace mbsbench::reports
