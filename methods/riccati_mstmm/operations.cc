// The sweeps on a scalar that counts.
#include "methods/riccati_mstmm/operations.h"

#include <vector>

#include "methods/kinematics/force_elements.h"
#include "methods/riccati_mstmm/general_sweep_inline.h"

namespace mbsbench {

std::optional<OperationCount> CountRiccatiOperations(const System& system,
                                                     const JointState& state) {
  if (!system.loop_joints.empty() || HasForceElements(system) ||
      !system.joint_spring_dampers.empty()) {
    return std::nullopt;
  }
  const JointTree tree = MakeJointTree(system);
  SweepSpace<Counted> space(tree);
  std::vector<Counted> y, ydot(state.q.size() + state.u.size());
  for (double q : state.q) y.emplace_back(q);
  for (double u : state.u) y.emplace_back(u);
  counted = {};
  CalcMotion(tree, y.data(), space.motions.data(), ydot.data());
  SweepToRoot(tree, false, space);
  SweepToTips(tree, space, ydot.data());
  return counted;
}

}  // namespace mbsbench
