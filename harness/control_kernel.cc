#include "harness/control_kernel.h"

#include <array>
#include <cmath>
#include <ctime>

namespace mbsbench {

double ProcessCpuSeconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

double ControlKernelSeconds() {
  // A chain of 16 masses on stiffening springs, advanced by the symplectic Euler method: additions,
  // multiplications, square roots and divisions in a mixture like that of a recursion over bodies,
  // and no library function, so that it is the same work everywhere.
  constexpr int kMasses = 16, kSteps = 60'000;
  std::array<double, kMasses + 2> x{}, v{};
  for (int i = 1; i <= kMasses; ++i) x[static_cast<std::size_t>(i)] = 0.01 * i;
  const double start = ProcessCpuSeconds();
  for (int k = 0; k < kSteps; ++k) {
    for (std::size_t i = 1; i <= kMasses; ++i) {
      const double left = x[i] - x[i - 1], right = x[i + 1] - x[i];
      const double force = right / std::sqrt(1 + right * right) - left / std::sqrt(1 + left * left);
      v[i] += 1e-3 * force;
    }
    for (std::size_t i = 1; i <= kMasses; ++i) x[i] += 1e-3 * v[i];
  }
  const double seconds = ProcessCpuSeconds() - start;
  [[maybe_unused]] volatile double sink = x[kMasses / 2];  // the work is wanted
  return seconds;
}

}  // namespace mbsbench
