// Loops whose constraints are so nearly dependent that methods which square their rows cannot tell.
#pragma once

#include <algorithm>

#include "methods/interface/status.h"

namespace mbsbench {

// What has to be left of a row of length 1 after the others: the matrix of the multipliers is quadratic in the rows, and
// squares keep half of the digits.
inline constexpr double kLeastIndependent = 1e-7;

// What round-off leaves of a row of length 1 that depends on others, where rows are functions of so many rates: below 1e-14
// on mutated models of up to 18 bodies. What the data leave of it is seen above that, and counts.
inline double RoundOffOfDependentRow(double rates) {
  return std::clamp(1e-15 * rates, 1e-13, 1e-11);
}

Status NearlyDependentLoops();

}  // namespace mbsbench
