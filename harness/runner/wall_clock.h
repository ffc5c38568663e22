#pragma once

#include <chrono>

namespace mbsbench {

// Seconds that went by since some moment: differences count.
inline double WallSeconds() {
  return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace mbsbench
