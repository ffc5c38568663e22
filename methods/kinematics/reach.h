#pragma once

#include <vector>

#include "problems/model/system.h"

namespace mbsbench {

// Lengths that make rotations comparable with displacements: per body the largest distance of a joint's
// point from the mass centre, or, if all its joints are at the mass centre to round-off, the largest of
// the system [m]. In the rates (v, reach x omega) tests for zero depend neither on units nor on the size
// of a model.
std::vector<double> ReachOf(const System& system);

}  // namespace mbsbench
