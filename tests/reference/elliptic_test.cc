#include "reference/numerics/elliptic.h"

#include <gtest/gtest.h>

namespace mbsbench::extended {
namespace {

// K(1/2) = Gamma(1/4)^2 / (4 sqrt(pi)), DLMF 19.20.2 (there as the lemniscate constant).
TEST(Elliptic, QuarterPeriodForTheLemniscateModulusIsExact) {
  const Real gamma = tgammaq(Real(1) / 4);
  EXPECT_LT(Abs(QuarterPeriod(Real(1) / 2) - gamma * gamma / (4 * Sqrt(Pi()))), Real(1e-32));
}

TEST(Elliptic, BecomesCircularForModulusZero) {
  const Jacobi j = JacobiOf(Real(7) / 10, 0, 1);
  EXPECT_LT(Abs(j.sn - Sin(Real(7) / 10)), Real(1e-33));
  EXPECT_LT(Abs(j.cn - Cos(Real(7) / 10)), Real(1e-33));
  EXPECT_EQ(static_cast<double>(j.dn), 1);
}

// sn' = cn dn, by a central difference of second order extrapolated once: error 1e-22 here.
TEST(Elliptic, DerivativeOfSnIsCnDn) {
  const Real m = Real(3) / 4, complement = Real(1) / 4, u = Real(11) / 10;
  const auto difference = [&](Real h) {
    return (JacobiOf(u + h, m, complement).sn - JacobiOf(u - h, m, complement).sn) / (2 * h);
  };
  const Real h = 1e-5;
  const Jacobi j = JacobiOf(u, m, complement);
  EXPECT_LT(Abs((4 * difference(h / 2) - difference(h)) / 3 - j.cn * j.dn), Real(1e-19));
}

TEST(Elliptic, CnVanishesAtTheQuarterPeriod) {
  for (Real complement : {Real(1) / 2, Real(1e-5), Real(0.99)}) {
    const Jacobi j = JacobiOf(QuarterPeriod(complement), 1 - complement, complement);
    EXPECT_LT(Abs(j.cn), Real(1e-30));
    EXPECT_LT(Abs(j.dn - Sqrt(complement)), Real(1e-29));
  }
}

}  // namespace
}  // namespace mbsbench::extended
