#include "problems/model/forces.h"

namespace mbsbench {

bool HasNonConservativeForces(const System& system) {
  bool changes = !system.drivers.empty() || system.rope_flight.has_value();
  system.forces.ForEach([&](const auto& element) { changes = changes || ChangesEnergy(element); });
  return changes;
}

}  // namespace mbsbench
