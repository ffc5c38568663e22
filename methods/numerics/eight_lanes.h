// Eight numbers in one vector register, or in two if the processor has none of that width: a row of a 6 x 6 block with two
// more entries.
//
// Two registers are written out as two: compilers pass a vector that is wider than the registers through memory.
#pragma once

#ifdef __AVX512F__
#include <immintrin.h>
#endif

#include "methods/numerics/block_algebra.h"
#include "methods/numerics/lanes.h"

namespace mbsbench {

struct Eight {
  using Four = Lanes::Vector;

  Eight() = default;
#ifdef __AVX512F__
  using Vector = LanesOf<8>::Vector;
  Vector v{};

  explicit Eight(double a) : v{a, a, a, a, a, a, a, a} {}
  explicit Eight(const Vector& a) : v(a) {}
  Eight(double a, double b, double c, double d, double e, double f, double g = 0)
      : v{a, b, c, d, e, f, g, 0} {}
#else
  Lanes first, last;

  // Copied register by register: the implicit copy uses smaller pieces, on which the next load
  // stalls.
  Eight(const Eight& a) : first(a.first), last(a.last) {}
  Eight& operator=(const Eight& a) {
    first = a.first, last = a.last;
    return *this;
  }
  explicit Eight(double a) : first(a), last(first) {}
  Eight(const Lanes& low, const Lanes& high) : first(low), last(high) {}
  Eight(double a, double b, double c, double d, double e, double f, double g = 0)
      : first(Four{a, b, c, d}), last(Four{e, f, g, 0}) {}
#endif

  // Their address in memory.
  const double* data() const { return reinterpret_cast<const double*>(this); }
  double* data() { return reinterpret_cast<double*>(this); }
};

// Without registers of this width the calling convention differs, which does not matter because everything is
// inlined.
#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wpsabi"
#endif

#ifdef __AVX512F__
[[gnu::always_inline]] inline Eight operator+(const Eight& a, const Eight& b) {
  return Eight(a.v + b.v);
}
[[gnu::always_inline]] inline Eight operator-(const Eight& a, const Eight& b) {
  return Eight(a.v - b.v);
}
[[gnu::always_inline]] inline Eight operator*(const Eight& a, const Eight& b) {
  return Eight(a.v * b.v);
}
#else
[[gnu::always_inline]] inline Eight operator+(const Eight& a, const Eight& b) {
  return {a.first + b.first, a.last + b.last};
}
[[gnu::always_inline]] inline Eight operator-(const Eight& a, const Eight& b) {
  return {a.first - b.first, a.last - b.last};
}
[[gnu::always_inline]] inline Eight operator*(const Eight& a, const Eight& b) {
  return {a.first * b.first, a.last * b.last};
}
#endif
[[gnu::always_inline]] inline Eight operator*(double a, const Eight& b) { return Eight(a) * b; }

// Number k, a compile-time constant.
template <int k>
[[gnu::always_inline]] inline double Number(const Eight& a) {
#ifdef __AVX512F__
  return a.v[k];
#else
  return k < 4 ? a.first.v[k % 4] : a.last.v[k % 4];
#endif
}

// Number k in all entries.
template <int k>
[[gnu::always_inline]] inline Lanes Splat(const Lanes& a) {
  return Lanes(__builtin_shufflevector(a.v, a.v, k, k, k, k));
}
template <int k>
[[gnu::always_inline]] inline Eight Splat(const Eight& a) {
#ifdef __AVX512F__
  return Eight(__builtin_shufflevector(a.v, a.v, k, k, k, k, k, k, k, k));
#else
  const Lanes all = Splat<k % 4>(k < 4 ? a.first : a.last);
  return {all, all};
#endif
}

// The first six numbers shifted to entry k, and zeros.
template <int k>
[[gnu::always_inline]] inline Eight RightOf(const Eight& a) {
  constexpr int kFirst[] = {k < 0 ? 0 : 4, k < 1 ? 1 : 4, k < 2 ? 2 : 4, k < 3 ? 3 : 4};
  constexpr int kLast[] = {k < 4 ? 0 : 4, k < 5 ? 1 : 4};
#ifdef __AVX512F__
  constexpr auto in_eight = [](int at, int half) { return at < 4 ? at + half : 8; };
  return Eight(__builtin_shufflevector(
      a.v, Eight::Vector{}, in_eight(kFirst[0], 0), in_eight(kFirst[1], 0), in_eight(kFirst[2], 0),
      in_eight(kFirst[3], 0), in_eight(kLast[0], 4), in_eight(kLast[1], 4), 8, 8));
#else
  const Eight::Four none{};
  return {
      Lanes(__builtin_shufflevector(a.first.v, none, kFirst[0], kFirst[1], kFirst[2], kFirst[3])),
      Lanes(__builtin_shufflevector(a.last.v, none, kLast[0], kLast[1], 4, 4))};
#endif
}

// `others` with `value` as entry k.
[[gnu::always_inline]] inline Eight InPlace(int k, double value, const Eight& others) {
  const auto at = static_cast<double>(k);
#ifdef __AVX512F__
  const Eight::Vector places = {0, 1, 2, 3, 4, 5, 6, 7};
  return Eight(places == at ? Eight(value).v : others.v);
#else
  const Eight::Four first = {0, 1, 2, 3}, last = {4, 5, 6, 7};
  const Lanes all(value);
  return {Lanes(first == at ? all.v : others.first.v), Lanes(last == at ? all.v : others.last.v)};
#endif
}

[[gnu::always_inline]] inline double Sum(const Eight& a) {
#ifdef __AVX512F__
  const Eight::Four half =
      __builtin_shufflevector(a.v, a.v, 0, 1, 2, 3) + __builtin_shufflevector(a.v, a.v, 4, 5, 6, 7);
#else
  const Eight::Four half = a.first.v + a.last.v;
#endif
  return (half[0] + half[2]) + (half[1] + half[3]);
}

// Three numbers in entries 3 to 5, and zeros.
[[gnu::always_inline]] inline Eight AfterThree(const Vec<double>& a) {
#ifdef __AVX512F__
  return Eight(Eight::Vector(_mm512_maskz_expandloadu_pd(0b00111000, &a.x)));
#else
  return {0, 0, 0, a.x, a.y, a.z};
#endif
}

// Transfers entries 3 to 5 of a row, which belong to a, to the parent's origin: a = a_p + alpha_p x r. The entries are kept, times
// `kept`.
struct Shift {
#ifdef __AVX512F__
  Eight::Vector ahead, behind;
  Shift(const Vec<double>& r, double kept) {
    const Eight::Vector all = {r.x, r.y, r.z, kept, 0, 0, 0, 0};
    ahead = __builtin_shufflevector(all, all, 1, 2, 0, 3, 3, 3, 4, 4);
    behind = __builtin_shufflevector(all, all, 2, 0, 1, 4, 4, 4, 4, 4);
  }
  [[gnu::always_inline]] Eight Of(const Eight& row) const {
    return Eight(__builtin_shufflevector(row.v, row.v, 5, 3, 4, 3, 4, 5, 6, 7) * ahead -
                 __builtin_shufflevector(row.v, row.v, 4, 5, 3, 3, 4, 5, 6, 7) * behind);
  }
  [[gnu::always_inline]] Eight AddedTo(const Eight& row) const { return row + Of(row); }
#else
  Eight x, y, z;
  // Valgrind 3.19 does not support the move instruction for a number followed by a zero with some registers, so y is assembled
  // differently.
  Shift(const Vec<double>& r, double kept)
      : x(0, r.z, -r.y, kept, 0, 0),
        y(InPlace(0, -r.z, InPlace(2, r.x, Eight(0, 0, 0, 0, kept, 0)))),
        z(r.y, -r.x, 0, 0, 0, kept) {}
  [[gnu::always_inline]] Eight Of(const Eight& row) const {
    return Splat<3>(row) * x + Splat<4>(row) * y + Splat<5>(row) * z;
  }
  [[gnu::always_inline]] Eight AddedTo(const Eight& row) const {
    return row + Splat<3>(row) * x + Splat<4>(row) * y + Splat<5>(row) * z;
  }
#endif
};

// Six numbers in vectors of two, which sum the products with one row in fewer steps.
struct Six {
  typedef double Two __attribute__((vector_size(16), may_alias));
  Two first{}, middle{}, last{};

  Six() = default;
  Six(const Vec<double>& a, const Vec<double>& b)
      : first{a.x, a.y}, middle{a.z, b.x}, last{b.y, b.z} {}
  const double* data() const { return reinterpret_cast<const double*>(this); }
};

// Adds the products with the first six numbers of a row in memory. The result is the sum of both
// entries.
[[gnu::always_inline]] inline Six::Two AddProducts(const Eight& row, const Six& a, Six::Two sum) {
  const auto* const pairs = reinterpret_cast<const Six::Two*>(row.data());
  return sum + pairs[0] * a.first + pairs[1] * a.middle + pairs[2] * a.last;
}

// Six rows, of which six columns are used.
struct Block {
  Vec<Eight> n, f;
};

[[gnu::always_inline]] inline Block operator+(const Block& a, const Block& b) {
  return {a.n + b.n, a.f + b.f};
}

#ifdef __AVX512F__
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
#else
[[gnu::always_inline]] inline Block Transposed(const Block& block) {
  using Four = Eight::Four;
  struct Pair {
    Four even, odd;
  };
  const auto pair = [](const Lanes& a, const Lanes& b) {
    return Pair{__builtin_shufflevector(a.v, b.v, 0, 4, 2, 6),
                __builtin_shufflevector(a.v, b.v, 1, 5, 3, 7)};
  };
  const auto first = [](const Four& a, const Four& b) {
    return Lanes(__builtin_shufflevector(a, b, 0, 1, 4, 5));
  };
  const auto second = [](const Four& a, const Four& b) {
    return Lanes(__builtin_shufflevector(a, b, 2, 3, 6, 7));
  };
  const auto& [n, f] = block;
  const Pair p = pair(n.x.first, n.y.first), q = pair(n.z.first, f.x.first),
             r = pair(f.y.first, f.z.first), s = pair(n.x.last, n.y.last),
             t = pair(n.z.last, f.x.last), u = pair(f.y.last, f.z.last);
  const Four none{};
  return {{{first(p.even, q.even), first(r.even, none)},
           {first(p.odd, q.odd), first(r.odd, none)},
           {second(p.even, q.even), second(r.even, none)}},
          {{second(p.odd, q.odd), second(r.odd, none)},
           {first(s.even, t.even), first(u.even, none)},
           {first(s.odd, t.odd), first(u.odd, none)}}};
}
#endif

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic pop
#endif

}  // namespace mbsbench
