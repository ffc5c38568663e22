#include "methods/transfer_elements/transfer_formulation.h"

namespace mbsbench {

TransferFormulation::TransferFormulation(const GivenSystem& given, Stabilisation stabilisation)
    : TreeFormulation(given, stabilisation),
      tree_(given),
      motion_(tree_),
      joint_forces_(tree_.groups.size()),
      loads_(tree_.groups.size()),
      group_of_joint_(tree_.GroupOfJoint(given)),
      force_elements_(given, tree_),
      forces_in_joints_(given, group_of_joint_) {}

void TransferFormulation::Move(double t, std::span<const double> y, std::span<double> ydot) {
  motion_.PassMotion(y.data(), ydot.data());
  for (const DrivenCoordinates::Driven& d : driven().all()) {
    const int group = group_of_joint_[static_cast<std::size_t>(d.joint)];
    joint_forces_[static_cast<std::size_t>(group)] = d.acceleration;
  }
  forces_in_joints_.Put(t, y.data(), std::span<double>(joint_forces_));
  if (!force_elements_.empty()) force_elements_.Apply(y.data(), motion_, loads_);
}

Status TransferFormulation::Failed(std::size_t group, Status::Code code, const char* what) const {
  const int joint = tree_.groups[group].joint;
  return {code, joint, system().joints[static_cast<std::size_t>(joint)].child, what};
}

std::vector<BodyAcceleration> TransferFormulation::Accelerations() const {
  const Vector3 nothing_left_out{};  // accelerations in state vectors include gravity
  return AccelerationsOfBodies(tree_.placements, motion_, nothing_left_out, [this](int group) {
    if (group == 0) return GroupAcceleration{};
    const OutputState z = StateAtOutput(static_cast<std::size_t>(group));
    return GroupAcceleration{z.alpha, z.a};
  });
}

// At an output end forces are positive against the axes.
std::vector<JointReaction> TransferFormulation::Passed(
    std::span<const BodyState> bodies, std::span<const BodyAcceleration> accelerations) const {
  std::vector<JointReaction> passed(system().joints.size());
  if (passed.size() >= tree_.groups.size()) passed = TreeFormulation::Passed(bodies, accelerations);
  for (std::size_t k = 1; k < tree_.groups.size(); ++k) {
    const OutputState z = StateAtOutput(k);
    passed[static_cast<std::size_t>(tree_.groups[k].joint)] = {Plain(-z.q), Plain(z.m)};
  }
  return passed;
}

}  // namespace mbsbench
