#include "methods/kinematics/joint_laws.h"

namespace mbsbench {

namespace {

JointLaw LawOf(const JointSpringDamper& e, JointType type) {
  return {e.joint, 0, !IsLength(type, 0), e.stiffness, e.damping, e.free_coordinate};
}
JointLaw LawOf(const Motor& e, JointType type) {
  JointLaw law{e.joint, e.CoordinateOf(type), e.turns};
  law.effort = std::make_shared<const EffortOverTime>(e.effort);
  return law;
}

}  // namespace

std::vector<JointLaw> JointLawsOf(const System& system) {
  std::vector<JointLaw> laws;
  system.forces.ForEach([&]<class Law>(const Law& element) {
    if constexpr (ActsOnJoint<Law>) {
      laws.push_back(LawOf(element, system.joints[static_cast<std::size_t>(element.joint)].type));
    }
  });
  return laws;
}

JointForces::JointForces(const System& system, std::span<const int> place_of_joint) {
  const JointOffsets at = OffsetsOf(system);
  const std::vector<bool> driven = DrivenJoints(system);
  for (JointLaw& law : JointLawsOf(system)) {
    const auto joint = static_cast<std::size_t>(law.joint);
    if (driven[joint]) continue;
    const int k = law.coordinate;
    laws_.push_back({std::move(law), static_cast<std::size_t>(place_of_joint[joint] + k),
                     static_cast<std::size_t>(at.q[joint] + k),
                     static_cast<std::size_t>(at.q.back() + at.u[joint] + k)});
  }
}

}  // namespace mbsbench
