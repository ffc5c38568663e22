#include "methods/equivalent_particles/sparse_pattern.h"

#include <algorithm>
#include <numeric>

namespace mbsbench::equivalent_particles {

void VisitedPattern::Compress() {
  std::vector<std::size_t> order(entries_.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::sort(order.begin(), order.end(), [this](std::size_t a, std::size_t b) {
    const Entry &p = entries_[a], &q = entries_[b];
    return p.column != q.column ? p.column < q.column : p.row < q.row;
  });
  pattern_.column_start.assign(static_cast<std::size_t>(size_) + 1, 0);
  place_.resize(entries_.size());
  const Entry* previous = nullptr;
  for (std::size_t k : order) {
    const Entry& entry = entries_[k];
    if (previous == nullptr || previous->row != entry.row || previous->column != entry.column) {
      pattern_.row.push_back(entry.row);
      ++pattern_.column_start[static_cast<std::size_t>(entry.column) + 1];
    }
    previous = &entry;
    place_[k] = static_cast<int>(pattern_.row.size()) - 1;
  }
  std::partial_sum(pattern_.column_start.begin(), pattern_.column_start.end(),
                   pattern_.column_start.begin());
  entries_ = {};
}

}  // namespace mbsbench::equivalent_particles
