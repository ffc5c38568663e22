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

// Equations f(z) = 0 with a sparse Jacobian, as AlgebraicFormulation describes them.
class SparseEquations {
 public:
  virtual ~SparseEquations() = default;
  virtual std::size_t size() const = 0;
  virtual Status Residual(std::span<const double> z, std::span<double> f) = 0;
  virtual const SparsityPattern& pattern() const = 0;
  virtual Status Jacobian(std::span<const double> z, std::span<double> values) = 0;
  virtual void ResidualScale(std::span<const double> z, std::span<double> scale) = 0;
};
IntegrationReport SolveEquations(SparseEquations& equations, std::span<const double> guess,
                                 const SteadySettings& settings = {});

IntegrationReport SolveSteadyState(AlgebraicFormulation& formulation, std::span<const double> guess,
                                   const SteadySettings& settings = {});

}  // namespace mbsbench
