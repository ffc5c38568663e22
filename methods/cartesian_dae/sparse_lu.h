// Sparse LU of a square matrix in compressed columns, by KLU.
#pragma once

#include <klu.h>

#include <span>
#include <vector>

namespace mbsbench::cartesian {

// kKept: in the order that the last kNew found, where that is stable, which spares the search and the
// memory for it; else in a new order that is not kept. So factors depend on what was factorised as kNew
// and on the values, not on whatever came between.
enum class Pivots { kNew, kKept };

class SparseLu {
 public:
  // The pattern is analysed once; it must outlive this object.
  SparseLu(std::span<int> column_start, std::span<int> row);
  ~SparseLu();
  SparseLu(const SparseLu&) = delete;
  SparseLu& operator=(const SparseLu&) = delete;

  // The column whose pivot vanishes (rows scaled to 1), or -1 after success.
  int Factorise(std::span<double> values, Pivots pivots = Pivots::kNew);
  // Overwrites b by the solution; after a successful Factorise.
  void Solve(std::span<double> b);

 private:
  bool Repeat(std::span<double> values);
  int SingularColumn(const klu_numeric& factors) const;

  std::span<int> column_start_, row_;
  klu_common common_;
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric *kept_ = nullptr, *passing_ = nullptr, *current_ = nullptr;
};

}  // namespace mbsbench::cartesian
