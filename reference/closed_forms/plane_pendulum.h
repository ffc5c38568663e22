// The closed form of one rigid body that swings about a fixed horizontal axis, released from rest:
//
//   phi'' = -omega0^2 sin phi,   omega0^2 = m g l / (J + m l^2)       phi: of the mass centre from
//   the downward vertical sin(phi/2) = s sn(K - omega0 t | k^2),  k = |sin(phi0/2)|,  s = +-k with
//   the sign of phi0,  K = K(k^2) phi' = -2 s omega0 cn(K - omega0 t | k^2)
#pragma once

#include <optional>

#include "problems/model/problem.h"
#include "reference/system/extended_system.h"

namespace mbsbench::extended {

class PlanePendulum {
 public:
  // Empty unless the problem is one: a single body on a revolute joint to the ground about inertial
  // z, at rest, gravity in the x-y plane, no force elements.
  static std::optional<PlanePendulum> Of(const Problem& problem);

  BodyMotion At(Real t) const;

 private:
  Vec3 pivot_, down_, side_;  // down: along gravity; side = z x down, towards positive phi
  BodyMotion start_;
  Real length_ = 0, omega0_ = 0, phi0_ = 0;
  Real m_ = 0, complement_ = 0, quarter_period_ = 0, sine0_ = 0;
};

}  // namespace mbsbench::extended
