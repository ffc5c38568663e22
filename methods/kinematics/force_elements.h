// The force laws of the methods. (`reference` evaluates the same data with its own code.)
#pragma once

#include <span>
#include <vector>

#include "problems/model/forces.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

// Force at the mass centre and moment about it, inertial axes.
struct Wrench {
  Vector3 force;   // [N]
  Vector3 moment;  // [N m]
};

// Adds the wrenches of all elements on bodies to `wrenches` (one per body); gravity and elements on joints are not
// included.
void AddForceElements(const System& system, std::span<const BodyState> bodies,
                      std::span<Wrench> wrenches);

// Power of all dampers, applied forces and motors at time t [W]; without `joints` of those on bodies only. In addition
// to these only drivers change the energy of EnergyOf, and only a method computes their forces. (Rope flights:
// rope_flight_law.h.)
double NonConservativePower(const System& system, double t, std::span<const BodyState> bodies,
                            const JointState* joints);

}  // namespace mbsbench
