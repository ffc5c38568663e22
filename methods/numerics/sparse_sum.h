// A sparse matrix that is a sum of small dense ones, the parts, each in a few of the unknowns.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "methods/numerics/sparse_pattern.h"

namespace mbsbench {

class SparseSum {
 public:
  // The next part. Its entry (i, j), at i + stride * j of its matrix, has the row unknowns[i] and the column unknowns[j];
  // -1: the entry is not used. Entries that `present` has as 0 are not used either; empty: all are.
  void AddPart(std::span<const int> unknowns, int stride, std::span<const char> present = {});
  // After the last part. The matrix is n x n.
  SparsityPattern MakePattern(int n);

  void Add(std::size_t part, const double* matrix, std::span<double> values) const {
    const Part& p = parts_[part];
    for (std::size_t k = 0; k < p.from.size(); ++k)
      values[static_cast<std::size_t>(p.to[k])] += matrix[p.from[k]];
  }

 private:
  struct Part {
    std::vector<int> from, to;  // places in its matrix and among the values
  };
  std::vector<Part> parts_;
  std::vector<MatrixEntry> entries_;
};

}  // namespace mbsbench
