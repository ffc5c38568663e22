// The averages of the generalised-alpha method, on any scalar.
//
// The acceleration-like a of the method belongs to the time t_n + (alpha_m - alpha_f) h. With the spectral radius rho at
// infinite frequency,
//   alpha_m = (2 rho - 1)/(rho + 1)    alpha_f = rho/(rho + 1)    gamma = 1/2 + alpha_f - alpha_m
//   beta = (gamma + 1/2)^2/4                                                                      (1)
//   (1 - alpha_m) a_n+1 + alpha_m a_n = (1 - alpha_f) V'_n+1 + alpha_f V'_n                       (2)
// Increments of rotations, exp and T, are those of rotation_increment.h.
#pragma once

#include "methods/coordinates/rotation_increment.h"

namespace mbsbench::lie {

template <typename Real = double>
struct Averages {
  explicit Averages(const Real& rho) {  // (1)
    alpha_m = (Real(2) * rho - Real(1)) / (rho + Real(1));
    alpha_f = rho / (rho + Real(1));
    gamma = Real(0.5) + alpha_f - alpha_m;
    beta = Real(0.25) * (gamma + Real(0.5)) * (gamma + Real(0.5));
    c = (Real(1) - alpha_f) / (Real(1) - alpha_m);
  }
  // a_n+1 by (2).
  template <class Vector>
  Vector Next(const Vector& rate, const Vector& rate_n, const Vector& a_n) const {
    return c * rate + (alpha_f * rate_n - alpha_m * a_n) / (Real(1) - alpha_m);
  }

  Real alpha_m, alpha_f, gamma, beta;
  Real c;  // da_n+1/dV'_n+1
};

}  // namespace mbsbench::lie
