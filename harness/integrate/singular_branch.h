// Branches of steady states at positions where closures depend on each other (a governor's arms
// straight up): Newton's matrix is singular at every speed, because the multipliers are not unique, and
// arclength has nothing to hold on to. Such a position does not turn back: the speed is its parameter.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "methods/interface/formulation.h"

namespace mbsbench {

// Newton's method by least steps: the pseudoinverse of the dense matrix, its rank revealed by a complete
// orthogonal decomposition. At the formulation's speed; empty where it does not converge, or where the
// equations are too many for dense algebra.
std::optional<std::vector<double>> SolveSingularSteadyState(AlgebraicFormulation& formulation,
                                                            std::span<const double> guess);

struct SpeedPoint {
  double speed;
  std::vector<double> z;
};
// From the steady state z at `speed` to the speed `to`, both included, in equal steps of speed; shorter
// where the position would have to leap by more than `largest_step` (of a coordinate).
std::vector<SpeedPoint> FollowSingularBranch(AlgebraicFormulation& formulation,
                                             std::span<const double> z, double speed, double to,
                                             int steps, double largest_step);

}  // namespace mbsbench
