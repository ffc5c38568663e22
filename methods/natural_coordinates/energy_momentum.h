// An energy-momentum scheme: the discrete gradients of quadratic constraints are those at q_mid = (q_n + q_1)/2, so that constraints do no
// work over a step; springs have discrete gradients too (discrete_springs.h), other elements act at the middle. With x = q_1 - q_n:
//   v_1 = 2/h x - v_n                                                                             (1)
//   M (v_1 - v_n) = h (F - Phi_q(q_mid)' lambda),   Phi(q_1) = 0                                  (2)
// where the sign of lambda is that of the papers. Velocities are not held to their constraints.
//
// `energy-momentum` solves (2) by Newton's method in x and h^2/(2 m) lambda, which leaves no power of h in the matrix:
//   [ M/m - h^2/(2m) dF/dx + 1/2 sum_k nu_k Phi_k,qq   Phi_q(q_mid)' ]
//   [ Phi_q(q_1)                                       0             ]                            (3)
// `null-space` multiplies the first line of (2) by a basis P' of the kernel of Phi_q(q_mid), from the sparse factors Q R of
// Phi_q(q_mid)', which removes lambda. The derivative of P' times the line is that of Phi_q' nu at its least squares nu.
#pragma once

#include <memory>

#include "methods/natural_coordinates/discrete_springs.h"
#include "methods/natural_coordinates/natural_stepper.h"

namespace mbsbench::natural {

class EnergyMomentum final : public NaturalStepper {
 public:
  EnergyMomentum(const System& system, bool removes_multipliers);

  Status Initialise(double t, const SystemState& state, std::span<double> y) override;
  Status Start(double t, const SystemState& state, const StepControl& control) override;
  // `null-space` has no multipliers.
  HasAlgorithmicReactions* algorithmic_reactions() override {
    return removes_multipliers_ ? nullptr : this;
  }
  // Operations of one factorisation and solution, after a step of `energy-momentum`.
  OperationCount CountFactors() { return matrix_.CountOperations(); }

 private:
  using Sparse = Eigen::SparseMatrix<double>;

  Status MoveOn(double end) override;
  // The first line of (2) times -h/(2 m), without lambda, and its derivative in the matrix.
  void Assemble(const Vector& x, double end);
  // The change of x and nu.
  Status SolveWithMultipliers(Vector& change);
  Status SolveInNullSpace(Vector& change);
  // Phi_q' of the kept rows.
  Sparse GradientsOf(const std::vector<RowValues<double>>& values) const;

  const bool removes_multipliers_;
  const System rest_;
  absolute::AbsoluteForces rest_elements_;
  DiscreteSprings springs_;
  NaturalMatrix matrix_;
  Pivots pivots_ = Pivots::kNewOrder;
  std::vector<absolute::BodyVector> wrenches_;
  std::vector<std::size_t> kept_;  // rows that are not left out
  Vector q_begin_, rates_begin_, residual_, nu_;
  std::vector<RowValues<double>> at_middle_;
};

}  // namespace mbsbench::natural
