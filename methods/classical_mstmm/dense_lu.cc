#include "methods/classical_mstmm/dense_lu.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace mbsbench {

namespace {

using Eigen::Index;

// Panels of kPanel columns, updates in tiles of kTile x kTile: 64 KiB of work space at most, below
// EIGEN_STACK_ALLOCATION_LIMIT of 128 KiB.
constexpr Index kPanel = 32, kTile = 128;

}  // namespace

DenseLu::DenseLu(Index size) : a_(size, size), swaps_(size) {}

bool DenseLu::Factorise() {
  const Index n = a_.rows();
  norm_ = 0;
  double sum = 0;
  for (Index j = 0; j < n; ++j) {
    const double column = a_.col(j).lpNorm<1>();
    norm_ = std::max(norm_, column);
    sum += column;
  }
  was_finite_ = std::isfinite(sum);
  if (!was_finite_) return false;
  for (Index first = 0; first < n; first += kPanel) {
    const Index width = std::min(kPanel, n - first), after = first + width;
    for (Index k = first; k < after; ++k) {
      Index pivot = 0;
      a_.col(k).tail(n - k).cwiseAbs().maxCoeff(&pivot);
      pivot += k;
      swaps_[k] = static_cast<int>(pivot);
      if (a_(pivot, k) == 0) return false;
      if (pivot != k) a_.row(k).swap(a_.row(pivot));
      a_.col(k).tail(n - k - 1) /= a_(k, k);
      for (Index j = k + 1; j < after; ++j) {
        a_.col(j).tail(n - k - 1) -= a_(k, j) * a_.col(k).tail(n - k - 1);
      }
    }
    const auto panel = a_.block(first, first, width, width);
    for (Index j = after; j < n; j += kTile) {
      const Index columns = std::min(kTile, n - j);
      auto top = a_.block(first, j, width, columns);
      panel.triangularView<Eigen::UnitLower>().solveInPlace(top);
      for (Index i = after; i < n; i += kTile) {
        const Index rows = std::min(kTile, n - i);
        a_.block(i, j, rows, columns).noalias() -= a_.block(i, first, rows, width) * top;
      }
    }
  }
  return true;
}

void DenseLu::Solve(Eigen::Ref<Eigen::MatrixXd> b) const {
  const Index n = a_.rows();
  for (Index c = 0; c < b.cols(); ++c) {
    auto x = b.col(c);
    for (Index k = 0; k < n; ++k) std::swap(x[k], x[swaps_[k]]);
    for (Index k = 0; k < n; ++k) x.tail(n - k - 1) -= x[k] * a_.col(k).tail(n - k - 1);
    for (Index k = n - 1; k >= 0; --k) {
      x[k] /= a_(k, k);
      x.head(k) -= x[k] * a_.col(k).head(k);
    }
  }
}

void DenseLu::SolveTransposed(Eigen::VectorXd& b) const {
  const Index n = a_.rows();
  for (Index k = 0; k < n; ++k) b[k] = (b[k] - a_.col(k).head(k).dot(b.head(k))) / a_(k, k);
  for (Index k = n - 1; k >= 0; --k) b[k] -= a_.col(k).tail(n - k - 1).dot(b.tail(n - k - 1));
  for (Index k = n - 1; k >= 0; --k) std::swap(b[k], b[swaps_[k]]);
}

// Updates of the rows below each pivot, and both triangles; divisions in L and by the pivots of U.
OperationCount DenseLu::CountOperations(std::int64_t n) {
  const std::int64_t products = n * (n - 1) * (2 * n - 1) / 6 + n * (n - 1);
  return {products, products, n * (n - 1) / 2 + n, 0};
}

double DenseLu::ConditionNumber() const {
  const Index n = a_.rows();
  if (!was_finite_ || (a_.diagonal().array() == 0).any())
    return std::numeric_limits<double>::infinity();
  constexpr int kMostSteps = 5;  // two or three are usual
  Eigen::VectorXd x = Eigen::VectorXd::Constant(n, 1 / static_cast<double>(n));
  double inverse = 0;
  for (int step = 0; step < kMostSteps; ++step) {
    Eigen::VectorXd v = x;
    Solve(v);
    inverse = std::max(inverse, v.lpNorm<1>());
    Eigen::VectorXd z = v.unaryExpr([](double value) { return value < 0 ? -1.0 : 1.0; });
    SolveTransposed(z);
    Index j = 0;
    if (z.cwiseAbs().maxCoeff(&j) <= z.dot(x)) break;
    x = Eigen::VectorXd::Unit(n, j);
  }
  return norm_ * inverse;
}

}  // namespace mbsbench
