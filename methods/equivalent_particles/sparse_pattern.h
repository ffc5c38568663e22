// Compressed columns from the entries that an assembly visits, in one fixed order.
#pragma once

#include <vector>

#include "methods/interface/formulation.h"

namespace mbsbench::equivalent_particles {

class VisitedPattern {
 public:
  explicit VisitedPattern(int size) : size_(size) {}

  void Note(int row, int column) { entries_.push_back({row, column}); }
  // After all entries have been noted; they may repeat.
  void Compress();

  const SparsityPattern& pattern() const { return pattern_; }
  // Where the k-th noted entry goes in the values.
  int place(std::size_t k) const { return place_[k]; }

 private:
  struct Entry {
    int row, column;
  };
  int size_;
  std::vector<Entry> entries_;
  std::vector<int> place_;
  SparsityPattern pattern_;
};

}  // namespace mbsbench::equivalent_particles
