#include "harness/control_kernel.h"

#include <algorithm>
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

double ScalarGigaflops() {
  // Twelve independent accumulators: more than the latency of a multiply-add times the two that a
  // core starts per cycle.
  constexpr int kSteps = 400'000, kAccumulators = 12, kRepeats = 5;
  double best = INFINITY;
  for (int repeat = 0; repeat < kRepeats; ++repeat) {
    double a = 1, b = 2, c = 3, d = 4, e = 5, f = 6, g = 7, h = 8, i = 9, j = 10, k = 11, l = 12;
    double factor = 0.999999, term = 1e-6;
    const double start = ProcessCpuSeconds();
    for (int n = 0; n < kSteps; ++n) {
#if defined(__x86_64__)
      // Each accumulator in a register of its own: keeps the compiler from packing them into
      // vectors.
      asm volatile("" : "+x"(a), "+x"(b), "+x"(c), "+x"(d), "+x"(e), "+x"(f));
      asm volatile("" : "+x"(g), "+x"(h), "+x"(i), "+x"(j), "+x"(k), "+x"(l));
#endif
      a = a * factor + term;
      b = b * factor + term;
      c = c * factor + term;
      d = d * factor + term;
      e = e * factor + term;
      f = f * factor + term;
      g = g * factor + term;
      h = h * factor + term;
      i = i * factor + term;
      j = j * factor + term;
      k = k * factor + term;
      l = l * factor + term;
    }
    best = std::min(best, ProcessCpuSeconds() - start);
    [[maybe_unused]] volatile double sink = a + b + c + d + e + f + g + h + i + j + k + l;
  }
  return 2e-9 * kAccumulators * kSteps / best;
}

}  // namespace mbsbench
