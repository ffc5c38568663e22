// The larger of two errors.
#pragma once

#include <cmath>

namespace mbsbench {

// What is no number is the worst of all, and stays: std::max would drop it.
inline double Worse(double a, double b) { return a >= b || std::isnan(a) ? a : b; }

}  // namespace mbsbench
