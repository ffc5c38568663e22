// Loops whose constraints are so nearly dependent that methods which square their rows cannot tell.
#pragma once

#include "methods/interface/status.h"

namespace mbsbench {

// What has to be left of a row of length 1 after the others: the matrix of the multipliers is quadratic in the rows, and
// squares keep half of the digits.
inline constexpr double kLeastIndependent = 1e-7;

Status NearlyDependentLoops();

}  // namespace mbsbench
