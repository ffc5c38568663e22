// Sparse LU of a square matrix in compressed columns, by KLU.
#pragma once

#include <klu.h>

#include <array>
#include <span>
#include <vector>

#include "methods/interface/operation_count.h"

namespace mbsbench {

// kKept: uses the pivots of the last factorisation with another setting if they are stable, which saves
// the search and its memory; else new pivots that are not kept. kNewOrder: also chooses the order of the
// columns, of those analysed, that gives fewer entries, for values that are factorised many times. The factors
// therefore depend only on the values and on the last factorisation without kKept.
enum class Pivots { kNewOrder, kNew, kKept };
// The order by degrees has few entries while pivots stay on the diagonal, but full factors where many leave it. The one by columns
// bounds the entries whatever the pivots.
enum class Orders { kBoth, kByColumns };

class SparseLu {
 public:
  // The pattern is analysed once in each of the orders; it must outlive this object.
  SparseLu(std::span<int> column_start, std::span<int> row, Orders orders = Orders::kBoth);
  ~SparseLu();
  SparseLu(const SparseLu&) = delete;
  SparseLu& operator=(const SparseLu&) = delete;

  // Returns the column whose pivot vanishes relative to its entries (rows scaled to 1), or -1 on
  // success. `values` must remain valid until the last Solve.
  int Factorise(std::span<double> values, Pivots pivots = Pivots::kNew);
  // Overwrites b by the solution; after a successful Factorise. If pivots are small, the solution is
  // refined with its residual: nearly dependent rows of constraints give pivots that are squares, which
  // lose twice the digits that the equations themselves lose.
  void Solve(std::span<double> b);
  // The smallest pivot relative to the largest; after a successful Factorise.
  double SmallestPivot();
  // For a factorisation with the last pivots, with the scaling of the rows, and for a solution without
  // refinement; after a successful Factorise.
  OperationCount CountOperations();

 private:
  int FactoriseAnew(std::span<double> values, std::span<klu_symbolic* const> orders);
  bool Repeat(std::span<double> values);
  int FirstSingular(const klu_numeric* factors, const klu_symbolic& order,
                    std::span<const double> values);
  void FreeFactors();

  std::span<int> column_start_, row_;
  klu_common common_;
  std::array<klu_symbolic*, 2> orders_{};
  klu_symbolic* symbolic_ = nullptr;  // the one of orders_ in use
  klu_numeric *kept_ = nullptr, *passing_ = nullptr, *current_ = nullptr;
  double smallest_pivot_ = 0;       // of the factors examined last
  std::span<const double> values_;  // factorised last
  std::vector<double> left_,
      right_;  // of the equations: residual and right side
};

}  // namespace mbsbench
