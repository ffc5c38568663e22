// y within a step of y' = f(t, y), from y and f at both ends: cubic Hermite. Higher orders use f at nodes
// inside the step, evaluated first at the cubic and then at each improved interpolant: each pass gains one
// order (bootstrapping: Enright, Jackson, Norsett, Thomsen, "Interpolants for Runge-Kutta formulas", ACM
// Trans. Math. Softw. 12 (1986) 193-218). With f_j at the nodes c_j, L_j the integral of their Lagrange
// polynomial from 0 and s in [0, 1]:
//   y(s) = y0 + h sum_j L_j(s) f_j + w(s) (y1 - y0 - h sum_j L_j(1) f_j),   w = 3 s^2 - 2 s^3.
// With only the ends as nodes this is the cubic. The interpolant never affects a step.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "methods/interface/formulation.h"

namespace mbsbench {

class DenseOutput {
 public:
  static constexpr int kCubic = 4, kHighest = 9;
  // Its error is O(h^order) over a step of h; order 4 (cubic) to 9.
  DenseOutput(OdeFormulation& ode, int order);

  // The ends of the step to interpolate. Evaluates nothing.
  void SetStep(double t0, std::span<const double> y0, double t1, std::span<const double> y1);
  // y at t within the step, projected onto the invariants if the formulation has any.
  Status At(double t, std::span<double> y);

 private:
  Status EvaluateRates();
  // f at a state inside the step. Within a long step it may violate the constraints by more than the formulation accepts; it is
  // then projected.
  Status EvaluateInside(double t, std::span<double> y, std::span<double> rate);
  // y(s) from the rates at `nodes`.
  void Combine(double s, std::span<const double> nodes, std::span<const std::vector<double>> rates,
               std::span<double> y) const;

  OdeFormulation& ode_;
  int order_;
  double t0_ = 0, h_ = 0;
  std::vector<double> y0_, y1_, stage_;
  std::vector<double> nodes_{0, 1};         // the ends, then those inside
  std::vector<std::vector<double>> rates_;  // f at the nodes
  std::optional<Status> status_;            // of the rates; empty: they are not evaluated yet
};

}  // namespace mbsbench
