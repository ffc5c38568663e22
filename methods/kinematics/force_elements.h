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

// Adds the wrenches of spring-dampers, applied forces and ground springs to `wrenches` (one per body); gravity and
// joint springs are not included.
void AddForceElements(const System& system, std::span<const BodyState> bodies,
                      std::span<Wrench> wrenches);

// Generalised force of the joint's springs at coordinate q and rate u, of any scalar.
template <class T>
T JointSpringForce(const JointSpringDamper& element, const T& q, const T& u) {
  return T(-element.stiffness) * (q - T(element.free_coordinate)) - T(element.damping) * u;
}

// Power of all dampers and applied forces [W]. In addition to these only drivers change the energy
// of EnergyOf, and only a method computes their forces. (Rope flights: rope_flight_law.h.)
double NonConservativePower(const System& system, std::span<const BodyState> bodies,
                            const JointState* joints);
}  // namespace mbsbench
