// The orders of the integrators of the suite, by their keys.
#pragma once

#include <string_view>

namespace mbsbench {

// 0: the order varies, or belongs to the method.
constexpr int ClassicalOrder(std::string_view integrator) {
  return integrator == "rk4" ? 4 : integrator == "dopri5" ? 5 : integrator == "fehlberg8" ? 8 : 0;
}

}  // namespace mbsbench
