#include "reference/numerics/elimination.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <utility>

namespace mbsbench::extended {

Elimination::Elimination(Matrix a, double tolerance)
    : lu_(std::move(a)), row_(lu_.rows()), column_(lu_.columns()) {
  std::iota(row_.begin(), row_.end(), std::size_t{0});
  std::iota(column_.begin(), column_.end(), std::size_t{0});
  Real least = 0;
  for (rank_ = 0; rank_ < std::min(lu_.rows(), lu_.columns()); ++rank_) {
    const std::size_t k = rank_;
    std::size_t row = k, column = k;
    Real largest = 0;
    for (std::size_t i = k; i < lu_.rows(); ++i) {
      for (std::size_t j = k; j < lu_.columns(); ++j) {
        const Real size = Abs(lu_(i, j));
        if (size > largest) largest = size, row = i, column = j;
      }
    }
    if (k == 0) least = Real(tolerance) * largest;
    if (!(largest > least)) return;
    if (row != k) {
      for (std::size_t j = 0; j < lu_.columns(); ++j) std::swap(lu_(k, j), lu_(row, j));
      std::swap(row_[k], row_[row]);
    }
    if (column != k) {
      for (std::size_t i = 0; i < lu_.rows(); ++i) std::swap(lu_(i, k), lu_(i, column));
      std::swap(column_[k], column_[column]);
    }
    for (std::size_t i = k + 1; i < lu_.rows(); ++i) {
      if (IsZero(lu_(i, k))) continue;
      const Real factor = lu_(i, k) / lu_(k, k);
      lu_(i, k) = factor;
      for (std::size_t j = k + 1; j < lu_.columns(); ++j) {
        if (!IsZero(lu_(k, j))) lu_(i, j) -= factor * lu_(k, j);
      }
    }
  }
}

double Elimination::Gap() const {
  Real least = INFINITY, left = 0;
  for (std::size_t k = 0; k < rank_; ++k) least = std::min(least, Abs(lu_(k, k)));
  for (std::size_t i = rank_; i < lu_.rows(); ++i) {
    for (std::size_t j = rank_; j < lu_.columns(); ++j) left = Max(left, Abs(lu_(i, j)));
  }
  return IsZero(left) ? INFINITY : static_cast<double>(least / left);
}

std::vector<std::vector<Real>> Elimination::NullSpace() const {
  std::vector<std::vector<Real>> basis;
  for (std::size_t c = rank_; c < lu_.columns(); ++c) {
    std::vector<Real>& x = basis.emplace_back(lu_.columns());
    x[column_[c]] = 1;
    for (std::size_t i = rank_; i-- > 0;) {
      Real left = -lu_(i, c);
      for (std::size_t j = i + 1; j < rank_; ++j) left -= lu_(i, j) * x[column_[j]];
      x[column_[i]] = left / lu_(i, i);
    }
  }
  return basis;
}

std::vector<std::size_t> Elimination::PivotRows() const {
  return {row_.begin(), row_.begin() + static_cast<std::ptrdiff_t>(rank_)};
}

std::vector<std::size_t> Elimination::PivotColumns() const {
  return {column_.begin(), column_.begin() + static_cast<std::ptrdiff_t>(rank_)};
}

std::vector<Real> Elimination::Solve(const std::vector<Real>& b) const {
  const std::size_t n = rank_;
  std::vector<Real> y(n), x(n);
  for (std::size_t i = 0; i < n; ++i) {
    y[i] = b[row_[i]];
    for (std::size_t j = 0; j < i; ++j) y[i] -= lu_(i, j) * y[j];
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) y[i] -= lu_(i, j) * y[j];
    y[i] = y[i] / lu_(i, i);
  }
  for (std::size_t i = 0; i < n; ++i) x[column_[i]] = y[i];
  return x;
}

std::vector<Real> Elimination::SolveTransposed(const std::vector<Real>& b) const {
  const std::size_t n = rank_;
  std::vector<Real> y(n), x(n);
  for (std::size_t i = 0; i < n; ++i) {
    y[i] = b[column_[i]];
    for (std::size_t j = 0; j < i; ++j) y[i] -= lu_(j, i) * y[j];
    y[i] = y[i] / lu_(i, i);
  }
  for (std::size_t i = n; i-- > 0;) {
    for (std::size_t j = i + 1; j < n; ++j) y[i] -= lu_(j, i) * y[j];
  }
  for (std::size_t i = 0; i < n; ++i) x[row_[i]] = y[i];
  return x;
}

}  // namespace mbsbench::extended
