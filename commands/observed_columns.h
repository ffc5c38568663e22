// What `solve --observe` adds to a trajectory: joint coordinates and rates, reactions, and what springs
// and drivers exert.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "harness/metrics/sampled_joints.h"
#include "methods/interface/observation.h"
#include "problems/model/force_outputs.h"
#include "problems/model/problem.h"
#include "problems/model/state.h"

namespace mbsbench {

class ObservedColumns {
 public:
  // `wanted`: names of joints, force elements and drivers, separated by commas, or "all". Throws ModelError for
  // a name that none of them has. `system` and `initial` must outlive the columns. `has_algorithmic`: with the second series of
  // reactions, HasAlgorithmicReactions.
  ObservedColumns(const System& system, const SystemState& initial, const std::string& wanted,
                  bool has_algorithmic);

  // "boom_foot.angle_rad": the name of the element, a dot, and the quantity with its unit. Coordinates and rates are
  // named as in a model file. Reactions are those of Observation.
  const std::vector<std::string>& names() const { return names_; }

  // One value per name; NaN if the method gives none or it is not known. Angles count full turns (SampledJoints):
  // times must not decrease. The observation needs Detail::kReactions.
  const std::vector<double>& ValuesOf(double time, const Observation& observation);
  // Counts turns between samples.
  void Follow(double time, const std::vector<BodyState>& bodies) { sampled_.MoveTo(time, bodies); }

  // A clause that says from when on angles are not known; empty if all are.
  std::optional<std::string> NotKnown() const;

 private:
  void AddJoint(std::size_t joint);

  const System& system_;
  const bool has_algorithmic_;
  SampledJoints sampled_;
  std::optional<double> turns_lost_at_;  // [s]
  std::vector<std::size_t> joints_;      // indices of tree joints; those of loop joints follow
  std::vector<ForceOutputs> forces_;
  std::vector<std::size_t> drivers_;
  std::vector<std::string> names_;
  std::vector<double> values_;
};

}  // namespace mbsbench
