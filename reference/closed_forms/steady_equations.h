// Closed equations of the catalogue's steady states, in 113 bits: each derived from energy or by
// hand, independent of multibody formulations.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "problems/model/problem.h"
#include "reference/numerics/real.h"

namespace mbsbench::extended {

struct ClosedEquilibrium {
  std::vector<Real> coordinates;  // of all tree joints
  std::string equations;          // what was solved
  int steps = 0;                  // of Newton's iteration
  Real last_step = 0;             // its size [rad or m]
};

// Empty for problems without such equations. Throws ModelError if Newton's method does not converge.
std::optional<ClosedEquilibrium> SolveClosedEquations(const Problem& problem);

}  // namespace mbsbench::extended
