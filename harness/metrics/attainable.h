// The accuracy attainable in double precision: the error caused by round-off in the initial state and the data.
#pragma once

#include "harness/metrics/accuracy_judge.h"

namespace mbsbench {

// Both sensitivities at the sample where their sum is largest (reference/sensitivity.h).
struct LargestSensitivity {
  double time = 0;      // [s]
  double of_state = 0;  // ||Phi||_2
  MaybeNumber of_data;  // P; empty where it is not computed
  double sum() const { return of_state + of_data.value_or(0); }
};
// Empty if no sensitivity is computed.
std::optional<LargestSensitivity> LargestSensitivityOf(const Reference& reference);

// 1.1e-16 (||Phi||_2 + P), the error caused by round-off in the initial state and the data alone.
MaybeNumber AttainableError(const Reference& reference);

// "Digits this problem allows": -log10 of it.
MaybeNumber DigitsAllowed(const Reference& reference);

inline constexpr char kDigitsAllowedMeaning[] =
    "Digits allowed by a problem: -log10(1.1e-16 x (sensitivity to its initial state + to its "
    "data)); no method in double precision can do better.";

}  // namespace mbsbench
