// The division of rates into dependent and independent ones: as many rows of L u = 0 are kept as are independent,
// and the same number of rates is dependent,
//
//   u_d = -L_d^-1 L_i u_i        L_d, L_i: kept rows by dependent and by all other rates          (1)
//
// chosen by complete pivoting, so that L_d is well conditioned. Driven rates are never dependent.
#pragma once

#include <optional>
#include <vector>

#include "reference/numerics/elimination.h"

namespace mbsbench::extended {

class DependentRates {
 public:
  // Chooses at rows of closed loops, of which `rank` are independent; fewer if the others are zero. `driven`: per rate.
  DependentRates(const Matrix& rows, const std::vector<bool>& driven, std::size_t rank);

  const std::vector<std::size_t>& kept_rows() const { return kept_; }
  const std::vector<std::size_t>& dependent() const { return dependent_; }
  // Neither dependent nor driven: the rates that are integrated.
  const std::vector<std::size_t>& independent() const { return independent_; }

  // Sets rows at another position, with the same choice. Call it before the following functions.
  void Factor(const Matrix& rows);
  // Largest row sums of L_d and of its inverse, multiplied.
  Real Condition() const;
  // The dependent entries of x so that the kept rows give `right` (all rows; empty: zeros).
  void Complete(std::vector<Real>& x, const std::vector<Real>& right = {}) const;
  // -L_d^-1 times a column of kept rows: the dependent rates per unit of one other rate.
  std::vector<Real> PerRate(std::size_t rate) const;
  // A row as the combination of the kept rows that gives it, by the dependent rates.
  std::vector<Real> Combination(std::size_t row) const;
  // Multipliers of all rows, those of dropped ones 0, with L_d' lambda = `forces` of the dependent rates.
  std::vector<Real> Multipliers(const std::vector<Real>& forces) const;

 private:
  std::vector<std::size_t> kept_, dependent_, independent_;
  Matrix rows_;
  std::optional<Elimination> factor_;
};

}  // namespace mbsbench::extended
