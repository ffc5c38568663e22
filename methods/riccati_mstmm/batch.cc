// The sweeps on SIMD lanes.
#include "methods/riccati_mstmm/batch.h"

#include "methods/kinematics/driven_coordinates.h"
#include "methods/numerics/batch_checks.h"
#include "methods/numerics/lanes.h"
#include "methods/riccati_mstmm/general_sweep_inline.h"

namespace mbsbench {

namespace {

class Batch final : public BatchFormulation {
 public:
  explicit Batch(const System& system)
      : tree_(MakeJointTree(system)), driven_(system), space_(tree_), parts_(state_size()) {
    for (const Driver& d : system.drivers) {
      const int body = system.joints[static_cast<std::size_t>(d.joint)].child;
      element_of_driver_.push_back(
          static_cast<std::size_t>(tree_.element_of_body[static_cast<std::size_t>(body)]));
    }
  }

  std::size_t state_size() const override {
    return static_cast<std::size_t>(tree_.coordinate_count + tree_.rate_count);
  }

  Status EvaluateBatch(double t, std::span<const LaneValues> states,
                       std::span<LaneValues> ydot) override {
    const std::span<const LaneValues> y = driven_.At(t, states);
    const Status status = parts_.Evaluate(
        y, ydot,
        [this](const BatchLanes* state, BatchLanes* rates) { return Sweep(state, rates); });
    return CheckedBatch(status, static_cast<std::size_t>(tree_.coordinate_count), y, ydot);
  }

 private:
  Status Sweep(const BatchLanes* state, BatchLanes* rates) {
    CalcMotion(tree_, state, space_.motions.data(), rates);
    for (std::size_t i = 0; i < element_of_driver_.size(); ++i) {
      const std::size_t k = element_of_driver_[i];
      DriveJoint(tree_.elements[k], driven_.all()[i].acceleration, space_.motions[k + 1]);
    }
    if (const int singular = SweepToRoot(tree_, false, space_); singular != 0) {
      const TreeElement& e = tree_.elements[static_cast<std::size_t>(singular) - 1];
      return {Status::Code::kSingular, e.joint, e.body,
              "the tip side has no inertia about the joint's free axes"};
    }
    SweepToTips(tree_, space_, rates);
    for (const DrivenCoordinates::Driven& d : driven_.all())
      rates[d.u] = BatchLanes(d.acceleration);
    return {};
  }

  const JointTree tree_;
  DrivenCoordinates driven_;
  std::vector<std::size_t> element_of_driver_;
  SweepSpace<BatchLanes> space_;
  BatchParts parts_;
};

}  // namespace

std::unique_ptr<BatchFormulation> MakeRiccatiBatch(const System& system) {
  RequireTreeForBatch(system, "riccati-mstmm");
  return std::make_unique<Batch>(system);
}

}  // namespace mbsbench
