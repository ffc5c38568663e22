// Vectors and quaternions in JSON.
#pragma once

#include <cmath>
#include <vector>

#include "problems/io/json_document.h"
#include "problems/model/geometry.h"

namespace mbsbench {

inline Vector3 ReadVector(const JsonValue& value) {
  const std::vector<double> v = value.Numbers(3);
  return {v[0], v[1], v[2]};
}

// Files contain quaternions with a limited number of digits. A quaternion whose norm deviates from 1
// by more than round-off (and by at most the 1e-6 of Validate) is normalised, so that every
// formulation reads the same rotation; one that is unit to round-off keeps its bits.
inline Quaternion ReadQuaternion(const JsonValue& value) {
  constexpr double kRoundOff = 1e-15, kUnitTolerance = 1e-6;
  const std::vector<double> v = value.Numbers(4);
  const Quaternion q{v[0], v[1], v[2], v[3]};
  const double off = std::abs(Norm(q) - 1);
  return off > kRoundOff && off <= kUnitTolerance ? Normalised(q) : q;
}

}  // namespace mbsbench
