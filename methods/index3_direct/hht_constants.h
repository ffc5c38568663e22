// The constants of the HHT method, on any scalar. Its acceleration-like a belongs to the time t_n + alpha h:
//   beta = (1 - alpha)^2/4       gamma = (1 - 2 alpha)/2                                          (1)
//   M a_n+1 = (1 + alpha) F_n+1 - alpha F_n                                                       (2)
// with all forces F of the bodies, those of joints and of gyroscopic moments included.
#pragma once

namespace mbsbench::direct {

template <typename Real = double>
struct HhtConstants {
  explicit HhtConstants(const Real& value)
      : alpha(value),
        beta(Real(0.25) * (Real(1) - value) * (Real(1) - value)),
        gamma(Real(0.5) - value) {}

  // The published estimate of the local error of positions is h^2 times this of a_n+1 - a_n.
  Real ErrorFactor() const { return beta - Real(1) / (Real(6) * (Real(1) + alpha)); }

  Real alpha, beta, gamma;
};

}  // namespace mbsbench::direct
