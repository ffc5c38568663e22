#include "methods/cartesian_dae/sparse_lu.h"

#include <cmath>

namespace mbsbench::cartesian {

namespace {
// Of the largest entry in its column: pivots must tell singular from regular, and 1 costs chains three
// times the entries.
constexpr double kPivotTolerance = 0.1;
// Redundant constraints leave pivots of 1e-16 to 1e-15; regular ones, with rows scaled to 1, are
// far above.
constexpr double kSingularPivot = 1e-13;
// Smallest ratio of a column's largest entry to that of U that is called stable: growth costs as many
// digits.
constexpr double kStableGrowth = 1e-3;
}  // namespace

SparseLu::SparseLu(std::span<int> column_start, std::span<int> row)
    : column_start_(column_start), row_(row) {
  klu_defaults(&common_);
  common_.tol = kPivotTolerance;
  common_.halt_if_singular = 0;
  symbolic_ = klu_analyze(static_cast<int>(column_start.size()) - 1, column_start.data(),
                          row.data(), &common_);
  common_.halt_if_singular = 1;
}

SparseLu::~SparseLu() {
  for (klu_numeric** factors : {&kept_, &passing_}) {
    if (*factors != nullptr) klu_free_numeric(factors, &common_);
  }
  if (symbolic_ != nullptr) klu_free_symbolic(&symbolic_, &common_);
}

bool SparseLu::Repeat(std::span<double> values) {
  return kept_ != nullptr &&
         klu_refactor(column_start_.data(), row_.data(), values.data(), symbolic_, kept_,
                      &common_) != 0 &&
         klu_rgrowth(column_start_.data(), row_.data(), values.data(), symbolic_, kept_,
                     &common_) != 0 &&
         common_.rgrowth > kStableGrowth && SingularColumn(*kept_) < 0;
}

int SparseLu::SingularColumn(const klu_numeric& factors) const {
  const double* diagonal = static_cast<const double*>(factors.Udiag);
  for (int k = 0; k < symbolic_->n; ++k) {
    if (!(std::abs(diagonal[k]) > kSingularPivot)) return symbolic_->Q[k];
  }
  return -1;
}

int SparseLu::Factorise(std::span<double> values, Pivots pivots) {
  if (symbolic_ == nullptr) return 0;
  if (pivots == Pivots::kKept && Repeat(values)) {
    current_ = kept_;
    return -1;
  }
  klu_numeric*& factors = pivots == Pivots::kKept ? passing_ : kept_;
  if (factors != nullptr) klu_free_numeric(&factors, &common_);
  factors = klu_factor(column_start_.data(), row_.data(), values.data(), symbolic_, &common_);
  current_ = factors;
  if (factors == nullptr) return common_.singular_col < symbolic_->n ? common_.singular_col : 0;
  return SingularColumn(*factors);
}

void SparseLu::Solve(std::span<double> b) {
  klu_solve(symbolic_, current_, symbolic_->n, 1, b.data(), &common_);
}

}  // namespace mbsbench::cartesian
