// Jacobi's elliptic functions by the arithmetic-geometric mean (Abramowitz, Stegun 16.4, 17.6).
#pragma once

#include "reference/numerics/real.h"

namespace mbsbench::extended {

struct Jacobi {
  Real sn, cn, dn;
};
// Parameter m = k^2, 0 <= m < 1; `complement` = 1 - m, given separately so that it keeps its digits
// near m = 1.
Jacobi JacobiOf(Real u, Real m, Real complement);
// Complete elliptic integral of the first kind.
Real QuarterPeriod(Real complement);

}  // namespace mbsbench::extended
