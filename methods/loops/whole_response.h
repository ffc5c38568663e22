// The response of a mechanism to a multiplier if it moved as one rigid body.
//
// It is the unit in which the responses of rows are compared: it makes forces and moments comparable,
// whatever the unit of length. The rows of a cut within one rigid assembly (a brace between two welded
// bodies) do not constrain the motion: their response is round-off, and if all rows are of that kind,
// no other row can serve as a unit.
#pragma once

#include "problems/model/system.h"

namespace mbsbench {

class WholeResponse {
 public:
  explicit WholeResponse(const System& system);

  // Acceleration of a row per unit of a multiplier that exerts a unit force [1/kg], or a unit moment
  // [1/(kg m^2)].
  double OfForce() const { return 1 / mass_; }
  double OfMoment() const { return 1 / inertia_; }

 private:
  double mass_ = 0, inertia_ = 0;  // of all bodies, arms within the bodies
};

}  // namespace mbsbench
