// Repeated work begins in other last places each time, so that a method that remembers earlier answers gains nothing.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include "problems/model/state.h"

namespace mbsbench {

// `value` moved by so many units of its last place, or of that of 1 if it is smaller.
inline double InOtherLastPlaces(double value, double units) {
  return value + units * std::numeric_limits<double>::epsilon() * std::max(1., std::abs(value));
}

// The coordinates in both forms of the state; repetition 0 leaves them as they are.
inline SystemState InFreshDigits(SystemState state, int repetition) {
  const auto units = static_cast<double>(repetition);
  for (double& q : state.joints.q) q = InOtherLastPlaces(q, units);
  for (BodyState& body : state.bodies) {
    for (double* x : {&body.position.x, &body.position.y, &body.position.z})
      *x = InOtherLastPlaces(*x, units);
  }
  return state;
}

}  // namespace mbsbench
