// Solves f(z) = 0 of an algebraic formulation by Newton's method: KINSOL with the formulation's own
// sparse Jacobian, new in every iteration, and KLU.
#pragma once

#include <span>

#include "harness/integrate/integrate.h"
#include "methods/steady/algebraic_formulation.h"

namespace mbsbench {

// Newton stops when every residual is below `tolerance` of its scale at the guess.
IntegrationReport SolveSteadyState(SparseSystem& equations, std::span<const double> guess,
                                   double tolerance = 1e-14);

}  // namespace mbsbench
