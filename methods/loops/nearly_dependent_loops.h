// Loops whose constraints are so nearly dependent that methods which square their rows cannot
// detect it.
#pragma once

#include <algorithm>
#include <limits>

#include "methods/interface/status.h"
#include "problems/model/system.h"

namespace mbsbench {

// Least remainder of a row of length 1 after the others: the matrix of the multipliers is quadratic in the rows, and
// squares keep half of the digits.
inline constexpr double kLeastIndependent = 1e-7;

// Error of the entries of rows of about unit length: last places of a double, accumulated over frames (8 of them are enough
// for the mechanisms of the tests, rotated and in any units).
inline constexpr double kEntryKnownTo = 64 * std::numeric_limits<double>::epsilon() / 2;

// Least ratio of the remainder of a row to its error due to the last places of the data (KnownRank): digits of the
// answer.
inline constexpr double kLeastKnown = 1e4;

// These three, where the system states that its frames are less exact than doubles.
struct RowAccuracy {
  RowAccuracy() = default;
  explicit RowAccuracy(const System& system) {
    if (!(system.loop_precision > 0)) return;
    const double dependent = kDependentPerPrecision * system.loop_precision;
    is_rounded = true;
    least_independent = std::max(least_independent, dependent);
    entry_known_to = std::max(entry_known_to, dependent);
    least_known = kIndependentPerPrecision / kDependentPerPrecision;
  }

  bool is_rounded = false;
  double least_independent = kLeastIndependent;
  double entry_known_to = kEntryKnownTo;
  double least_known = kLeastKnown;
};

Status NearlyDependentLoops(const RowAccuracy& accuracy);

}  // namespace mbsbench
