// Gaussian elimination with partial pivoting on a few rows, all in place.
#pragma once

#include <Eigen/Core>
#include <cmath>

#include "methods/thresholds/thresholds.h"

namespace mbsbench::equivalent_particles {

// Rows [C | D] of C u + D = 0, scaled to about 1: turns D into U with u = -U. C is rows x rows. False when a pivot vanishes or is
// NaN.
template <int kRows, int kColumns>
bool Eliminate(double (&rows)[kRows][kColumns]) {
  for (int p = 0; p < kRows; ++p) {
    int best = p;
    for (int i = p + 1; i < kRows; ++i) {
      if (std::abs(rows[i][p]) > std::abs(rows[best][p])) best = i;
    }
    if (!(std::abs(rows[best][p]) > kThresholds.no_pivot)) return false;
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

// The elimination above for rows of any scalar and any number of them. Pivots are chosen alike, and zeros are left out alike.
template <typename Rows>
bool EliminateRows(Rows& rows) {
  using Real = typename Rows::Scalar;
  using std::abs;
  const Eigen::Index size = rows.rows(), right = rows.cols() - size;
  for (Eigen::Index p = 0; p < size; ++p) {
    Eigen::Index best = p;
    for (Eigen::Index i = p + 1; i < size; ++i)
      if (abs(rows(i, p)) > abs(rows(best, p))) best = i;
    if (!(abs(rows(best, p)) > Real(kThresholds.no_pivot))) return false;
    rows.row(p).swap(rows.row(best));
    auto pivot_row = rows.row(p).tail(rows.cols() - p - 1);
    pivot_row *= Real(1) / rows(p, p);
    for (Eigen::Index i = p + 1; i < size; ++i)
      if (!(rows(i, p) == Real(0))) rows.row(i).tail(pivot_row.size()) -= rows(i, p) * pivot_row;
  }
  for (Eigen::Index p = size - 1; p > 0; --p)
    for (Eigen::Index i = 0; i < p; ++i)
      rows.row(i).tail(right) -= rows(i, p) * rows.row(p).tail(right);
  return true;
}

}  // namespace mbsbench::equivalent_particles
