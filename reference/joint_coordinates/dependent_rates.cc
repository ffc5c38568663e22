#include "reference/joint_coordinates/dependent_rates.h"

#include <algorithm>

#include "problems/model/error.h"

namespace mbsbench::extended {

namespace {

// Relative to the largest entry: below this nothing is left of a row but round-off of 113 bits.
constexpr double kNothingLeft = 1e-20;

}  // namespace

DependentRates::DependentRates(const Matrix& rows, const std::vector<bool>& driven,
                               std::size_t rank)
    : rows_(0, 0) {
  Matrix free = rows;
  for (std::size_t k = 0; k < driven.size(); ++k) {
    for (std::size_t i = 0; driven[k] && i < rows.rows(); ++i) free(i, k) = 0;
  }
  const Elimination choice(std::move(free), kNothingLeft);
  kept_ = choice.PivotRows();
  dependent_ = choice.PivotColumns();
  if (kept_.size() > rank) {
    kept_.resize(rank);
    dependent_.resize(rank);
  }
  std::vector<bool> taken = driven;
  for (std::size_t k : dependent_) taken[k] = true;
  for (std::size_t k = 0; k < taken.size(); ++k) {
    if (!taken[k]) independent_.push_back(k);
  }
  Factor(rows);
}

void DependentRates::Factor(const Matrix& rows) {
  rows_ = rows;
  Matrix square(kept_.size(), kept_.size());
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    for (std::size_t j = 0; j < kept_.size(); ++j) square(i, j) = rows(kept_[i], dependent_[j]);
  }
  factor_.emplace(std::move(square), kNothingLeft);
  if (factor_->rank() < kept_.size()) {
    throw ModelError(
        "the loops do not determine the dependent rates any longer: the mechanism passes a "
        "singular "
        "position.");
  }
}

Real DependentRates::Condition() const {
  const std::size_t n = kept_.size();
  Real largest = 0;
  std::vector<Real> inverse(n);
  for (std::size_t i = 0; i < n; ++i) {
    Real sum = 0;
    for (std::size_t j = 0; j < n; ++j) sum += Abs(rows_(kept_[i], dependent_[j]));
    largest = Max(largest, sum);
    std::vector<Real> unit(n);
    unit[i] = 1;
    const std::vector<Real> column = factor_->Solve(unit);
    for (std::size_t j = 0; j < n; ++j) inverse[j] += Abs(column[j]);
  }
  Real of_inverse = 0;
  for (Real sum : inverse) of_inverse = Max(of_inverse, sum);
  return largest * of_inverse;
}

void DependentRates::Complete(std::vector<Real>& x, const std::vector<Real>& right) const {
  for (std::size_t k : dependent_) x[k] = 0;
  std::vector<Real> rest(kept_.size());
  for (std::size_t i = 0; i < kept_.size(); ++i) {
    if (!right.empty()) rest[i] = right[kept_[i]];
    for (std::size_t k = 0; k < x.size(); ++k) {
      if (!IsZero(rows_(kept_[i], k)) && !IsZero(x[k])) rest[i] -= rows_(kept_[i], k) * x[k];
    }
  }
  const std::vector<Real> solved = factor_->Solve(rest);
  for (std::size_t j = 0; j < dependent_.size(); ++j) x[dependent_[j]] = solved[j];
}

std::vector<Real> DependentRates::PerRate(std::size_t rate) const {
  std::vector<Real> column(kept_.size());
  for (std::size_t i = 0; i < kept_.size(); ++i) column[i] = -rows_(kept_[i], rate);
  return factor_->Solve(column);
}

std::vector<Real> DependentRates::Combination(std::size_t row) const {
  std::vector<Real> of_dependent;
  for (std::size_t k : dependent_) of_dependent.push_back(rows_(row, k));
  return factor_->SolveTransposed(of_dependent);
}

std::vector<Real> DependentRates::Multipliers(const std::vector<Real>& forces) const {
  std::vector<Real> of_dependent;
  for (std::size_t k : dependent_) of_dependent.push_back(forces[k]);
  const std::vector<Real> kept = factor_->SolveTransposed(of_dependent);
  std::vector<Real> all(rows_.rows());
  for (std::size_t i = 0; i < kept_.size(); ++i) all[kept_[i]] = kept[i];
  return all;
}

}  // namespace mbsbench::extended
