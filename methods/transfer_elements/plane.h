// Whether a system lies in one plane: then the 7 x 7 form of the transfer matrices describes its
// whole motion.
#pragma once

#include <vector>

#include "methods/interface/method.h"
#include "methods/transfer_elements/transfer_tree.h"

namespace mbsbench {

struct Plane {
  Vec<double> normal{0, 0, 1};             // inertial axes
  std::vector<Vec<double>> group_normals;  // the same in the axes of each group
};

// Finds the plane in which every joint, mass, inertia and load of the system lies whatever the
// coordinates: revolutes and ball hinges rotate about its normal (for a ball hinge, its z axis on
// both sides, as long as the motion stays in the plane), prismatic joints slide in it. If there is
// none, the verdict names the body or joint that leaves it.
Verdict FindPlane(const System& system, const TransferTree<double>& tree, Plane& plane);

}  // namespace mbsbench
