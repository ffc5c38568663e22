#pragma once

#include <vector>

#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

// The initial joint state of a problem: the independent coordinates are prescribed, the dependent
// ones are guesses. A joint is identified by its index in System::joints; its coordinates are
// either all dependent or all independent.
struct InitialCondition {
  JointState joints;
  std::vector<int> dependent_joints;  // empty for trees
};

struct Assembly {
  SystemState state;
  double largest_position_correction = 0;  // of a dependent coordinate [m or rad]
  double largest_velocity_correction = 0;  // [m/s or rad/s]
};

// Closes the loops to round-off by moving the dependent coordinates only (Newton on positions, then
// one linear least-squares solve on velocities). Throws ModelError if Newton's method does not
// converge, if a dependent coordinate changes by more than 1e-3 `length` (or rad), or if no rates
// of the dependent joints keep the loops closed: the initial state is then inconsistent.
Assembly Assemble(const System& system, const InitialCondition& initial, double length);

}  // namespace mbsbench
