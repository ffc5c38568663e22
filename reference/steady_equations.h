// Closed equations of the catalogue's steady states, in 113 bits: each from energy or by hand, with
// nothing of what multibody formulations share.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "problems/model/problem.h"
#include "reference/real.h"

namespace mbsbench::extended {

struct ClosedEquilibrium {
  std::vector<Real> coordinates;  // of all tree joints
  std::string equations;          // what was solved
  int steps = 0;                  // of Newton's iteration
  Real last_step = 0;             // its size [rad or m]
};

// Empty for problems without equations of their own. Throws ModelError where Newton does not converge.
std::optional<ClosedEquilibrium> SolveClosedEquations(const Problem& problem);

}  // namespace mbsbench::extended
