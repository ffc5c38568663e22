// The momenta that a mechanism conserves: by Noether's theorem one for each rigid motion of the whole mechanism that its
// joints on the ground allow, and by which gravity does no work.
#pragma once

#include <vector>

#include "problems/model/kinematics.h"
#include "problems/model/system.h"

namespace mbsbench {

struct ConservedMomenta {
  // Constant is axis . H + offset . P, with the momenta P and H about the inertial origin.
  struct Axis {
    Vector3 axis, offset;  // offset [m]
  };
  std::vector<Vector3>
      directions;          // along which P is constant; of unit length, perpendicular to each other
  std::vector<Axis> axes;  // likewise

  bool any() const { return !directions.empty() || !axes.empty(); }
  // The part of a change of momenta that the mechanism does not allow.
  double Linear(const Momentum& change) const;   // [kg m/s]
  double Angular(const Momentum& change) const;  // [kg m^2/s]
};

// None where a force element ties a body to the ground, or a driver or an element acts on a joint there.
ConservedMomenta ConservedMomentaOf(const System& system);

}  // namespace mbsbench
