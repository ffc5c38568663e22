#include "problems/model/forces.h"

namespace mbsbench {

bool HasForceElements(const System& system) {
  return !system.spring_dampers.empty() || !system.applied_forces.empty() ||
         !system.ground_springs.empty();
}

bool HasNonConservativeForces(const System& system) {
  for (const SpringDamper& e : system.spring_dampers) {
    if (e.damping != 0) return true;
  }
  for (const JointSpringDamper& e : system.joint_spring_dampers) {
    if (e.damping != 0) return true;
  }
  for (const GroundSpring& e : system.ground_springs) {
    if (e.damping != 0) return true;
  }
  return !system.applied_forces.empty() || !system.drivers.empty() ||
         system.rope_flight.has_value();
}

}  // namespace mbsbench
