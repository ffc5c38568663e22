// The scalar of kernels that run in SIMD lanes: several numbers in one vector.
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>

#include "methods/interface/batch.h"

namespace mbsbench {

// GCC's vector types: without AVX they become vectors of two, without AVX-512 of four.
template <std::size_t count>
struct VectorsOf;
template <>
struct VectorsOf<4> {
  typedef double Reals __attribute__((vector_size(32), may_alias));
  typedef std::int64_t Bits __attribute__((vector_size(32), may_alias));
};
template <>
struct VectorsOf<8> {
  typedef double Reals __attribute__((vector_size(64), may_alias));
  typedef std::int64_t Bits __attribute__((vector_size(64), may_alias));
};

template <std::size_t count>
struct LanesOf {
  using Vector = typename VectorsOf<count>::Reals;
  Vector v{};

  LanesOf() = default;
  explicit LanesOf(double a) : v(a - Vector{}) {}
  explicit LanesOf(Vector a) : v(a) {}
};

// Width of vectors within one evaluation.
inline constexpr std::size_t kLanes = 4;
using Lanes = LanesOf<kLanes>;
// One lane per state: the number of states of a batch that a vector of this build holds.
#ifdef __AVX512F__
inline constexpr std::size_t kBatchLanes = 8;
#else
inline constexpr std::size_t kBatchLanes = 4;
#endif
using BatchLanes = LanesOf<kBatchLanes>;

template <std::size_t n>
[[gnu::always_inline]] inline LanesOf<n> operator+(const LanesOf<n>& a, const LanesOf<n>& b) {
  return LanesOf<n>(a.v + b.v);
}
template <std::size_t n>
[[gnu::always_inline]] inline LanesOf<n> operator-(const LanesOf<n>& a, const LanesOf<n>& b) {
  return LanesOf<n>(a.v - b.v);
}
template <std::size_t n>
[[gnu::always_inline]] inline LanesOf<n> operator*(const LanesOf<n>& a, const LanesOf<n>& b) {
  return LanesOf<n>(a.v * b.v);
}
template <std::size_t n>
[[gnu::always_inline]] inline LanesOf<n> operator/(const LanesOf<n>& a, const LanesOf<n>& b) {
  return LanesOf<n>(a.v / b.v);
}
template <std::size_t n>
[[gnu::always_inline]] inline LanesOf<n> operator-(const LanesOf<n>& a) {
  return LanesOf<n>(-a.v);
}

// True if it holds in all lanes; false for NaN in any.
template <std::size_t n>
[[gnu::always_inline]] inline bool Exceeds(const LanesOf<n>& a, const LanesOf<n>& b) {
#ifdef __AVX512F__
  if constexpr (n == 8) {
    constexpr int kGreater = 30;  // ordered, quiet
    return __builtin_ia32_cmppd512_mask(a.v, b.v, kGreater, -1, 4) == 0xff;
  }
#endif
  const auto holds = a.v > b.v;
  auto all = holds[0];
  for (std::size_t l = 1; l < n; ++l) all &= holds[l];
  return all != 0;
}

template <std::size_t n>
LanesOf<n> sin(const LanesOf<n>& a) {
  LanesOf<n> result;
  for (std::size_t l = 0; l < n; ++l) result.v[l] = std::sin(a.v[l]);
  return result;
}
template <std::size_t n>
LanesOf<n> cos(const LanesOf<n>& a) {
  LanesOf<n> result;
  for (std::size_t l = 0; l < n; ++l) result.v[l] = std::cos(a.v[l]);
  return result;
}

}  // namespace mbsbench
