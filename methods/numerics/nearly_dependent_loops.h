// Loops whose constraints are so nearly dependent that methods which square their rows cannot tell.
#pragma once

#include <limits>

#include "methods/interface/status.h"

namespace mbsbench {

// What has to be left of a row of length 1 after the others: the matrix of the multipliers is quadratic in the rows, and
// squares keep half of the digits.
inline constexpr double kLeastIndependent = 1e-7;

// What entries of rows of about unit length are known to: last places of a double, frame after frame (8 of them are enough for
// the mechanisms of the tests, turned and in any units).
inline constexpr double kEntryKnownTo = 64 * std::numeric_limits<double>::epsilon() / 2;

// How many rows are independent, as far as their data say (known_rank.h).
struct KnownRank {
  int rank = 0;
  // What is left of rows that count after the others, beside what it is known to: the least.
  double least = std::numeric_limits<double>::infinity();
};
// What has to be left of a row beside what the last places of the data leave open (KnownRank): digits of the answer.
inline constexpr double kLeastKnown = 1e4;

Status NearlyDependentLoops();

}  // namespace mbsbench
