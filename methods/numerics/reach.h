#pragma once

#include <vector>

#include "problems/model/system.h"

namespace mbsbench {

// Lengths by which rotations become comparable with displacements: per body the largest distance of a
// joint's point from the mass centre; where all joints sit in it to round-off, the largest of the
// system [m]. In the rates (v, reach x omega) neither units nor the size of a model decide what vanishes.
std::vector<double> ReachOf(const System& system);

}  // namespace mbsbench
