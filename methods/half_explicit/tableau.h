// Coefficients of half-explicit Runge-Kutta methods, on any scalar.
//
// The multipliers lambda of a stage are chosen by the next one, so that order 3 and 4 need more than the classical
// conditions. They belong to trees whose vertices are derivatives of y' = f(y, z), 0 = g(y); a z-vertex contributes the
// inverse W of the matrix that has the rows of a and b after the first. The one of order 3, for example, is
//   sum_i b_i c_i w_ij c_j+1^2 = 2/3.
// Orders 3 and 4 are those of Brasey and Hairer 1993, tables 2 and 5, as two open programs quote them. A test of this
// repository derives the trees and confirms the conditions in many digits. Order 2 is the midpoint rule.
#pragma once

#include <array>
#include <cmath>

namespace mbsbench::half_explicit {

inline constexpr int kMostStages = 5;

template <typename Real = double>
struct Tableau {
  int stages = 0;
  // Row i yields stage i + 1, the last one the end of the step: no row ends with a zero.
  std::array<std::array<Real, kMostStages>, kMostStages> a{};
  // b less the weights of another method for the positions, whose order is lower by one.
  std::array<Real, kMostStages> estimate{};

  // The time of the stage that row i yields.
  Real c(int i) const {
    Real sum(0);
    for (const Real& entry : a[static_cast<std::size_t>(i)]) sum += entry;
    return sum;
  }
};

template <typename Real = double>
Tableau<Real> TableauOf(int order) {
  using std::sqrt;
  const auto of = [](int numerator, int denominator) {
    return Real(numerator) / Real(denominator);
  };
  Tableau<Real> t;
  t.stages = order < 4 ? order : order + 1;
  if (order == 2) {
    t.a = {{{of(1, 2)}, {Real(0), Real(1)}}};
    t.estimate = {Real(-1), Real(1)};
  } else if (order == 3) {
    t.a = {{{of(1, 3)}, {Real(-1), Real(2)}, {Real(0), of(3, 4), of(1, 4)}}};
    t.estimate = {of(1, 2), of(-3, 4), of(1, 4)};
  } else {
    const Real r = sqrt(Real(6));
    const auto with = [&](int whole, int root, int denominator) {
      return (Real(whole) + Real(root) * r) / Real(denominator);
    };
    t.a = {{{of(3, 10)},
            {with(1, 1, 30), with(11, -4, 30)},
            {with(-79, -31, 150), with(-1, -4, 30), with(24, 11, 25)},
            {with(14, 5, 6), with(-8, 7, 6), with(-9, -7, 4), with(9, -1, 4)},
            {Real(0), Real(0), with(16, -1, 36), with(16, 1, 36), of(1, 9)}}};
    t.estimate = {of(-1, 3), Real(0), with(2, 3, 18), with(2, -3, 18), of(1, 9)};
  }
  return t;
}

}  // namespace mbsbench::half_explicit
