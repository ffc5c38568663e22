#include "methods/cartesian_dae/sparse_lu.h"

#include <cmath>

namespace mbsbench::cartesian {

namespace {
// Redundant constraints leave pivots of 1e-16 to 1e-15; regular ones, with rows scaled to 1, are
// far above.
constexpr double kSingularPivot = 1e-13;
// Smallest ratio of a column's largest entry to that of U that is called stable: growth costs as many
// digits.
constexpr double kStableGrowth = 1e-2;
}  // namespace

SparseLu::SparseLu(std::span<int> column_start, std::span<int> row)
    : column_start_(column_start), row_(row) {
  klu_defaults(&common_);
  common_.tol = 1;  // partial pivoting: pivots must tell singular from regular
  common_.halt_if_singular = 0;
  symbolic_ = klu_analyze(static_cast<int>(column_start.size()) - 1, column_start.data(),
                          row.data(), &common_);
  common_.halt_if_singular = 1;
}

SparseLu::~SparseLu() {
  if (numeric_ != nullptr) klu_free_numeric(&numeric_, &common_);
  if (symbolic_ != nullptr) klu_free_symbolic(&symbolic_, &common_);
}

bool SparseLu::Repeat(std::span<double> values) {
  if (numeric_ == nullptr) return false;
  if (klu_refactor(column_start_.data(), row_.data(), values.data(), symbolic_, numeric_,
                   &common_) == 0 ||
      klu_rgrowth(column_start_.data(), row_.data(), values.data(), symbolic_, numeric_,
                  &common_) == 0) {
    return false;
  }
  return common_.rgrowth > kStableGrowth;
}

int SparseLu::Factorise(std::span<double> values, Pivots pivots) {
  if (pivots == Pivots::kLast && Repeat(values)) return -1;
  if (numeric_ != nullptr) klu_free_numeric(&numeric_, &common_);
  if (symbolic_ == nullptr) return 0;
  numeric_ = klu_factor(column_start_.data(), row_.data(), values.data(), symbolic_, &common_);
  if (numeric_ == nullptr) return common_.singular_col < symbolic_->n ? common_.singular_col : 0;
  const double* diagonal = static_cast<const double*>(numeric_->Udiag);
  for (int k = 0; k < symbolic_->n; ++k) {
    if (!(std::abs(diagonal[k]) > kSingularPivot)) return symbolic_->Q[k];
  }
  return -1;
}

void SparseLu::Solve(std::span<double> b) {
  klu_solve(symbolic_, numeric_, symbolic_->n, 1, b.data(), &common_);
}

}  // namespace mbsbench::cartesian
