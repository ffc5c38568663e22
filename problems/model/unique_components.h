// Which components of a reaction redundant constraints leave undetermined.
#pragma once

#include <algorithm>
#include <array>
#include <functional>

namespace mbsbench {

// Force x y z, moment x y z: false if redundant constraints leave the component undetermined.
struct UniqueComponents {
  constexpr UniqueComponents() = default;
  constexpr explicit UniqueComponents(const std::array<bool, 6>& unique) : is_unique(unique) {}
  std::array<bool, 6> is_unique{true, true, true, true, true, true};
  bool& operator[](std::size_t k) { return is_unique[k]; }
  bool operator[](std::size_t k) const { return is_unique[k]; }
  bool all() const { return std::ranges::all_of(is_unique, std::identity{}); }
  bool any() const { return std::ranges::any_of(is_unique, std::identity{}); }
  bool operator==(const UniqueComponents&) const = default;
};

}  // namespace mbsbench
