// The scalar of kernels that run in SIMD lanes: kLanes numbers in one vector.
#pragma once

#include <cmath>

#include "methods/interface/batch.h"

namespace mbsbench {

struct Lanes {
  // GCC's vector types: without AVX they become two vectors of two.
  typedef double Vector __attribute__((vector_size(kLanes * sizeof(double)), may_alias));
  Vector v{};

  Lanes() = default;
  explicit Lanes(double a) : v{a, a, a, a} {}
  explicit Lanes(Vector a) : v(a) {}
};

static_assert(sizeof(Lanes) == sizeof(LaneValues) && alignof(Lanes) <= alignof(LaneValues));

[[gnu::always_inline]] inline Lanes operator+(const Lanes& a, const Lanes& b) {
  return Lanes(a.v + b.v);
}
[[gnu::always_inline]] inline Lanes operator-(const Lanes& a, const Lanes& b) {
  return Lanes(a.v - b.v);
}
[[gnu::always_inline]] inline Lanes operator*(const Lanes& a, const Lanes& b) {
  return Lanes(a.v * b.v);
}
[[gnu::always_inline]] inline Lanes operator/(const Lanes& a, const Lanes& b) {
  return Lanes(a.v / b.v);
}
[[gnu::always_inline]] inline Lanes operator-(const Lanes& a) { return Lanes(-a.v); }

// In all lanes; false for NaN in any.
[[gnu::always_inline]] inline bool Exceeds(const Lanes& a, const Lanes& b) {
  const auto holds = a.v > b.v;
  return (holds[0] & holds[1] & holds[2] & holds[3]) != 0;
}

inline Lanes sin(const Lanes& a) {
  return Lanes(
      Lanes::Vector{std::sin(a.v[0]), std::sin(a.v[1]), std::sin(a.v[2]), std::sin(a.v[3])});
}
inline Lanes cos(const Lanes& a) {
  return Lanes(
      Lanes::Vector{std::cos(a.v[0]), std::cos(a.v[1]), std::cos(a.v[2]), std::cos(a.v[3])});
}

}  // namespace mbsbench
