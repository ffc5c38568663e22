// The arithmetic of the references: IEEE binary128 (113 bits, about 34 digits). Second solutions that need far fewer
// digits are computed in 64 bits (19 digits), about thirty times as fast.
#pragma once

#include <quadmath.h>

#include <bit>
#include <cmath>
#include <concepts>
#include <cstdint>
#include <string>

#include "problems/model/worse.h"

namespace mbsbench::extended {

__extension__ typedef __float128 Real;

inline constexpr double kRoundOff = 9.63e-35;  // 2^-113

inline Real Sqrt(Real x) { return sqrtq(x); }
inline Real Sin(Real x) { return sinq(x); }
inline Real Cos(Real x) { return cosq(x); }
inline Real Asin(Real x) { return asinq(x); }
inline Real Atan2(Real y, Real x) { return atan2q(y, x); }
inline Real Abs(Real x) { return fabsq(x); }
inline Real Floor(Real x) { return floorq(x); }
// NaN is larger than any number: a NaN difference must not count as zero.
inline Real Max(Real a, Real b) { return a >= b || isnanq(a) != 0 ? a : b; }
inline double Max(double a, double b) { return Worse(a, b); }
inline Real Pi() {
  static const Real pi = acosq(Real(-1));
  return pi;
}

// x == 0 without a call, since block eliminations skip zeros. (Layout: x86-64.)
inline bool IsZero(Real x) {
  struct Words {
    std::uint64_t low, high;
  };
  const auto words = std::bit_cast<Words>(x);
  return (words.low | (words.high << 1)) == 0;
}

using Real64 = long double;
// For no other type, so that doubles and integers are extended to Real.
inline Real64 Sqrt(std::same_as<Real64> auto x) { return std::sqrt(x); }
inline Real64 Sin(std::same_as<Real64> auto x) { return std::sin(x); }
inline Real64 Cos(std::same_as<Real64> auto x) { return std::cos(x); }
inline Real64 Atan2(std::same_as<Real64> auto y, Real64 x) { return std::atan2(y, x); }
inline Real64 Abs(std::same_as<Real64> auto x) { return std::fabs(x); }
inline bool IsZero(std::same_as<Real64> auto x) { return !(x < 0) && !(x > 0); }

// `digits` significant digits; exact zeros as "0".
std::string ToText(Real x, int digits);
// Throws ModelError unless all of `text` is one number.
Real FromText(const std::string& text);

}  // namespace mbsbench::extended
