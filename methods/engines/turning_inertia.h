// Whether every joint turns a body that has inertia about its axes.
#pragma once

#include <Eigen/Geometry>
#include <string>

#include "methods/interface/method.h"
#include "problems/model/system.h"

namespace mbsbench {

// `engine` divides by this inertia. At most `least` [kg m^2] is no inertia, and so is what lies within round-off of zero.
Verdict TurnsWithInertia(const System& system, const std::string& engine, double least = 0);

Eigen::Isometry3d IsometryOf(const Frame& frame);

}  // namespace mbsbench
