// Angles that count turns, from angles that do not.
#pragma once

#include <cmath>

namespace mbsbench {

// Of all angles that differ from `angle` by whole turns the one nearest to `near`: `angle` itself, to
// the last bit, where that lies within half a turn.
inline double NearestTurn(double angle, double near) {
  return angle + 2 * M_PI * std::round((near - angle) / (2 * M_PI));
}

}  // namespace mbsbench
