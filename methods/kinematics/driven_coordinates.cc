#include "methods/kinematics/driven_coordinates.h"

#include <algorithm>

#include "problems/model/state.h"

namespace mbsbench {

DrivenCoordinates::DrivenCoordinates(const System& system) {
  const JointOffsets at = OffsetsOf(system);
  for (const Driver& driver : system.drivers) {
    const auto j = static_cast<std::size_t>(driver.joint);
    driven_.push_back({driver.motion, driver.joint, static_cast<std::size_t>(at.q[j]),
                       static_cast<std::size_t>(at.q.back() + at.u[j])});
    all_constant_ = all_constant_ && driver.motion.kind == MotionKind::kConstantRate;
  }
}

void DrivenCoordinates::Start(double t, std::span<double> y) {
  for (Driven& d : driven_) d.offset = StartOffset(d.motion, t, y[d.q]);
  Place(t, y);
}

void DrivenCoordinates::Place(double t, std::span<double> y) const {
  if (all_constant_) return;
  for (const Driven& d : driven_) {
    const MovedCoordinate<double> q = MotionAt(d.motion, t);
    y[d.q] = d.offset + q.position;
    y[d.u] = q.rate;
  }
}

std::span<const double> DrivenCoordinates::At(double t, std::span<const double> y) {
  if (all_constant_) return y;
  if (y.data() != y_.data()) y_.assign(y.begin(), y.end());
  for (Driven& d : driven_) {
    const MovedCoordinate<double> q = MotionAt(d.motion, t);
    y_[d.q] = d.offset + q.position;
    y_[d.u] = q.rate;
    d.acceleration = q.acceleration;
  }
  return y_;
}

std::span<const LaneValues> DrivenCoordinates::At(double t, std::span<const LaneValues> y) {
  if (all_constant_) return y;
  lanes_.assign(y.begin(), y.end());
  for (Driven& d : driven_) {
    const MovedCoordinate<double> q = MotionAt(d.motion, t);
    if (!StartsAnywhere(d.motion)) std::ranges::fill(lanes_[d.q].lane, q.position);
    std::ranges::fill(lanes_[d.u].lane, q.rate);
    d.acceleration = q.acceleration;
  }
  return lanes_;
}

std::vector<DriverObservation> DrivenCoordinates::Observed(std::span<const double> y,
                                                           std::span<const double> efforts) const {
  std::vector<DriverObservation> observed;
  for (std::size_t k = 0; k < driven_.size(); ++k) {
    const Driven& d = driven_[k];
    observed.push_back({y[d.q], y[d.u], d.acceleration, efforts[k]});
  }
  return observed;
}

}  // namespace mbsbench
