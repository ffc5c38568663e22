#pragma once

#include <vector>

#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

// A joint state as a problem gives it: the independent coordinates are meant, the dependent ones
// are guesses. Joints are named by their index in System::joints; all coordinates of a joint are of
// one kind.
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
// one linear least-squares solve on velocities). Throws ModelError when Newton does not close, or
// when a dependent coordinate has to move by more than 1e-3 `length` (or rad), or when no rates of the
// dependent joints keep the loops closed: the initial state is then not the one that was meant.
Assembly Assemble(const System& system, const InitialCondition& initial, double length);

}  // namespace mbsbench
