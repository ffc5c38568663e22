// The sweep on a scalar that counts.
#include "methods/articulated_body/operations.h"

#include <vector>

#include "methods/articulated_body/sweep.h"
#include "methods/kinematics/force_elements.h"
#include "methods/numerics/group_tree.h"

namespace mbsbench::articulated_body {

std::optional<OperationCount> CountOperations(const System& system, const JointState& state) {
  if (!system.loop_joints.empty() || system.rope_flight || HasForceElements(system) ||
      !system.joint_spring_dampers.empty()) {
    return std::nullopt;
  }
  Sweep<Counted> sweep(MakeGroupTree<Counted>(system), system.gravity);
  std::vector<Counted> y, ydot(state.q.size() + state.u.size());
  for (double q : state.q) y.emplace_back(q);
  for (double u : state.u) y.emplace_back(u);
  counted = {};
  sweep.PassMotion(y.data(), ydot.data());
  sweep.PassInertia();
  sweep.PassAcceleration(y.data(), ydot.data());
  return counted;
}

}  // namespace mbsbench::articulated_body
