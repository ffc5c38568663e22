// Small motions about a steady state: stability and frequencies.
#pragma once

#include <complex>
#include <string>
#include <vector>

#include "methods/steady/algebraic_formulation.h"

namespace mbsbench {

struct Stability {
  bool known = false;
  std::string why_not;   // where it is not known
  bool stable = false;   // nothing grows
  bool neutral = false;  // nothing grows, and something does not decay
  double growth = 0;     // largest real part of an eigenvalue [1/s]
  double round_off = 0;  // of the growth [1/s]
  // Eigenvalues s of the motions exp(s t), without the conjugates, slowest first [1/s].
  std::vector<std::complex<double>> eigenvalues;
  std::vector<double> frequencies;  // their imaginary parts above 0 [rad/s]
  int freedoms = 0;                 // of the motion
  int redundant = 0;                // closure rows that depend on others in this position
};

Stability StabilityOf(const Linearisation& linearisation);

// For the steady state z at the formulation's speed; multipliers that are not unique become those of least norm.
Stability StabilityAt(AlgebraicFormulation& formulation, std::vector<double>& z);

}  // namespace mbsbench
