#include "methods/tree_sweeps/batch_checks.h"

#include <algorithm>
#include <limits>

#include "methods/kinematics/force_elements.h"
#include "problems/model/all_finite.h"
#include "problems/model/error.h"

namespace mbsbench {

namespace {

std::span<const double> Flat(std::span<const LaneValues> values) {
  return {reinterpret_cast<const double*>(values.data()), kBatchStates * values.size()};
}

}  // namespace

void RequireTreeForBatch(const System& system, const std::string& method) {
  if (!system.loop_joints.empty()) {
    throw ModelError("joint '" + system.loop_joints.front().name + "' closes a loop; " + method +
                     " evaluates many states at once on trees only.");
  }
  if (system.rope_flight || system.forces.AnyOnBodies()) {
    throw ModelError(method +
                     " evaluates many states at once without springs between bodies, applied "
                     "forces and rope flights only.");
  }
}

std::span<const LaneValues> OtherLanes::Filled(std::span<const LaneValues> y, std::size_t count) {
  for (std::size_t i = 0; i < y_.size(); ++i) {
    for (std::size_t l = 0; l < kBatchStates; ++l) y_[i].lane[l] = y[i].lane[l < count ? l : 0];
  }
  return y_;
}

std::span<const LaneValues> OtherLanes::Repeated(std::span<const LaneValues> y, std::size_t state) {
  for (std::size_t i = 0; i < y_.size(); ++i) std::ranges::fill(y_[i].lane, y[i].lane[state]);
  return y_;
}

void OtherLanes::PutRates(std::size_t state, std::span<LaneValues> ydot) const {
  for (std::size_t i = 0; i < rates_.size(); ++i) ydot[i].lane[state] = rates_[i].lane[state];
}

Status CheckedBatch(Status status, std::size_t coordinate_count, std::span<const LaneValues> y,
                    std::span<LaneValues> ydot) {
  if (status.ok()) {
    if (AllFinite(Flat(ydot.subspan(coordinate_count)))) return status;
    status = {Status::Code::kNotFinite, -1, -1, "accelerations are not finite"};
  }
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  for (LaneValues& values : ydot) std::ranges::fill(values.lane, kNaN);
  // A state that is not finite is the cause of any other failure.
  if (!AllFinite(Flat(y))) return {Status::Code::kNotFinite, -1, -1, "a state is not finite"};
  return status;
}

}  // namespace mbsbench
