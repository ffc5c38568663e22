// Steady states over the driving speed: a branch is followed by pseudo-arclength continuation, around turning points.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "harness/integrate/stability.h"
#include "harness/integrate/steady_state.h"

namespace mbsbench {

struct ContinuationSettings {
  double from = 0, to = 1;  // speeds between which branches are followed
  double length = 1;        // L, by which displacements are scaled [m]
  // Steps in arc length (coordinates, and the speed by the width of the interval): the first, the smallest before
  // the branch ends, and the largest.
  double first_step = 0.01, smallest_step = 1e-6, largest_step = 0.04;
  int most_points = 2000;
};

struct BranchPoint {
  double speed = 0;
  std::vector<double> z;
  Stability stability;
};

struct Branch {
  std::vector<BranchPoint> points;  // in order along the branch
  // Where the speed turns back along the branch, after the point with index `after`.
  struct TurningPoint {
    double speed = 0;
    std::vector<double> z;
    std::size_t after = 0;
  };
  std::vector<TurningPoint> turning_points;
  std::string begins, ends;  // why it was not followed further on either side
};

// Follows the branch through the steady state z at `speed` in both directions. Leaves the formulation at `speed`.
Branch FollowBranch(AlgebraicFormulation& formulation, std::span<const double> z, double speed,
                    const ContinuationSettings& settings);

}  // namespace mbsbench
