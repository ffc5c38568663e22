// Coordinates of the joints that no driver holds, sample by sample: whether a driven system settles, and where.
#pragma once

#include <optional>
#include <vector>

#include "harness/metrics/sampled_joints.h"
#include "harness/records/trial_record.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

class JointCoordinateSeries {
 public:
  // Records revolute and prismatic joints of systems whose drivers have constant rates, from the initial state on. `system` must
  // outlive the series.
  JointCoordinateSeries(const System& system, const SystemState& initial);

  void Add(double time, const std::vector<BodyState>& bodies);
  // Counts turns between samples.
  void Follow(double time, const std::vector<BodyState>& bodies) {
    if (sampled_) sampled_->MoveTo(time, bodies);
  }

  // Angles count full turns and are NaN where these are not known (SampledJoints). Empty where nothing is recorded.
  const std::optional<JointCoordinatesRecord>& record() const { return record_; }

 private:
  const System& system_;
  std::vector<std::size_t> joints_;  // indices into System::joints
  std::optional<SampledJoints> sampled_;
  std::optional<JointCoordinatesRecord> record_;
};

}  // namespace mbsbench
