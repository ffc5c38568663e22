// Branches of steady states at positions in which closures depend on each other (a governor's arms straight up).
// Newton's matrix is singular at every speed, because the multipliers are not unique, and arclength continuation fails.
// Such a branch does not turn back: the speed is its parameter.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "methods/interface/formulation.h"
#include "methods/steady/algebraic_formulation.h"

namespace mbsbench {

// Newton's method with steps of least norm: the pseudoinverse of the dense matrix by a rank-revealing complete orthogonal
// decomposition. At the formulation's speed. Empty if it does not converge, or if there are too many equations for dense
// algebra.
std::optional<std::vector<double>> SolveSingularSteadyState(AlgebraicFormulation& formulation,
                                                            std::span<const double> guess);

struct SpeedPoint {
  double speed;
  std::vector<double> z;
};
// From the steady state z at `speed` to the speed `to`, both included, in equal steps of speed. Ends early if a coordinate
// would jump by more than `largest_step`.
std::vector<SpeedPoint> FollowSingularBranch(AlgebraicFormulation& formulation,
                                             std::span<const double> z, double speed, double to,
                                             int steps, double largest_step);

}  // namespace mbsbench
