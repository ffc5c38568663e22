// Sines and cosines of many angles at once, in vectors. A library call per angle would cost half as
// much as the elimination of a revolute joint.
//
// An angle is x = n pi/2 + r with |r| <= pi/4, pi/2 in two parts of which the first has 33 bits, so
// that n times it is exact; sin r and cos r are the minimax polynomials of Sun's fdlibm (k_sin.c,
// k_cos.c), which hold to 2^-58. Measured: absolute errors below 1.2e-16 up to the largest n.
// Larger angles and NaN are passed to the library.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "methods/numerics/lanes.h"

namespace mbsbench {

namespace sine_cosine {

inline constexpr double kMostRadians = 1.5e6;  // n below 2^20

template <std::size_t n>
[[gnu::noinline, gnu::cold]] void CalcByLibrary(const LanesOf<n>& x, LanesOf<n>& sine,
                                                LanesOf<n>& cosine) {
  sine = sin(x);
  cosine = cos(x);
}

}  // namespace sine_cosine

template <std::size_t lanes>
inline void CalcSineCosine(const LanesOf<lanes>& angle, LanesOf<lanes>& sine,
                           LanesOf<lanes>& cosine) {
  using Bits = typename VectorsOf<lanes>::Bits;
  using Vector = typename LanesOf<lanes>::Vector;
  const Vector x = angle.v;
  const Bits in_range = (x < sine_cosine::kMostRadians) & (x > -sine_cosine::kMostRadians);
  std::int64_t all = in_range[0];
  for (std::size_t l = 1; l < lanes; ++l) all &= in_range[l];
  if (all == 0) [[unlikely]]
    return sine_cosine::CalcByLibrary(angle, sine, cosine);
  constexpr double kPerQuarter = 0x1.45f306dc9c883p-1;  // 2 / pi
  constexpr double kQuarter = 0x1.921fb544p+0, kQuarterRest = 0x1.0b4611a626331p-34;
  constexpr double kToLastBits = 0x1.8p52;  // in this sum the integer n is in the last bits
  const Vector shifted = x * kPerQuarter + kToLastBits;
  const Vector n = shifted - kToLastBits;
  const Vector r = (x - n * kQuarter) - n * kQuarterRest;
  const Vector z = r * r;
  const Vector s =
      -1.66666666666666324348e-01 +
      z * (8.33333333332248946124e-03 +
           z * (-1.98412698298579493134e-04 +
                z * (2.75573137070700676789e-06 +
                     z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10))));
  const Vector c =
      4.16666666666666019037e-02 +
      z * (-1.38888888888741095749e-03 +
           z * (2.48015872894767294178e-05 +
                z * (-2.75573143513906633035e-07 +
                     z * (2.08757232129817482790e-09 - z * 1.13596475577881948265e-11))));
  const Vector sin_r = r + (r * z) * s;
  const Vector half = 0.5 * z, near = 1 - half;
  const Vector cos_r = near + (((1 - near) - half) + (z * z) * c);
  // Quarter n: odd ones exchange the two, signs follow the second bit of n and of n + 1.
  const Bits quarter = reinterpret_cast<Bits>(shifted);
  const Bits odd = (quarter & 1) != 0;
  const Bits sine_bits = reinterpret_cast<Bits>(odd ? cos_r : sin_r) ^ ((quarter & 2) << 62);
  const Bits cosine_bits =
      reinterpret_cast<Bits>(odd ? sin_r : cos_r) ^ (((quarter + 1) & 2) << 62);
  sine.v = reinterpret_cast<Vector>(sine_bits);
  cosine.v = reinterpret_cast<Vector>(cosine_bits);
}

// Sines and cosines of a few angles of any scalar.
template <class T>
struct SineCosineBlock {
  static constexpr int kSize = 16;
  alignas(kLanes * sizeof(double)) alignas(T) T sine[kSize], cosine[kSize];

  // Sets sine and cosine of angle_of(0 ... count - 1).
  template <class AngleOf>
  [[gnu::always_inline]] inline void Calc(int count, AngleOf angle_of) {
    if constexpr (std::is_same_v<T, double>) {
      static_assert(kLanes == 4 && kSize % kLanes == 0);
      for (int i = 0; i < count; i += 4) {
        const auto at = [&](int k) { return angle_of(std::min(i + k, count - 1)); };
        Lanes s, c;
        CalcSineCosine(Lanes(Lanes::Vector{at(0), at(1), at(2), at(3)}), s, c);
        std::memcpy(sine + i, &s.v, sizeof s.v);
        std::memcpy(cosine + i, &c.v, sizeof c.v);
      }
    } else if constexpr (std::is_same_v<T, BatchLanes>) {
      for (int i = 0; i < count; ++i) CalcSineCosine(angle_of(i), sine[i], cosine[i]);
    } else {
      using std::cos, std::sin;
      for (int i = 0; i < count; ++i) {
        sine[i] = sin(angle_of(i));
        cosine[i] = cos(angle_of(i));
      }
    }
  }
};

}  // namespace mbsbench
