// The closed form of plane parallelogram linkages: cranks that turn about ground pins by one angle,
// couplers between them that only translate, set off from the upright position (nfourbar).
//
//   I psi'' = z . (R(psi) S x g),   I = sum_cranks (J + m r^2) + sum_couplers m c^2
//                                   S = sum_cranks m r + sum_couplers m c
//
// r: from a crank's ground pin to its mass centre; c: from there to the pins of its couplers, one
// vector for all cranks. With phi = psi + pi from the downward vertical this is the pendulum
// phi'' = -omega0^2 sin phi, omega0^2 = |S| g / I. It starts upright with the rate w and turns over:
//
//   sin(phi/2) = sn(u | k^2),  phi' = b dn(u | k^2),   u = K + b t / 2
//   b^2 = w^2 + 4 omega0^2 (the rate at the bottom),   k^2 = 4 omega0^2 / b^2,  1 - k^2 = w^2 / b^2
//
// This is the branch on which the linkage stays a parallelogram through its singular positions.
#pragma once

#include <optional>
#include <vector>

#include "problems/model/problem.h"
#include "reference/system/extended_system.h"

namespace mbsbench::extended {

class Parallelogram {
 public:
  // Empty unless the problem is one: revolutes about inertial z only, every body either a crank on
  // a ground pin or a coupler joined to cranks only, upright and turning at the start; no force
  // elements.
  static std::optional<Parallelogram> Of(const Problem& problem);

  Motion At(Real t) const;

 private:
  struct Part {
    BodyMotion start;
    bool is_crank = false;
    Vec3 arm;  // at the start: r of a crank, c of a coupler
  };
  std::vector<Part> parts_;
  Real bottom_rate_ = 0, direction_ = 1;  // b, and the sign of w
  Real m_ = 0, complement_ = 0, quarter_period_ = 0;
};

}  // namespace mbsbench::extended
