// What a constraint row of a loop joint has to move at least to count as one that moves anything.
//
// A cut within one rigid assembly (a brace between two welded bodies) asks nothing of the motion:
// the tree answers its rows with round-off, and where all rows are of that kind no row of the system
// shows it. A row that moves the mechanism moves no more than all of it.
#pragma once

#include "problems/model/system.h"

namespace mbsbench {

class LeastResponse {
 public:
  explicit LeastResponse(const System& system);

  // Acceleration of a row per unit of a multiplier that exerts a unit force [1/kg], or a unit moment
  // [1/(kg m^2)].
  double OfForce() const { return kShare / mass_; }
  double OfMoment() const { return kShare / inertia_; }

 private:
  // Between round-off squared (1e-32, by lever arms and light bodies more) and the answer of a whole
  // mechanism of thousands of bodies (its arms squared over those of a body).
  static constexpr double kShare = 1e-18;
  double mass_ = 0, inertia_ = 0;  // of all bodies, arms within the bodies
};

}  // namespace mbsbench
