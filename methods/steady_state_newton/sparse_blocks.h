// A sparse matrix that is filled by the same sequence of blocks in every evaluation. The first pass
// finds the pattern; later ones only write.
#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "methods/numerics/sparse_pattern.h"

namespace mbsbench::steady {

template <typename Real>
class SparseBlocks {
 public:
  const SparsityPattern& pattern() const { return compressed_.pattern; }

  // Entries go to `values` (of the pattern's size), or, while that is empty, to the pattern.
  void Begin(std::span<Real> values) {
    values_ = values;
    next_ = 0;
    std::fill(values.begin(), values.end(), Real(0));
  }
  void Add(int row, int column, const Real& value) {
    if (values_.empty()) {
      entries_.push_back({row, column});
    } else {
      values_[static_cast<std::size_t>(compressed_.place[next_++])] += value;
    }
  }
  template <typename Matrix>
  void AddBlock(int row, int column, const Matrix& block) {
    for (Eigen::Index j = 0; j < block.cols(); ++j) {
      for (Eigen::Index i = 0; i < block.rows(); ++i) {
        Add(row + static_cast<int>(i), column + static_cast<int>(j), block(i, j));
      }
    }
  }
  // Ends the first pass: the pattern of all that was added, in a matrix of `size`.
  void FindPattern(int size) {
    compressed_ = Compress(size, entries_);
    entries_ = {};
  }

 private:
  std::vector<MatrixEntry> entries_;  // of the first pass
  CompressedPattern compressed_;      // the pattern, and the place of each addition in its values
  std::size_t next_ = 0;
  std::span<Real> values_;
};

}  // namespace mbsbench::steady
