#include "reference/numerics/elliptic.h"

#include <array>

namespace mbsbench::extended {

namespace {
constexpr std::size_t kMeanSteps = 40;  // the mean converges quadratically
constexpr double kMeansAgree = 1e-34;
}  // namespace

Jacobi JacobiOf(Real u, Real m, Real complement) {
  // a(n+1) = (a + b) / 2, b(n+1) = sqrt(a b), c(n+1) = (a - b) / 2
  std::array<Real, kMeanSteps> a{}, c{};
  Real b = Sqrt(complement);
  a[0] = 1;
  c[0] = Sqrt(m);
  std::size_t n = 0;
  while (Abs(c[n]) > Real(kMeansAgree) * a[n] && n + 1 < kMeanSteps) {
    a[n + 1] = (a[n] + b) / 2;
    c[n + 1] = (a[n] - b) / 2;
    b = Sqrt(a[n] * b);
    ++n;
  }
  // phi(n) = 2^n a(n) u; sin(2 phi(n-1) - phi(n)) = c(n) / a(n) sin phi(n)
  Real phi = a[n] * u;
  for (std::size_t i = 0; i < n; ++i) phi *= 2;
  for (; n > 0; --n) phi = (phi + Asin(c[n] / a[n] * Sin(phi))) / 2;
  const Real sn = Sin(phi);
  return {sn, Cos(phi), Sqrt(1 - m * sn * sn)};
}

Real QuarterPeriod(Real complement) {
  Real a = 1, b = Sqrt(complement);
  for (std::size_t n = 0; Abs(a - b) > Real(kMeansAgree) * a && n < kMeanSteps; ++n) {
    const Real mean = (a + b) / 2;
    b = Sqrt(a * b);
    a = mean;
  }
  return Pi() / (a + b);
}

}  // namespace mbsbench::extended
