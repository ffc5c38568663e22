// What both papers on the transfer matrix method print of large systems, and when it counts as met: for
// the table of claims and for the figures beside it.
#pragma once

#include <string>

#include "reports/cells.h"

namespace mbsbench::reports::large_systems {

inline constexpr const char* kRiccati = "riccati-mstmm";
inline constexpr const char* kRival =
    "cartesian-dae";  // what general-purpose codes such as ADAMS do

// How many times less time theirs took than ADAMS.
struct PrintedFactor {
  const char* problem;
  double factor;
};
inline constexpr PrintedFactor kBranch{"branchN:bodies=500", 36};  // Sect. 5.2; their N = 999
inline constexpr PrintedFactor kMixed{"mixed250", 238 / 6.52};     // Conclusion: seconds of both

inline constexpr const char* kFamily = "branchN";  // of which the cost is told by size
inline constexpr double kSlopeTolerance = 0.1;

// A line through two points says nothing of growth.
template <typename ScalingCurve>
bool IsJudged(const ScalingCurve& curve) {
  constexpr int kSizesForSlope = 3;
  return MethodKey(curve.method) == kRiccati && curve.fit && curve.fit->points >= kSizesForSlope;
}

// The claims are of at most so much growth: less is no fault.
inline bool GrowsAtMost(double slope, double claimed) { return slope <= claimed + kSlopeTolerance; }

inline constexpr double kManyFreedoms = 100'000;  // degrees of freedom that they computed

// The degrees of freedom of a problem that has as many; else nothing.
inline std::optional<double> ManyFreedoms(const ProblemResults& problem) {
  const auto freedoms = Number(problem.document, "degrees_of_freedom");
  return freedoms && *freedoms > kManyFreedoms ? freedoms : std::nullopt;
}

}  // namespace mbsbench::reports::large_systems
