// Small motions about a steady state: whether it is stable, and how fast it swings.
#pragma once

#include <complex>
#include <span>
#include <string>
#include <vector>

#include "methods/interface/formulation.h"

namespace mbsbench {

struct Stability {
  bool known = false;
  std::string why_not;  // where it is not known
  bool stable = false;  // nothing grows
  double growth = 0;    // largest real part of an eigenvalue [1/s]
  // Eigenvalues s of the motions exp(s t), without the conjugates, slowest first [1/s].
  std::vector<std::complex<double>> eigenvalues;
  std::vector<double> frequencies;  // their imaginary parts above 0 [rad/s]
  int freedoms = 0;                 // of the motion
  int redundant = 0;                // closure rows that depend on others in this position
};

Stability StabilityOf(const Linearisation& linearisation);

// Where closure rows depend on each other their multipliers are not unique, and the stiffness depends on
// them: the least ones that carry the same forces. `multipliers` are those after the coordinates in z.
void TakeLeastMultipliers(const Linearisation& linearisation, std::span<double> multipliers);

// Of the steady state z at the formulation's speed, whose multipliers become the least ones where they
// are not unique.
Stability StabilityAt(AlgebraicFormulation& formulation, std::vector<double>& z);

}  // namespace mbsbench
