// Angles with full turns, from angles without.
#pragma once

#include <cmath>

namespace mbsbench {

// The angle nearest to `near` among those that differ from `angle` by whole turns; exactly `angle`
// if it is within half a turn of `near`.
inline double NearestTurn(double angle, double near) {
  return angle + 2 * M_PI * std::round((near - angle) / (2 * M_PI));
}

}  // namespace mbsbench
