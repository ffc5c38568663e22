// Sparse LU of a square matrix in compressed columns, by KLU.
#pragma once

#include <klu.h>

#include <array>
#include <span>
#include <vector>

#include "methods/interface/operation_count.h"

namespace mbsbench {

// kKept: in the pivots that the last other one found, where they are stable, which spares the search and
// the memory for it; else in new ones that are not kept. kNewOrder: columns, too, in the order, of two,
// that leaves fewer entries, for values that are factorised many times. So factors depend on what was
// factorised otherwise than as kKept and on the values, not on whatever came between.
enum class Pivots { kNewOrder, kNew, kKept };

class SparseLu {
 public:
  // The pattern is analysed once, in two ways; it must outlive this object.
  SparseLu(std::span<int> column_start, std::span<int> row);
  ~SparseLu();
  SparseLu(const SparseLu&) = delete;
  SparseLu& operator=(const SparseLu&) = delete;

  // The column whose pivot vanishes beside its entries (rows scaled to 1), or -1 after success. `values`
  // have to stay until the last Solve.
  int Factorise(std::span<double> values, Pivots pivots = Pivots::kNew);
  // Overwrites b by the solution; after a successful Factorise. Where pivots are small, corrected by what
  // it leaves of the equations: rows of constraints that nearly depend on one another make pivots that are
  // squares, and so lose twice the digits that the equations themselves lose.
  void Solve(std::span<double> b);
  // The smallest pivot relative to the largest; after a successful Factorise.
  double SmallestPivot();
  // Of a factorisation in the pivots found last, with the scaling of the rows, and of a solution that is
  // not corrected; after a successful Factorise.
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
  double smallest_pivot_ = 0;       // of the factors looked at last
  std::span<const double> values_;  // factorised last
  std::vector<double> left_,
      right_;  // of the equations: what a solution leaves, and the right side
};

}  // namespace mbsbench
