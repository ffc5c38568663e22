#include "methods/numerics/sparse_lu.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "methods/thresholds/thresholds.h"

namespace mbsbench {

namespace {
constexpr int kMinimumDegree = 0, kColumnMinimumDegree = 1;  // KLU's names for AMD and COLAMD
// Relative to the largest entry in its column: pivots must distinguish singular from regular matrices,
// and with 1 chains have three times the entries.
constexpr double kPivotTolerance = 0.1;
// Smallest ratio of a column's largest entry to that of U that counts as stable: growth costs this
// many digits.
constexpr double kStableGrowth = 1e-3;

// A solution with a pivot below this is refined.
constexpr double kSmallPivot = 1e-8;
constexpr int kCorrections = 2;

std::size_t At(int i) { return static_cast<std::size_t>(i); }
}  // namespace

SparseLu::SparseLu(std::span<int> column_start, std::span<int> row, Orders orders)
    : column_start_(column_start), row_(row) {
  klu_defaults(&common_);
  common_.tol = kPivotTolerance;
  common_.halt_if_singular = 0;
  const int first = orders == Orders::kBoth ? kMinimumDegree : kColumnMinimumDegree;
  for (int ordering = first; ordering <= kColumnMinimumDegree; ++ordering) {
    common_.ordering = ordering;
    orders_[static_cast<std::size_t>(ordering)] = klu_analyze(
        static_cast<int>(column_start.size()) - 1, column_start.data(), row.data(), &common_);
  }
  symbolic_ = orders_[static_cast<std::size_t>(first)];
  left_.reserve(column_start.size());
  right_.reserve(column_start.size());
  common_.halt_if_singular = 1;
}

SparseLu::~SparseLu() {
  FreeFactors();
  for (klu_symbolic*& order : orders_) {
    if (order != nullptr) klu_free_symbolic(&order, &common_);
  }
}

void SparseLu::FreeFactors() {
  for (klu_numeric** factors : {&kept_, &passing_}) {
    if (*factors != nullptr) klu_free_numeric(factors, &common_);
  }
}

bool SparseLu::Repeat(std::span<double> values) {
  return kept_ != nullptr &&
         klu_refactor(column_start_.data(), row_.data(), values.data(), symbolic_, kept_,
                      &common_) != 0 &&
         klu_rgrowth(column_start_.data(), row_.data(), values.data(), symbolic_, kept_,
                     &common_) != 0 &&
         common_.rgrowth > kStableGrowth && FirstSingular(kept_, *symbolic_, values) < 0;
}

// The first column whose pivot vanishes, or -1; right after klu_factor, where there are no factors.
int SparseLu::FirstSingular(const klu_numeric* factors, const klu_symbolic& order,
                            std::span<const double> values) {
  smallest_pivot_ = 1;
  if (factors == nullptr) return common_.singular_col < order.n ? common_.singular_col : 0;
  const double* diagonal = static_cast<const double*>(factors->Udiag);
  const auto largest_of = [&](int column) {
    double largest = 0;
    for (int i = column_start_[At(column)]; i < column_start_[At(column + 1)]; ++i) {
      const double scale = factors->Rs[factors->Pinv[row_[At(i)]]];
      largest = std::max(largest, std::abs(values[At(i)]) / scale);
    }
    return largest;
  };
  const double least = kThresholds.no_pivot;  // of the largest entry in its column
  for (int k = 0; k < order.n; ++k) {
    const double pivot = std::abs(diagonal[k]);  // entries are at most 1: rarely examined
    smallest_pivot_ = std::min(smallest_pivot_, pivot);
    if (!(pivot > least) && !(pivot > least * largest_of(order.Q[k]))) return order.Q[k];
  }
  return -1;
}

// The values determine which order gives fewer entries: by degrees, with fill-in if a pivot is off the
// diagonal (dense for rungs close together), or by columns, without.
int SparseLu::FactoriseAnew(std::span<double> values, std::span<klu_symbolic* const> orders) {
  FreeFactors();
  int column = 0;
  for (klu_symbolic* order : orders) {
    if (order == nullptr) continue;
    klu_numeric* factors =
        klu_factor(column_start_.data(), row_.data(), values.data(), order, &common_);
    const int singular = FirstSingular(factors, *order, values);
    const bool is_better =
        kept_ == nullptr ||
        (singular < 0 && (column >= 0 || factors->lnz + factors->unz < kept_->lnz + kept_->unz));
    if (is_better) {
      std::swap(kept_, factors);
      symbolic_ = order;
      column = singular;
    }
    if (factors != nullptr) klu_free_numeric(&factors, &common_);
  }
  current_ = kept_;
  return column;
}

int SparseLu::Factorise(std::span<double> values, Pivots pivots) {
  if (symbolic_ == nullptr) return 0;
  values_ = values;
  if (pivots == Pivots::kNewOrder) return FactoriseAnew(values, orders_);
  if (pivots == Pivots::kNew) return FactoriseAnew(values, {&symbolic_, 1});
  if (Repeat(values)) {
    current_ = kept_;
    return -1;
  }
  if (passing_ != nullptr) klu_free_numeric(&passing_, &common_);
  passing_ = klu_factor(column_start_.data(), row_.data(), values.data(), symbolic_, &common_);
  current_ = passing_;
  return FirstSingular(passing_, *symbolic_, values);
}

void SparseLu::Solve(std::span<double> b) {
  const auto solve = [this](std::span<double> x) {
    klu_solve(symbolic_, current_, symbolic_->n, 1, x.data(), &common_);
  };
  if (smallest_pivot_ > kSmallPivot) return solve(b);
  right_.assign(b.begin(), b.end());
  solve(b);
  for (int k = 0; k < kCorrections; ++k) {
    left_ = right_;
    for (int column = 0; column < symbolic_->n; ++column) {
      for (int i = column_start_[At(column)]; i < column_start_[At(column + 1)]; ++i)
        left_[At(row_[At(i)])] -= values_[At(i)] * b[At(column)];
    }
    solve(left_);
    for (std::size_t i = 0; i < b.size(); ++i) b[i] += left_[i];
  }
}

// klu_flops: a division for each entry of L below the diagonal, and a multiply-add for each product.
OperationCount SparseLu::CountOperations() {
  klu_flops(symbolic_, current_, &common_);
  const std::int64_t n = symbolic_->n, entries = column_start_.back();
  const std::int64_t of_l = current_->lnz - n, above = current_->unz - n + current_->nzoff;
  const auto products = static_cast<std::int64_t>((common_.flops - static_cast<double>(of_l)) / 2);
  const std::int64_t solution = of_l + above;  // multiply-adds; divisions by pivots and scales
  return {products + solution, products + solution, of_l + entries + 2 * n, 0};
}

double SparseLu::SmallestPivot() {
  return klu_rcond(symbolic_, current_, &common_) != 0 ? common_.rcond : 0;
}

}  // namespace mbsbench
