// The accuracy attainable in double precision: the problem's sensitivity times the unit round-off.
#pragma once

#include "harness/metrics/accuracy_judge.h"

namespace mbsbench {

// Error caused by round-off in the initial state alone; empty if the sensitivity is not known.
MaybeNumber AttainableError(const Reference& reference);

// "Digits this problem allows": -log10 of it.
MaybeNumber DigitsAllowed(const Reference& reference);

inline constexpr char kDigitsAllowedMeaning[] =
    "Digits allowed by a problem: -log10(sensitivity to its initial state x 1.1e-16); no method in "
    "double precision can do better.";

}  // namespace mbsbench
