#include "harness/runner/joint_coordinate_series.h"

#include <cmath>

#include "problems/model/kinematics.h"

namespace mbsbench {

JointCoordinateSeries::JointCoordinateSeries(const System& system) : system_(system) {
  if (!RunsAtConstantRates(system) || system.rope_flight) return;
  const std::vector<bool> driven = DrivenJoints(system);
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    if (!driven[j] && CoordinateCount(system.joints[j].type) == 1)
      joints_.push_back(static_cast<int>(j));
  }
}

void JointCoordinateSeries::Add(const std::vector<BodyState>& bodies) {
  if (joints_.empty()) return;
  const JointState state = JointStateOf(system_, bodies);
  const JointOffsets at = OffsetsOf(system_);
  std::vector<double> row;
  for (int joint : joints_) {
    const auto j = static_cast<std::size_t>(joint);
    double q = state.q[static_cast<std::size_t>(at.q[j])];
    if (!IsLength(system_.joints[j].type, 0) && !values_.empty()) {
      const double before = values_.back()[row.size()];
      q = before + std::remainder(q - before, 2 * M_PI);
    }
    row.push_back(q);
  }
  values_.push_back(std::move(row));
}

}  // namespace mbsbench
