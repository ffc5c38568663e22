// The angular momentum, which certificates conserve where no external moment acts.
#pragma once

#include "reference/system/extended_system.h"

namespace mbsbench::extended {

// Angular momentum of the whole system about the inertial origin [kg m^2/s].
inline Vec3 AngularMomentumOf(const SystemData& system, const Motion& motion) {
  Vec3 total;
  for (std::size_t b = 0; b < motion.size(); ++b) {
    const BodyMotion& m = motion[b];
    const Mat3 r = RotationOf(m.orientation);
    const Vec3 spin = r * (system.bodies[b].inertia * TransposeTimes(r, m.angular_velocity));
    total = total + system.bodies[b].mass * Cross(m.position, m.velocity) + spin;
  }
  return total;
}

}  // namespace mbsbench::extended
