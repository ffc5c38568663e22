// How a mechanism would answer a multiplier if it moved as a whole.
//
// That is the unit in which the answers of rows are compared: it makes a force and a moment alike,
// whatever the unit of length. And a cut within one rigid assembly (a brace between two welded bodies)
// asks nothing of the motion: the tree answers its rows with round-off, and where all rows are of that
// kind no other row shows it.
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
