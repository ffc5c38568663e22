#pragma once

#include <cstddef>
#include <span>

namespace mbsbench {

// Whether all values are finite: x - x is 0 then, and NaN otherwise. Without a branch per entry, and
// in sums that do not wait for one another.
inline bool AllFinite(std::span<const double> values) {
  constexpr std::size_t kSums = 16;
  double sums[kSums] = {};
  const double* x = values.data();
  const double* const end = x + values.size();
  for (; end - x >= static_cast<std::ptrdiff_t>(kSums); x += kSums) {
    for (std::size_t i = 0; i < kSums; ++i) sums[i] += x[i] - x[i];
  }
  for (; x != end; ++x) sums[0] += *x - *x;
  double sum = 0;
  for (double s : sums) sum += s;
  return sum == 0;
}

}  // namespace mbsbench
