// Gaussian elimination with partial pivoting on a few rows, all in place, on any scalar.
#pragma once

#include <algorithm>
#include <cmath>

namespace mbsbench::equivalent_particles {

// A pivot that is NaN or no larger than this has vanished: rows are scaled to about 1.
inline constexpr double kSingularPivot = 1e-13;

// Rows [C | D] of C u + D = 0, one after another: turns D into U with u = -U. C is size x size. False when a pivot
// vanishes.
template <typename Real>
[[gnu::always_inline]] inline bool Eliminate(Real* rows, int size, int columns) {
  using std::abs;
  const auto row = [=](int i) { return rows + i * columns; };
  for (int p = 0; p < size; ++p) {
    int best = p;
    for (int i = p + 1; i < size; ++i) {
      if (abs(row(i)[p]) > abs(row(best)[p])) best = i;
    }
    if (!(abs(row(best)[p]) > Real(kSingularPivot))) return false;
    if (best != p) std::swap_ranges(row(p) + p, row(p) + columns, row(best) + p);
    const Real inverse = Real(1) / row(p)[p];
    for (int j = p + 1; j < columns; ++j) row(p)[j] *= inverse;
    for (int i = p + 1; i < size; ++i) {
      const Real factor = row(i)[p];
      if (factor == Real(0)) continue;  // distance rows are half empty
      for (int j = p + 1; j < columns; ++j) row(i)[j] -= factor * row(p)[j];
    }
  }
  for (int p = size - 1; p > 0; --p) {
    for (int i = 0; i < p; ++i) {
      const Real factor = row(i)[p];
      for (int j = size; j < columns; ++j) row(i)[j] -= factor * row(p)[j];
    }
  }
  return true;
}

template <int kRows, int kColumns>
bool Eliminate(double (&rows)[kRows][kColumns]) {
  return Eliminate(&rows[0][0], kRows, kColumns);
}

}  // namespace mbsbench::equivalent_particles
