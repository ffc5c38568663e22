#include "harness/metrics/attainable.h"

#include <algorithm>
#include <cmath>

namespace mbsbench {

namespace {

constexpr double kUnitRoundOff = 0x1p-53;  // 1.1e-16

}  // namespace

std::optional<LargestSensitivity> LargestSensitivityOf(const Reference& reference) {
  if (reference.sensitivity_how.empty()) return std::nullopt;
  std::optional<LargestSensitivity> largest;
  for (const ReferenceSample& sample : reference.samples) {
    LargestSensitivity at{sample.time, sample.state_sensitivity, {}};
    if (reference.data_left_out.empty()) at.of_data = sample.data_sensitivity;
    if (!largest || at.sum() > largest->sum()) largest = at;
  }
  return largest;
}

MaybeNumber AttainableError(const Reference& reference) {
  const std::optional<LargestSensitivity> largest = LargestSensitivityOf(reference);
  if (!largest || !(largest->sum() > 0)) return std::nullopt;
  return largest->sum() * kUnitRoundOff;
}

MaybeNumber DigitsAllowed(const Reference& reference) {
  const MaybeNumber error = AttainableError(reference);
  if (!error) return std::nullopt;
  return std::max(0., -std::log10(*error));
}

}  // namespace mbsbench
