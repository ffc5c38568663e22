// The arithmetic of one evaluation, by its kernels on the scalar that counts.
#pragma once

#include <optional>
#include <vector>

#include "methods/kinematics/force_elements.h"
#include "methods/numerics/counted.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

// Whether all of an evaluation is counted: systems with loops, force elements or springs in joints, or
// that grow, take other kernels, too.
inline bool IsCounted(const System& system) {
  return system.loop_joints.empty() && !system.rope_flight && !HasForceElements(system) &&
         system.joint_spring_dampers.empty();
}

// What `evaluate(y, ydot)` takes at a state.
template <class Evaluate>
OperationCount CountAt(const std::vector<double>& state, Evaluate evaluate) {
  std::vector<Counted> y, ydot(state.size());
  for (double value : state) y.emplace_back(value);
  counted = {};
  evaluate(y.data(), ydot.data());
  return counted;
}

// `prepare()` returns what evaluates a prepared system: evaluate(y, ydot), y = [q; u]. No value where
// not all is counted.
template <class Prepare>
std::optional<OperationCount> CountEvaluation(const System& system, const JointState& state,
                                              Prepare prepare) {
  if (!IsCounted(system)) return std::nullopt;
  std::vector<double> y = state.q;
  y.insert(y.end(), state.u.begin(), state.u.end());
  return CountAt(y, prepare());
}

}  // namespace mbsbench
