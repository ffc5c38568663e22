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

// A part of accelerations, or of forces, that is smaller than the other parts by this factor is only their round-off.
inline constexpr double kVanishing = 1e-10;

// The size of a mechanism and of its accelerations, by its own data: a characteristic length or time that is stated for it can
// make no error vanish.
struct AccelerationScale {
  double length = 1;  // SpanOf the mechanism; L if that is 0 [m]
  // The accelerations that cancel if the system is in equilibrium [m/s^2]: the largest of gravity, the centripetal
  // accelerations of the bodies, the accelerations of the drivers, and those that the force elements alone, before their own terms
  // cancel, would give the bodies. L/T^2 if all of these are 0.
  double natural = 0;
};
AccelerationScale AccelerationScaleOf(const Problem& problem, const std::vector<BodyState>& bodies);

// The larger of the relative differences of the linear and of the angular accelerations, each
// relative to its largest value in `truth`. A part that is negligible compared with the other one
// (converted by the length) or with the natural acceleration is only round-off and is measured in units of these. Infinite if a
// number is not finite.
double AccelerationError(std::span<const double> ours, std::span<const double> truth,
                         const AccelerationScale& scale);

}  // namespace mbsbench
