// The arithmetic of one evaluation, by its kernels on the scalar that counts.
#pragma once

#include <optional>
#include <vector>

#include "methods/kinematics/force_elements.h"
#include "methods/numerics/counted.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

// `prepare()` returns what evaluates a prepared system: evaluate(y, ydot), y = [q; u]. No value on systems
// with loops, force elements or springs in joints, nor where they grow: these take other kernels, too.
template <class Prepare>
std::optional<OperationCount> CountEvaluation(const System& system, const JointState& state,
                                              Prepare prepare) {
  if (!system.loop_joints.empty() || system.rope_flight || HasForceElements(system) ||
      !system.joint_spring_dampers.empty()) {
    return std::nullopt;
  }
  std::vector<Counted> y, ydot(state.q.size() + state.u.size());
  for (double q : state.q) y.emplace_back(q);
  for (double u : state.u) y.emplace_back(u);
  auto evaluate = prepare();
  counted = {};
  evaluate(y.data(), ydot.data());
  return counted;
}

}  // namespace mbsbench
