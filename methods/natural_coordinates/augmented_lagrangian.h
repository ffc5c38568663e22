// ALI3-P: the augmented Lagrangian of index 3 by the trapezoidal rule, with projections of velocities and accelerations.
//
// With s = h^2/4, the weight w of the rows relative to the mean mass m, alpha = w m/s, and x = q - q_n:
//   q' = 2/h x - q'_n       q'' = (x - h q'_n)/s - q''_n                                          (1)
//   M q'' - Q - Phi_q' (lambda - alpha Phi) = 0                                                   (2)
// Newton's method with the multipliers of the last step, which it updates in each iteration:
//   W dq = -s (2),   W = P + s Phi_q' alpha Phi_q,   lambda -= alpha Phi                          (3)
//   P = M - h/2 dQ/dq' - s dQ/dq - s sum_k lambda_n,k Phi_k,qq
// Projections with the same factors, `passes` times; e = 0 in the papers, which have one pass:
//   W (v - q') = -s Phi_q' (alpha (Phi_q q' + Phi_t) + e),   e += alpha (Phi_q v + Phi_t)         (4)
// and so for accelerations, with Phi''. Where this leaves the papers: alpha follows the step, since w is what decides how fast (3)
// converges and what (4) leaves; and lambda_n,k Phi_k,qq is part of P. (With the lambda of an iteration, a poor start of
// Newton's method makes P indefinite.)
//
// Near singular positions one part of (3) falls by a factor f close to 1; where f is steady, (3) goes on to its limit:
//   q += f/(1 - f) dq,   lambda -= f/(1 - f) alpha Phi                                            (5)
//
// W is regular where rows depend on each other, also in singular positions. No row is left out, unless loops are stated to a
// precision to which they contradict.
#pragma once

#include "methods/natural_coordinates/natural_stepper.h"

namespace mbsbench::natural {

class AugmentedLagrangian final : public NaturalStepper {
 public:
  AugmentedLagrangian(const System& system, double weight, int passes);

  Status Start(double t, const SystemState& state, const StepControl& control) override;
  // Operations of one factorisation and solution, after a step.
  OperationCount CountFactors() { return matrix_.CountOperations(); }

 private:
  Status MoveOn(double end) override;
  // W at bodies(); `nu` is s lambda_n / m.
  Status Factorise(double h, const Vector& nu);
  // (4) of rates or accelerations, with the violations of rows before and after a change.
  template <class Violation>
  void Project(Vector& of_q, Violation violation);
  bool Counts(std::size_t k) const { return !is_rounded_ || !IsLeftOut(k, left_out_); }

  const double weight_;
  const int passes_;
  const bool is_rounded_;
  NaturalMatrix matrix_;
  Pivots pivots_ = Pivots::kNewOrder;
};

}  // namespace mbsbench::natural
