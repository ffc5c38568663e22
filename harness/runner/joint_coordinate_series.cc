#include "harness/runner/joint_coordinate_series.h"

#include <cmath>

#include "problems/model/kinematics.h"

namespace mbsbench {

JointCoordinateSeries::JointCoordinateSeries(const System& system) : system_(system) {
  if (!RunsAtConstantRates(system) || system.rope_flight) return;
  const std::vector<bool> driven = DrivenJoints(system);
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const Joint& joint = system.joints[j];
    if (driven[j] || CoordinateCount(joint.type) != 1) continue;
    if (!record_) record_.emplace();
    joints_.push_back(j);
    record_->joints.push_back(joint.name);
    record_->units.emplace_back(IsLength(joint.type, 0) ? "m" : "rad");
  }
}

void JointCoordinateSeries::Add(double time, const std::vector<BodyState>& bodies) {
  if (!record_) return;
  const JointState state = JointStateOf(system_, bodies);
  const JointOffsets at = OffsetsOf(system_);
  std::vector<double> row;
  for (std::size_t j : joints_) {
    double q = state.q[static_cast<std::size_t>(at.q[j])];
    if (!IsLength(system_.joints[j].type, 0) && !record_->values.empty()) {
      const double before = record_->values.back()[row.size()];
      q = before + std::remainder(q - before, 2 * M_PI);
    }
    row.push_back(q);
  }
  record_->times.push_back(time);
  record_->values.push_back(std::move(row));
}

}  // namespace mbsbench
