#include "methods/articulated_body/batch.h"

#include <vector>

#include "methods/articulated_body/sweep.h"
#include "methods/kinematics/driven_coordinates.h"
#include "methods/kinematics/force_elements.h"
#include "methods/numerics/batch_checks.h"
#include "methods/numerics/group_tree.h"

namespace mbsbench::articulated_body {

namespace {

class Batch final : public BatchFormulation {
 public:
  explicit Batch(const System& system) : Batch(system, MakeGroupTree<double>(system)) {}

  std::size_t state_size() const override { return state_size_; }

  Status EvaluateBatch(double t, std::span<const LaneValues> states,
                       std::span<LaneValues> ydot) override {
    const std::span<const LaneValues> y = driven_.At(t, states);
    // The same bytes: a Lanes is a vector that may alias.
    const Lanes* const state = reinterpret_cast<const Lanes*>(y.data());
    Lanes* const rates = reinterpret_cast<Lanes*>(ydot.data());
    sweep_.PassMotion(state, rates);
    PutGivenOnJoints(y);
    Status status;
    if (const int group = sweep_.PassInertia(); group != 0) {
      const int joint = joint_of_group_[static_cast<std::size_t>(group)];
      status = {Status::Code::kSingular, joint, children_[static_cast<std::size_t>(joint)],
                "no inertia about the free axes of the joint"};
    } else {
      sweep_.PassAcceleration(state, rates);
    }
    return CheckedBatch(status, coordinate_count_, y, ydot);
  }

 private:
  struct JointSpring {
    JointSpringDamper element;
    std::size_t group, q, u;
  };

  Batch(const System& system, const GroupTree<double>& tree)
      : driven_(system), sweep_(tree, system.gravity) {
    const JointOffsets at = OffsetsOf(system);
    coordinate_count_ = static_cast<std::size_t>(at.q.back());
    state_size_ = coordinate_count_ + static_cast<std::size_t>(at.u.back());
    std::vector<std::size_t> group_of_joint(system.joints.size());
    for (std::size_t g = 0; g < tree.groups.size(); ++g) {
      joint_of_group_.push_back(tree.groups[g].joint);
      if (g > 0) group_of_joint[static_cast<std::size_t>(tree.groups[g].joint)] = g;
    }
    for (const Driver& d : system.drivers)
      group_of_driver_.push_back(group_of_joint[static_cast<std::size_t>(d.joint)]);
    for (const Joint& joint : system.joints) children_.push_back(joint.child);
    for (const JointSpringDamper& e : system.joint_spring_dampers) {
      const std::size_t g = group_of_joint[static_cast<std::size_t>(e.joint)];
      if (tree.groups[g].driven) continue;
      joint_springs_.push_back({e, g, static_cast<std::size_t>(tree.groups[g].q),
                                static_cast<std::size_t>(tree.groups[g].u)});
    }
  }

  void PutGivenOnJoints(std::span<const LaneValues> y) {
    const std::span<Lanes> forces = sweep_.joint_forces();
    for (std::size_t k = 0; k < group_of_driver_.size(); ++k)
      forces[group_of_driver_[k]] = Lanes(driven_.all()[k].acceleration);
    for (const JointSpring& s : joint_springs_) forces[s.group] = Lanes();
    for (const JointSpring& s : joint_springs_) {
      for (std::size_t l = 0; l < kLanes; ++l) {
        forces[s.group].v[l] += JointSpringForce(s.element, y[s.q].lane[l], y[s.u].lane[l]);
      }
    }
  }

  DrivenCoordinates driven_;
  Sweep<Lanes> sweep_;
  std::vector<std::size_t> group_of_driver_;
  std::vector<int> joint_of_group_, children_;
  std::vector<JointSpring> joint_springs_;
  std::size_t coordinate_count_ = 0, state_size_ = 0;
};

}  // namespace

std::unique_ptr<BatchFormulation> MakeBatch(const System& system) {
  RequireTreeForBatch(system, "articulated-body");
  return std::make_unique<Batch>(system);
}

}  // namespace mbsbench::articulated_body
