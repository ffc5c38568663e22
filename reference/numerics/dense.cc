#include "reference/numerics/dense.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace mbsbench::extended {

PivotedCholesky::PivotedCholesky(Matrix a, double rank_tolerance, double least_diagonal)
    : l_(std::move(a)), order_(l_.rows()) {
  const std::size_t n = l_.rows();
  std::iota(order_.begin(), order_.end(), std::size_t{0});
  std::vector<Real> diagonal(n);
  Real largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    diagonal[i] = l_(i, i);
    largest = Max(largest, diagonal[i]);
  }
  for (rank_ = 0; rank_ < n; ++rank_) {
    const std::size_t k = rank_;
    // The pivot that is largest relative to its row's original diagonal.
    std::size_t pivot = n;
    Real best = rank_tolerance;
    for (std::size_t i = k; i < n; ++i) {
      if (!(diagonal[i] > Real(least_diagonal) * largest)) continue;
      const Real left = l_(i, i) / diagonal[i];
      if (left > best) best = left, pivot = i;
    }
    if (pivot == n) return;
    if (pivot != k) {
      for (std::size_t j = 0; j < n; ++j) std::swap(l_(k, j), l_(pivot, j));
      for (std::size_t i = 0; i < n; ++i) std::swap(l_(i, k), l_(i, pivot));
      std::swap(diagonal[k], diagonal[pivot]);
      std::swap(order_[k], order_[pivot]);
    }
    const Real root = Sqrt(l_(k, k));
    l_(k, k) = root;
    for (std::size_t i = k + 1; i < n; ++i) l_(i, k) = l_(i, k) / root;
    for (std::size_t i = k + 1; i < n; ++i) {
      if (IsZero(l_(i, k))) continue;
      for (std::size_t j = k + 1; j < n; ++j) {
        if (!IsZero(l_(j, k))) l_(i, j) -= l_(i, k) * l_(j, k);
      }
    }
  }
}

std::vector<std::size_t> PivotedCholesky::IndependentRows() const {
  std::vector<std::size_t> rows(order_.begin(),
                                order_.begin() + static_cast<std::ptrdiff_t>(rank_));
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::vector<Real> PivotedCholesky::SolveTransposed(std::vector<Real> y) const {
  for (std::size_t k = rank_; k-- > 0;) {
    for (std::size_t i = k + 1; i < rank_; ++i) y[k] -= l_(i, k) * y[i];
    y[k] = y[k] / l_(k, k);
  }
  return y;
}

std::vector<Real> PivotedCholesky::Solve(const std::vector<Real>& b) const {
  std::vector<Real> y(rank_);
  for (std::size_t k = 0; k < rank_; ++k) {
    y[k] = b[order_[k]];
    for (std::size_t j = 0; j < k; ++j) y[k] -= l_(k, j) * y[j];
    y[k] = y[k] / l_(k, k);
  }
  y = SolveTransposed(std::move(y));
  std::vector<Real> x(b.size());
  for (std::size_t k = 0; k < rank_; ++k) x[order_[k]] = y[k];
  return x;
}

std::vector<std::vector<Real>> PivotedCholesky::NullSpace() const {
  std::vector<std::vector<Real>> basis;
  for (std::size_t d = rank_; d < l_.rows(); ++d) {
    // The dependent row is a combination w of the independent ones: L w = its row of L, transposed.
    std::vector<Real> y(rank_);
    for (std::size_t k = 0; k < rank_; ++k) y[k] = -l_(d, k);
    y = SolveTransposed(std::move(y));
    std::vector<Real> x(l_.rows());
    for (std::size_t k = 0; k < rank_; ++k) x[order_[k]] = y[k];
    x[order_[d]] = 1;
    basis.push_back(std::move(x));
  }
  return basis;
}

}  // namespace mbsbench::extended
