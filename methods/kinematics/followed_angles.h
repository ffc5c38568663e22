// The angles of torsion springs in coordinates that do not contain full turns.
//
// The torque of a torsion spring depends on the joint coordinate, which includes full turns (state.h);
// the attitudes of two bodies determine it up to full turns only. A formulation in absolute coordinates
// therefore tracks each angle from the initial state: among the angles that differ by full turns it
// takes the one nearest to the last value. This is correct as long as a joint turns by less than half a
// turn between evaluations, which holds for any reasonably accurate step.
//
// "Last" refers to time, not to the order of calls. Integrators try steps and reject them, and
// Newton's iterates at one time may be far off: neither may move an angle by a turn. Hence an angle at
// t is counted from the latest moment before t, and values at t or later are discarded.
//
// One object tracks one motion. If states of two motions are evaluated alternately, their angles
// are counted from the state that was initialised last.
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

  // Discards all moments; the caller then sets latest() to the angles at the start.
  void Restart() {
    oldest_ = newest_ = 0;
    time_[0] = -std::numeric_limits<double>::infinity();
  }

  // Moves to the moment t; the caller then updates each angle by Follow(angle, latest(k)).
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
  // More than the stages of any step, so that the moment before a rejected step is still available.
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
  std::size_t oldest_ = 0, newest_ = 0;  // consecutive numbers of moments; slots are reused
};

// The angle counted from `last`; sets `last` to it unless it is NaN, as in a failed step that is
// repeated.
inline double Follow(double angle, double& last) {
  const double counted = NearestTurn(angle, last);
  if (std::isfinite(counted)) last = counted;
  return counted;
}

}  // namespace mbsbench
