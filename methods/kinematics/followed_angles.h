// The angles of torsion springs in coordinates that do not know turns.
//
// A torsion spring goes by the joint coordinate, which counts turns (state.h); the attitudes of two
// bodies tell it up to whole turns only. So a formulation in absolute coordinates follows each angle
// from the state that it was given at first: of all angles that differ by whole turns it takes the one
// nearest to what it saw last. That is right as long as a joint turns by less than half a turn from one
// evaluation to the next, which a step of any accuracy ensures.
//
// "Last" goes by time, not by the order of calls. Integrators try steps that they then reject, and
// Newton's iterates at one time may lie far off: neither may carry an angle along. Hence an angle at t
// is counted from the latest moment before t, and what was seen at t or later is forgotten.
//
// One object follows one motion. States of two motions evaluated in turn are counted from the state
// initialised last.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <limits>
#include <vector>

#include "problems/model/turns.h"

namespace mbsbench {

class FollowedAngles {
 public:
  explicit FollowedAngles(std::size_t angles) : angles_(angles), seen_(kMoments * angles, 0.0) {
    Restart();
  }

  // Forgets all moments; latest() is then to be set to the angles at the start.
  void Restart() {
    oldest_ = newest_ = 0;
    time_[0] = -std::numeric_limits<double>::infinity();
  }

  // Goes to the moment t, where each angle is to be followed by Follow(angle, latest(k)).
  void MoveTo(double t) {
    if (angles_ == 0) return;
    const std::size_t before = Before(t);
    newest_ = before + 1;
    if (newest_ - oldest_ == kMoments) ++oldest_;
    time_[newest_ % kMoments] = t;
    std::copy_n(seen_.data() + Place(before), angles_, seen_.data() + Place(newest_));
  }
  double& latest(std::size_t k) { return seen_[Place(newest_) + k]; }
  double latest(std::size_t k) const { return seen_[Place(newest_) + k]; }

 private:
  // More than the stages of any step, so that the moment before a rejected one is still known.
  static constexpr std::size_t kMoments = 32;

  std::size_t Place(std::size_t moment) const { return moment % kMoments * angles_; }
  std::size_t Before(double t) const {
    std::size_t moment = newest_;
    while (moment > oldest_ && !(time_[moment % kMoments] < t)) --moment;
    return moment;
  }

  std::size_t angles_;
  std::vector<double> seen_;  // moment after moment, a ring
  std::array<double, kMoments> time_{};
  std::size_t oldest_ = 0, newest_ = 0;  // moments count on; their places repeat
};

// The angle counted from `last`, which then becomes it: unless it is no number, as at a step that goes
// wrong and is tried again.
inline double Follow(double angle, double& last) {
  const double counted = NearestTurn(angle, last);
  if (std::isfinite(counted)) last = counted;
  return counted;
}

}  // namespace mbsbench
