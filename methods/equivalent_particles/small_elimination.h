// Gaussian elimination with partial pivoting on a few rows, all in place.
#pragma once

#include <cmath>

namespace mbsbench::equivalent_particles {

// Rows [C | D] of C u + D = 0: turns D into U with u = -U. C is rows x rows, rows scaled to about 1.
// False when a pivot vanishes (that is NaN or below round-off).
template <int kRows, int kColumns>
bool Eliminate(double (&rows)[kRows][kColumns]) {
  constexpr double kSingular = 1e-13;
  for (int p = 0; p < kRows; ++p) {
    int best = p;
    for (int i = p + 1; i < kRows; ++i) {
      if (std::abs(rows[i][p]) > std::abs(rows[best][p])) best = i;
    }
    if (!(std::abs(rows[best][p]) > kSingular)) return false;
    if (best != p) {
      for (int j = p; j < kColumns; ++j) {
        const double swapped = rows[p][j];
        rows[p][j] = rows[best][j];
        rows[best][j] = swapped;
      }
    }
    const double inverse = 1 / rows[p][p];
    for (int j = p + 1; j < kColumns; ++j) rows[p][j] *= inverse;
    for (int i = p + 1; i < kRows; ++i) {
      const double factor = rows[i][p];
      if (factor == 0) continue;  // distance rows are half empty
      for (int j = p + 1; j < kColumns; ++j) rows[i][j] -= factor * rows[p][j];
    }
  }
  for (int p = kRows - 1; p > 0; --p) {
    for (int i = 0; i < p; ++i) {
      const double factor = rows[i][p];
      for (int j = kRows; j < kColumns; ++j) rows[i][j] -= factor * rows[p][j];
    }
  }
  return true;
}

}  // namespace mbsbench::equivalent_particles
