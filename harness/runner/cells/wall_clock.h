#pragma once

#include <chrono>

namespace mbsbench {

// Seconds since a fixed moment; only differences are meaningful.
inline double WallSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace mbsbench
