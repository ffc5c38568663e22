// Sparse LU of a square matrix in compressed columns, by KLU.
#pragma once

#include <klu.h>

#include <span>
#include <vector>

namespace mbsbench::cartesian {

class SparseLu {
 public:
  // The pattern is analysed once; it must outlive this object.
  SparseLu(std::span<int> column_start, std::span<int> row);
  ~SparseLu();
  SparseLu(const SparseLu&) = delete;
  SparseLu& operator=(const SparseLu&) = delete;

  // The column whose pivot vanishes (rows scaled to 1), or -1 after success.
  int Factorise(std::span<double> values);
  // Overwrites b by the solution; after a successful Factorise.
  void Solve(std::span<double> b);

 private:
  std::span<int> column_start_, row_;
  klu_common common_;
  klu_symbolic* symbolic_ = nullptr;
  klu_numeric* numeric_ = nullptr;
};

}  // namespace mbsbench::cartesian
