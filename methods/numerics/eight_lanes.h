// Eight numbers in one vector, or in two where the processor has none so wide: a row of a 6 x 6 block with two places more.
#pragma once

#include "methods/numerics/block_algebra.h"
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

// Six rows, of which six columns count.
struct Block {
  Vec<Eight> n, f;
};

[[gnu::always_inline]] inline Block operator+(const Block& a, const Block& b) {
  return {a.n + b.n, a.f + b.f};
}

[[gnu::always_inline]] inline Block Transposed(const Block& block) {
  using V = Eight::Vector;
  struct Pair {
    V even, odd;
  };
  const auto pair = [](const Eight& a, const Eight& b) {
    return Pair{__builtin_shufflevector(a.v, b.v, 0, 8, 2, 10, 4, 12, 6, 14),
                __builtin_shufflevector(a.v, b.v, 1, 9, 3, 11, 5, 13, 7, 15)};
  };
  const auto first = [](const V& a, const V& b) {  // columns 0 or 1, and 4 or 5
    return __builtin_shufflevector(a, b, 0, 1, 8, 9, 4, 5, 12, 13);
  };
  const auto second = [](const V& a, const V& b) {  // columns 2 or 3
    return __builtin_shufflevector(a, b, 2, 3, 10, 11, 6, 7, 14, 15);
  };
  const auto low = [](const V& a, const V& b) {
    return Eight(__builtin_shufflevector(a, b, 0, 1, 2, 3, 8, 9, 10, 11));
  };
  const auto high = [](const V& a, const V& b) {
    return Eight(__builtin_shufflevector(a, b, 4, 5, 6, 7, 12, 13, 14, 15));
  };
  const Pair p = pair(block.n.x, block.n.y), q = pair(block.n.z, block.f.x),
             r = pair(block.f.y, block.f.z);
  const V none{}, a = first(p.even, q.even), b = first(r.even, none), c = first(p.odd, q.odd),
                  d = first(r.odd, none);
  return {{low(a, b), low(c, d), low(second(p.even, q.even), second(r.even, none))},
          {low(second(p.odd, q.odd), second(r.odd, none)), high(a, b), high(c, d)}};
}

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

}  // namespace mbsbench
