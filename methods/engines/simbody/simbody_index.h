// Included before any header of Simbody: they are older than C++20, in which the comparison of two
// of its index types is ambiguous. This overload is preferred to all conversions.
#pragma once

namespace SimTK {

template <typename Index>
requires requires(const Index& index) { index.isValidExtended(); }
bool operator==(const Index& a, const Index& b) {
  return static_cast<int>(a) == static_cast<int>(b);
}

}  // namespace SimTK
