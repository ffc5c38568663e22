// Random numbers from a seed, the same on every machine: the distributions of the standard library are not.
#pragma once

#include <cstdint>

#include "problems/model/geometry.h"

namespace mbsbench {

// SplitMix64.
class RandomNumbers {
 public:
  explicit RandomNumbers(std::uint64_t seed) : state_(seed) {}
  std::uint64_t Bits() {
    std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ull);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebull;
    return z ^ (z >> 31);
  }
  double Between(double low, double high) {
    return low + (high - low) * static_cast<double>(Bits() >> 11) * 0x1.0p-53;
  }
  int Below(int n) { return static_cast<int>(Bits() % static_cast<std::uint64_t>(n)); }
  Vector3 Vector(double size) {
    return {Between(-size, size), Between(-size, size), Between(-size, size)};
  }
  Quaternion Rotation() {
    for (;;) {
      const Quaternion q{Between(-1, 1), Between(-1, 1), Between(-1, 1), Between(-1, 1)};
      if (Norm(q) > 0.2 && Norm(q) < 1) return Normalised(q);
    }
  }

 private:
  std::uint64_t state_;
};

}  // namespace mbsbench
