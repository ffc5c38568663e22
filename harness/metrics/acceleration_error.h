// How far the accelerations of a system are from others of the same state, as one number.
#pragma once

#include <span>
#include <vector>

#include "methods/interface/observation.h"
#include "problems/model/problem.h"

namespace mbsbench {

// Six numbers per body: linear [m/s^2], then angular acceleration [rad/s^2]. The rotation of a point
// has no meaning and is zero.
std::vector<double> AccelerationNumbers(const System& system,
                                        const std::vector<BodyAcceleration>& bodies);

// Largest difference of the linear and of the angular accelerations, each in units of its largest in
// `truth`, the larger of the two. A part that vanishes beside the other one (`length` [m] makes them
// comparable) or beside `natural` [m/s^2] is in units of these: it holds nothing but round-off.
// Infinite where a number is not finite.
double AccelerationError(std::span<const double> ours, std::span<const double> truth, double length,
                         double natural = 0);

// The size of the accelerations that have to cancel where a system is in equilibrium [m/s^2]: the
// largest of gravity, L/T^2, what keeps the bodies on their paths and what each force element alone
// would do to its body.
double NaturalAcceleration(const Problem& problem, const std::vector<BodyState>& bodies);

}  // namespace mbsbench
