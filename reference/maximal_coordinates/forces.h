// Force laws in the reference's own code (the methods have separate code).
#pragma once

#include <vector>

#include "reference/system/extended_system.h"

namespace mbsbench::extended {

// Force at the mass centre and moment about it, inertial axes.
struct Wrench {
  Vec3 force;   // [N]
  Vec3 moment;  // [N m]
};

// Coordinate of a revolute or prismatic joint (the angle in (-pi, pi]) and its rate.
struct JointCoordinate {
  Real q = 0, u = 0;
};
JointCoordinate CoordinateOf(const JointData& joint, const Motion& motion,
                             const std::vector<Mat3>& rotations);

// Gravity and all force elements at the system's time: one wrench per body. `angles`: one
// coordinate per joint spring; the spring's angle is the one nearest to it, so that springs keep full turns.
std::vector<Wrench> ForcesOn(const SystemData& system, const Motion& motion,
                             const std::vector<Mat3>& rotations, const std::vector<Real>& angles);

// The coordinates of all joint springs, angles nearest to `angles`.
std::vector<Real> SpringCoordinates(const SystemData& system, const Motion& motion,
                                    const std::vector<Real>& angles);

// Kinetic energy and potential of gravity and springs [J].
Real EnergyOf(const SystemData& system, const Motion& motion, const std::vector<Real>& angles);

// The law of a bushing ends at a rotation of pi, where its moment would jump.
class LawLimits {
 public:
  // `system` must outlive this object.
  LawLimits(const System& system, const Motion& start);

  // Whether there is any to follow.
  bool any() const { return !rotations_.empty(); }
  // Advances to the motion after the next step. Throws ModelError where a rotation has reached pi.
  void Follow(Real t, const Motion& motion);

 private:
  struct Rotation {
    const Bushing* bushing;
    Quat relative;  // of one sign along the motion
  };
  std::vector<Rotation> rotations_;
};

}  // namespace mbsbench::extended
