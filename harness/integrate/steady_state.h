// Solves f(z) = 0 of an algebraic formulation by Newton's method: KINSOL with the formulation's own
// sparse Jacobian, new in every iteration, and KLU.
#pragma once

#include <span>
#include <vector>

#include "harness/integrate/integrate.h"
#include "methods/steady/algebraic_formulation.h"

namespace mbsbench {

struct SteadySettings {
  // Newton stops when every residual is below this part of its scale at the guess.
  double tolerance = 1e-14;
  // Quadratic convergence takes less than ten; straight chains far from equilibrium a dozen.
  int iteration_limit = 60;
};

IntegrationReport SolveSteadyState(SparseSystem& equations, std::span<const double> guess,
                                   const SteadySettings& settings = {});

}  // namespace mbsbench
