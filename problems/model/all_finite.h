#pragma once

#include <cstddef>
#include <span>

namespace mbsbench {

// Whether all values are finite: x - x is 0 then, and NaN otherwise. There is no branch per entry,
// and the sums are independent.
inline bool AllFinite(std::span<const double> values) {
  constexpr std::size_t kSums = 16;
  double sums[kSums] = {};
  const auto add = [&sums](const double* x, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) sums[i] += x[i] - x[i];
  };
  const double* const x = values.data();
  const std::size_t n = values.size();
  if (n < kSums) {
    add(x, n);
  } else {
    for (std::size_t i = 0; i + kSums <= n; i += kSums) add(x + i, kSums);
    add(x + n - kSums, kSums);  // the remaining ones, and some again
  }
  for (std::size_t half = kSums / 2; half > 0; half /= 2) {
    for (std::size_t i = 0; i < half; ++i) sums[i] += sums[i + half];
  }
  return sums[0] == 0;
}

}  // namespace mbsbench
