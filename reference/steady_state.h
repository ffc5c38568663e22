// Reference equilibria of driven systems, with which steady states are compared.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "problems/model/problem.h"

namespace mbsbench {

struct SteadyReference {
  std::string problem;
  std::string how;                  // equations and arithmetic
  std::string certified_by;         // the second formulation, and its residual
  double error_estimate = 0;        // the larger of Newton's last step and that residual
  std::vector<double> coordinates;  // of all tree joints, as JointState::q; rounded to double
  std::vector<BodyState> bodies;    // all, at the initial phase of the drivers; rounded
};

// The equilibrium near the problem's printed one, from closed equations of the problem in 113 bits;
// empty if none are known, or if the second formulation does not confirm them. `why_not` then gets a
// sentence.
std::optional<SteadyReference> FindSteadyReference(const Problem& problem,
                                                   std::string* why_not = nullptr);

}  // namespace mbsbench
