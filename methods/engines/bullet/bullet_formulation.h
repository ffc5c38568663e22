// Bullet's equations of motion: btMultiBody, Featherstone's articulated-body recursion, in double precision. Its own
// integrator is that of btMultiBodyDynamicsWorld without contacts: velocities, then positions (semi-implicit Euler), where a
// ball turns by at most a quarter of a turn per step.
//
// The base of the multibody is the ground. A link has the principal axes of its body; the rates of a ball are in
// these. A free joint is three slides of massless links and a ball.
#pragma once

#include <memory>

#include "methods/interface/formulation.h"
#include "problems/model/system.h"

namespace mbsbench {

// Bullet replaces the inverse of a smaller inertia about an axis by zero.
inline constexpr double kLeastInertiaOfBullet = 2.3e-16;  // [kg m^2] or [kg]

std::unique_ptr<OdeFormulation> MakeBulletFormulation(const System& system);

}  // namespace mbsbench
