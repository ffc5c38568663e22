#include "methods/tree_sweeps/condition_of_factors.h"

#include <algorithm>
#include <cmath>

namespace mbsbench {

double ConditionOfFactors(const Vector3& l, const Vector3& inverse_d) {
  const auto norm = [](double xx, double yy, double zz, double xy, double xz, double yz) {
    using std::abs;
    return std::max(
        {abs(xx) + abs(xy) + abs(xz), abs(xy) + abs(yy) + abs(yz), abs(xz) + abs(yz) + abs(zz)});
  };
  const double dx = 1 / inverse_d.x, dy = 1 / inverse_d.y, dz = 1 / inverse_d.z;
  const double A = norm(dx, l.x * l.x * dx + dy, l.y * l.y * dx + l.z * l.z * dy + dz, l.x * dx,
                        l.y * dx, l.x * l.y * dx + l.z * dy);
  // A^-1 = N' D^-1 N with N = L^-1, N21 = -l21, N32 = -l32, N31 = l21 l32 - l31.
  const double n21 = -l.x, n32 = -l.z, n31 = l.x * l.z - l.y;
  const double ix = inverse_d.x, iy = inverse_d.y, iz = inverse_d.z;
  const double inverse = norm(ix + n21 * n21 * iy + n31 * n31 * iz, iy + n32 * n32 * iz, iz,
                              n21 * iy + n31 * n32 * iz, n31 * iz, n32 * iz);
  return A * inverse;
}

}  // namespace mbsbench
