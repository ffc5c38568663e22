// Whether bodies have inertia about the axes about which engines need it.
#pragma once

#include <Eigen/Geometry>
#include <string>

#include "methods/interface/method.h"
#include "problems/model/system.h"

namespace mbsbench {

// `engine` divides by this inertia. At most `least` [kg m^2] is no inertia, and so is what lies within round-off of zero.
Verdict TurnsWithInertia(const System& system, const std::string& engine, double least = 0);

// `engine` inverts the inertia of each body by itself. What lies within round-off of zero is no inertia.
Verdict EachHasInertia(const System& system, const std::string& engine);

Eigen::Isometry3d IsometryOf(const Frame& frame);

}  // namespace mbsbench
