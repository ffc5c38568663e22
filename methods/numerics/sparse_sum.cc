#include "methods/numerics/sparse_sum.h"

#include <utility>

namespace mbsbench {

void SparseSum::AddPart(std::span<const int> unknowns, int stride, std::span<const char> present) {
  Part part;
  const int size = static_cast<int>(unknowns.size());
  for (int j = 0; j < size; ++j) {
    for (int i = 0; i < size; ++i) {
      const int row = unknowns[static_cast<std::size_t>(i)],
                column = unknowns[static_cast<std::size_t>(j)], from = i + stride * j;
      if (row < 0 || column < 0) continue;
      if (!present.empty() && present[static_cast<std::size_t>(from)] == 0) continue;
      part.from.push_back(from);
      entries_.push_back({row, column});
    }
  }
  parts_.push_back(std::move(part));
}

SparsityPattern SparseSum::MakePattern(int n) {
  CompressedPattern compressed = Compress(n, std::exchange(entries_, {}));
  auto place = compressed.place.begin();
  for (Part& part : parts_) {
    const auto end = place + static_cast<std::ptrdiff_t>(part.from.size());
    part.to.assign(place, end);
    place = end;
  }
  return std::move(compressed.pattern);
}

}  // namespace mbsbench
