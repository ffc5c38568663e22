#include "harness/runner/trials/joint_coordinate_series.h"

namespace mbsbench {

JointCoordinateSeries::JointCoordinateSeries(const System& system, const SystemState& initial)
    : system_(system) {
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
  if (record_)
    sampled_.emplace(system, initial.joints, 0, initial.bodies,
                     SampledJoints::Followed::kAllAngles);
}

void JointCoordinateSeries::Add(double time, const std::vector<BodyState>& bodies) {
  if (!record_) return;
  sampled_->MoveTo(time, bodies);
  const std::vector<double>& q = sampled_->joints().q;
  const JointOffsets at = OffsetsOf(system_);
  std::vector<double> row;
  for (std::size_t j : joints_) row.push_back(q[static_cast<std::size_t>(at.q[j])]);
  record_->times.push_back(time);
  record_->values.push_back(std::move(row));
}

}  // namespace mbsbench
