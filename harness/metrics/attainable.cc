#include "harness/metrics/attainable.h"

#include <algorithm>
#include <cmath>

namespace mbsbench {

namespace {

constexpr double kUnitRoundOff = 0x1p-53;  // 1.1e-16

}  // namespace

MaybeNumber AttainableError(const Reference& reference) {
  if (!(reference.sensitivity > 0)) return std::nullopt;
  return reference.sensitivity * kUnitRoundOff;
}

MaybeNumber DigitsAllowed(const Reference& reference) {
  const MaybeNumber error = AttainableError(reference);
  if (!error) return std::nullopt;
  return std::max(0., -std::log10(*error));
}

}  // namespace mbsbench
