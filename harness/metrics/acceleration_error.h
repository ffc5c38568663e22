// The difference between two sets of accelerations of the same state, as one number.
#pragma once

#include <span>
#include <vector>

#include "methods/interface/observation.h"
#include "problems/model/problem.h"
#include "reference/reference.h"

namespace mbsbench {

// Six numbers per body: linear [m/s^2], then angular acceleration [rad/s^2]. The rotation of a point
// is undefined and set to zero.
std::vector<double> AccelerationNumbers(const System& system,
                                        std::span<const BodyAcceleration> bodies);

// The accelerations of the reference in the types of methods/interface.
std::vector<BodyAcceleration> BodyAccelerationsOf(const ReferenceDynamics& truth);

// The larger of the relative differences of the linear and of the angular accelerations, each
// relative to its largest value in `truth`. A part that is negligible compared with the other one
// (converted by `length` [m]) or with `natural` [m/s^2] is only round-off and is measured in units of these. Infinite if a number is not finite.
double AccelerationError(std::span<const double> ours, std::span<const double> truth, double length,
                         double natural = 0);

// The size of the accelerations that cancel if a system is in equilibrium [m/s^2]: the largest of
// gravity, L/T^2, the centripetal accelerations of the bodies and the accelerations that the force
// elements alone would give the bodies.
double NaturalAcceleration(const Problem& problem, const std::vector<BodyState>& bodies);

}  // namespace mbsbench
