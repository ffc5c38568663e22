#include "methods/numerics/sparse_pattern.h"

#include <algorithm>
#include <numeric>

namespace mbsbench {

CompressedPattern Compress(int n, const std::vector<MatrixEntry>& entries) {
  std::vector<std::size_t> order(entries.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [&entries](std::size_t a, std::size_t b) {
    return entries[a].column != entries[b].column ? entries[a].column < entries[b].column
                                                  : entries[a].row < entries[b].row;
  });
  CompressedPattern result;
  SparsityPattern& pattern = result.pattern;
  pattern.column_start.assign(static_cast<std::size_t>(n) + 1, 0);
  result.place.resize(entries.size());
  const MatrixEntry* previous = nullptr;
  for (std::size_t k : order) {
    const MatrixEntry& entry = entries[k];
    if (previous == nullptr || previous->row != entry.row || previous->column != entry.column) {
      pattern.row.push_back(entry.row);
      ++pattern.column_start[static_cast<std::size_t>(entry.column) + 1];
    }
    previous = &entry;
    result.place[k] = static_cast<int>(pattern.row.size()) - 1;
  }
  std::partial_sum(pattern.column_start.begin(), pattern.column_start.end(),
                   pattern.column_start.begin());
  return result;
}

}  // namespace mbsbench
