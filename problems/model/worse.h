// The larger of two errors.
#pragma once

#include <cmath>

namespace mbsbench {

// NaN ranks worst and propagates; std::max would drop it.
inline double Worse(double a, double b) { return a >= b || std::isnan(a) ? a : b; }

}  // namespace mbsbench
