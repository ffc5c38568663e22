// Compressed columns from a list of entries.
#pragma once

#include <vector>

#include "methods/interface/formulation.h"

namespace mbsbench {

struct MatrixEntry {
  int row, column;
};

// The pattern of an n x n matrix that has all `entries` (which may repeat), and for each entry its
// index in the values.
struct CompressedPattern {
  SparsityPattern pattern;
  std::vector<int> place;
};
CompressedPattern Compress(int n, const std::vector<MatrixEntry>& entries);

}  // namespace mbsbench
