// Eight numbers in one vector, or in two where the processor has none so wide: a row of a 6 x 6 block with two places more.
#pragma once

#include "methods/numerics/lanes.h"

namespace mbsbench {

struct Eight {
  typedef double Vector __attribute__((vector_size(64), may_alias));
  Vector v{};

  Eight() = default;
  explicit Eight(double a) : v{a, a, a, a, a, a, a, a} {}
  explicit Eight(const Vector& a) : v(a) {}
  Eight(double a, double b, double c, double d, double e, double f, double g = 0)
      : v{a, b, c, d, e, f, g, 0} {}

  const double* data() const { return reinterpret_cast<const double*>(&v); }
};

// Without vectors of this width they are handed over in another way, which matters to nobody: all is inlined.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

[[gnu::always_inline]] inline Eight operator+(const Eight& a, const Eight& b) {
  return Eight(a.v + b.v);
}
[[gnu::always_inline]] inline Eight operator-(const Eight& a, const Eight& b) {
  return Eight(a.v - b.v);
}
[[gnu::always_inline]] inline Eight operator*(const Eight& a, const Eight& b) {
  return Eight(a.v * b.v);
}
[[gnu::always_inline]] inline Eight operator*(double a, const Eight& b) { return Eight(a) * b; }

// Number k in all places.
template <int k>
[[gnu::always_inline]] inline Eight Splat(const Eight& a) {
  return Eight(__builtin_shufflevector(a.v, a.v, k, k, k, k, k, k, k, k));
}

[[gnu::always_inline]] inline double Sum(const Eight& a) {
  const Lanes::Vector half =
      __builtin_shufflevector(a.v, a.v, 0, 1, 2, 3) + __builtin_shufflevector(a.v, a.v, 4, 5, 6, 7);
  return (half[0] + half[2]) + (half[1] + half[3]);
}

// Column j of the rows `in` becomes row j of `out`.
[[gnu::always_inline]] inline void Transpose(const Eight (&in)[8], Eight (&out)[8]) {
  using V = Eight::Vector;
  V even[4], odd[4];
  for (int i = 0; i < 4; ++i) {
    const V &a = in[2 * i].v, &b = in[2 * i + 1].v;
    even[i] = __builtin_shufflevector(a, b, 0, 8, 2, 10, 4, 12, 6, 14);
    odd[i] = __builtin_shufflevector(a, b, 1, 9, 3, 11, 5, 13, 7, 15);
  }
  const auto join = [&out](const V& first, const V& second, const V& third, const V& fourth,
                           int at) {
    const V a = __builtin_shufflevector(first, second, 0, 1, 8, 9, 4, 5, 12, 13),
            b = __builtin_shufflevector(first, second, 2, 3, 10, 11, 6, 7, 14, 15),
            c = __builtin_shufflevector(third, fourth, 0, 1, 8, 9, 4, 5, 12, 13),
            d = __builtin_shufflevector(third, fourth, 2, 3, 10, 11, 6, 7, 14, 15);
    out[at].v = __builtin_shufflevector(a, c, 0, 1, 2, 3, 8, 9, 10, 11);
    out[at + 2].v = __builtin_shufflevector(b, d, 0, 1, 2, 3, 8, 9, 10, 11);
    out[at + 4].v = __builtin_shufflevector(a, c, 4, 5, 6, 7, 12, 13, 14, 15);
    out[at + 6].v = __builtin_shufflevector(b, d, 4, 5, 6, 7, 12, 13, 14, 15);
  };
  join(even[0], even[1], even[2], even[3], 0);
  join(odd[0], odd[1], odd[2], odd[3], 1);
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

}  // namespace mbsbench
