// The sweep in SIMD lanes, one state per lane, on trees with springs in joints at most.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "methods/interface/batch.h"
#include "methods/kinematics/driven_coordinates.h"
#include "methods/kinematics/joint_laws.h"
#include "methods/tree_motion/group_tree.h"
#include "methods/tree_sweeps/batch_checks.h"
#include "methods/tree_sweeps/tree_sweep.h"

namespace mbsbench {

// SweepOf<T, C>: a TreeSweep.
template <template <class, class> class SweepOf>
class SweepBatch final : public BatchFormulation {
 public:
  explicit SweepBatch(const System& system) : SweepBatch(system, MakeGroupTree<double>(system)) {}

  std::size_t state_size() const override { return state_size_; }

  bool EvaluateBatch(double t, std::span<const LaneValues> states, std::span<LaneValues> ydot,
                     std::span<Status> status) override {
    const std::span<const LaneValues> y = driven_.At(t, states);
    const bool is_full = status.size() == kBatchStates;
    if (InAllLanes(t, is_full ? y : lanes_.Filled(y, status.size()), ydot).ok()) {
      std::ranges::fill(status, Status{});
      return true;
    }
    // Each state alone, in all lanes, says which of them fail.
    bool all_ok = true;
    for (std::size_t l = 0; l < status.size(); ++l) {
      status[l] = InAllLanes(t, lanes_.Repeated(y, l), lanes_.rates());
      lanes_.PutRates(l, ydot);
      all_ok = all_ok && status[l].ok();
    }
    return all_ok;
  }

 private:
  Status InAllLanes(double t, std::span<const LaneValues> y, std::span<LaneValues> ydot) {
    const Status status = parts_.Evaluate(
        y, ydot,
        [this, t](const BatchLanes* state, BatchLanes* rates) { return Sweep(t, state, rates); });
    return CheckedBatch(status, coordinate_count_, y, ydot);
  }

  Status Sweep(double t, const BatchLanes* state, BatchLanes* rates) {
    sweep_.PassMotion(state, rates);
    for (std::size_t k = 0; k < group_of_driver_.size(); ++k)
      sweep_.joint_forces()[group_of_driver_[k]] = BatchLanes(driven_.all()[k].acceleration);
    forces_in_joints_.Put(t, state, sweep_.joint_forces());
    if (const int group = sweep_.PassInertia(); group != 0) {
      const int joint = joint_of_group_[static_cast<std::size_t>(group)];
      return {Status::Code::kSingular, joint, children_[static_cast<std::size_t>(joint)],
              "no inertia about the free axes of the joint"};
    }
    sweep_.PassAcceleration(state, rates);
    return {};
  }

  SweepBatch(const System& system, const GroupTree<double>& tree)
      : driven_(system),
        sweep_(tree, system.gravity),
        forces_in_joints_(system, tree.GroupOfJoint(system)) {
    const JointOffsets at = OffsetsOf(system);
    coordinate_count_ = static_cast<std::size_t>(at.q.back());
    state_size_ = coordinate_count_ + static_cast<std::size_t>(at.u.back());
    parts_ = BatchParts(state_size_);
    lanes_ = OtherLanes(state_size_);
    for (const SweepGroup<double>& group : tree.groups) joint_of_group_.push_back(group.joint);
    const std::vector<int> group_of_joint = tree.GroupOfJoint(system);
    for (const Driver& d : system.drivers)
      group_of_driver_.push_back(
          static_cast<std::size_t>(group_of_joint[static_cast<std::size_t>(d.joint)]));
    for (const Joint& joint : system.joints) children_.push_back(joint.child);
  }

  DrivenCoordinates driven_;
  SweepOf<BatchLanes, double> sweep_;
  BatchParts parts_{0};
  OtherLanes lanes_{0};
  JointForces forces_in_joints_;
  std::vector<std::size_t> group_of_driver_;
  std::vector<int> joint_of_group_, children_;
  std::size_t coordinate_count_ = 0, state_size_ = 0;
};

}  // namespace mbsbench
