#pragma once

#include <cmath>

namespace mbsbench {

// A unit for quantities of this size, in which they are compared with numbers of size 1: a power of 2, and 1 for usual sizes
// (1e-5 to 1e5), so that their last places stay as they are.
inline double CoarseUnit(double size) {
  constexpr double kStep = 32;  // of exponents
  if (!(size > 0) || (size > 0x1p-16 && size < 0x1p16)) return 1;
  return std::exp2(kStep * std::round(std::log2(size) / kStep));
}

}  // namespace mbsbench
