// Weights of backward differentiation formulas on points of any distances, on any scalar.
//
// At the end t of a step, with the points t_0 > t_1 > ... before it, the polynomial of degree k through y at t and at the first k
// points has the derivative
//   y' = c y + sum_j<k d_j y_j,   c = sum_j<k 1/(t - t_j)                                         (8)
//   d_j = -1/(t - t_j) prod_i!=j (t - t_i)/(t_j - t_i)                                            (9)
// and the one through the first n points has at t the value
//   sum_j<n p_j y_j,              p_j = prod_i!=j (t - t_i)/(t_j - t_i)                          (10)
#pragma once

#include <span>

namespace mbsbench::direct {

// p_j of (10).
template <typename Real>
Real Extrapolation(const Real& t, std::span<const Real> points, std::size_t j) {
  Real weight(1);
  for (std::size_t i = 0; i < points.size(); ++i)
    if (i != j) weight = weight * (t - points[i]) / (points[j] - points[i]);
  return weight;
}
// c of (8).
template <typename Real>
Real Leading(const Real& t, std::span<const Real> points) {
  Real sum(0);
  for (const Real& point : points) sum += Real(1) / (t - point);
  return sum;
}
// d_j of (9).
template <typename Real>
Real Derivative(const Real& t, std::span<const Real> points, std::size_t j) {
  return -Extrapolation(t, points, j) / (t - points[j]);
}

}  // namespace mbsbench::direct
