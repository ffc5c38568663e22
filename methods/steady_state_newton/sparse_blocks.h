// A sparse matrix that is filled by the same sequence of blocks in every evaluation. The first pass
// finds the pattern; later ones only write.
#pragma once

#include <algorithm>
#include <numeric>
#include <span>
#include <vector>

#include "methods/interface/formulation.h"

namespace mbsbench::steady {

template <typename Real>
class SparseBlocks {
 public:
  const SparsityPattern& pattern() const { return pattern_; }

  // Entries go to `values` (of the pattern's size), or, while that is empty, to the pattern.
  void Begin(std::span<Real> values) {
    values_ = values;
    next_ = 0;
    std::fill(values.begin(), values.end(), Real(0));
  }
  void Add(int row, int column, const Real& value) {
    if (values_.empty()) {
      rows_.push_back(row);
      columns_.push_back(column);
    } else {
      values_[static_cast<std::size_t>(place_[next_++])] += value;
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
    std::vector<std::size_t> order(rows_.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
      return columns_[a] != columns_[b] ? columns_[a] < columns_[b] : rows_[a] < rows_[b];
    });
    place_.assign(rows_.size(), 0);
    pattern_.row.clear();
    std::vector<int> count(static_cast<std::size_t>(size) + 1, 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const std::size_t e = order[i];
      const bool repeated =
          i > 0 && rows_[order[i - 1]] == rows_[e] && columns_[order[i - 1]] == columns_[e];
      if (!repeated) {
        pattern_.row.push_back(rows_[e]);
        ++count[static_cast<std::size_t>(columns_[e]) + 1];
      }
      place_[e] = static_cast<int>(pattern_.row.size()) - 1;
    }
    std::partial_sum(count.begin(), count.end(), count.begin());
    pattern_.column_start = std::move(count);
    rows_ = {};
    columns_ = {};
  }

 private:
  SparsityPattern pattern_;
  std::vector<int> rows_, columns_;  // of the first pass
  std::vector<int> place_;           // of each addition in the values
  std::size_t next_ = 0;
  std::span<Real> values_;
};

}  // namespace mbsbench::steady
