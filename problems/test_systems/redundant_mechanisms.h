// Fifteen mechanisms whose constraints depend on each other: planar loops in space, the overconstrained
// linkages of Bennett, Bricard and Sarrus, doors on several hinges, a table on four legs, a Delta robot.
// Accelerations are unique all the same; of each component of each joint reaction it is known whether
// it is.
#pragma once

#include <string>
#include <vector>

#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

struct RedundantMechanism {
  std::string name;
  System system;
  SystemState state;  // at rest; body axes are the inertial ones
  double length = 1;  // characteristic [m]
  int rows = 0;       // of the constraints of all joints
  int rank = 0;  // of these rows by the rates of all bodies; degrees of freedom = 6 bodies - rank
  // Per reaction (tree joints, then loop joints) a letter for each component, force x y z, then moment
  // x y z about the child's joint point, in inertial axes before any turn:
  //   U  unique
  //   N  not unique; the choice of the least joint wrenches does not depend on the unit of length
  //   D  not unique, and that choice changes when moments are counted in N mm instead of N m
  std::vector<std::string> classes;
};

std::vector<RedundantMechanism> RedundantMechanisms();

// The same where each place is in one quadratic field, so that ranks can be proven: fourbar-rrrr with its crank at 69.98
// degrees, bennett with a twist of 39.97 and its first angle 64.94 degrees, delta with arms 20.02 degrees below the
// horizontal and pins of the platform at radius 0.07965; the others as they are.
std::vector<RedundantMechanism> ExactMechanisms();

// The whole model turned about the inertial origin, gravity included: joint coordinates stay.
RedundantMechanism Turned(RedundantMechanism mechanism, const Quaternion& turn);

// The mechanism in other units: lengths and masses are multiplied by these factors.
RedundantMechanism InUnits(RedundantMechanism mechanism, double length, double mass);

}  // namespace mbsbench
