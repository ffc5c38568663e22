// Force laws, by code of the reference's own (the methods have theirs).
#pragma once

#include <vector>

#include "reference/extended_system.h"

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

// Gravity, spring-dampers, joint springs, applied forces and ground springs: one wrench per body. `angles` holds
// one coordinate per joint spring near to which its angle is counted, so that a spring wound up by
// more than half a turn stays wound.
std::vector<Wrench> ForcesOn(const SystemData& system, const Motion& motion,
                             const std::vector<Mat3>& rotations, const std::vector<Real>& angles);

// The coordinates of all joint springs, angles counted near to `angles`.
std::vector<Real> SpringCoordinates(const SystemData& system, const Motion& motion,
                                    const std::vector<Real>& angles);

// Kinetic energy and potential of gravity and springs [J].
Real EnergyOf(const SystemData& system, const Motion& motion, const std::vector<Real>& angles);

}  // namespace mbsbench::extended
