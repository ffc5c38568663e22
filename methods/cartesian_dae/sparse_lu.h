// Sparse LU of a square matrix in compressed columns, by KLU.
#pragma once

#include <klu.h>

#include <span>
#include <vector>

namespace mbsbench::cartesian {

// kLast: in the order of the last factorisation while that is stable, which spares the search and
// the memory for it; else as kNew.
enum class Pivots { kNew, kLast };

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

  std::span<int> column_start_, row_;
  klu_common common_;
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
};

}  // namespace mbsbench::cartesian
