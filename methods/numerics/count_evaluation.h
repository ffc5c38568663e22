// The arithmetic of one evaluation, by its kernels on the scalar that counts.
#pragma once

#include <string>
#include <vector>

#include "methods/kinematics/force_elements.h"
#include "methods/numerics/counted.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

// Why not all of an evaluation is counted; empty: it is.
inline std::string WhyNotCounted(const System& system, bool counts_drivers = true) {
  const char* const other_kernels = " are evaluated by kernels that do not count";
  if (!system.loop_joints.empty()) return std::string("loops") + other_kernels;
  if (HasForceElements(system) || !system.joint_spring_dampers.empty())
    return std::string("force elements") + other_kernels;
  if (system.rope_flight) return std::string("events of a system that grows") + other_kernels;
  if (!counts_drivers && !system.drivers.empty()) return std::string("drivers") + other_kernels;
  return {};
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

// `prepare()` returns what evaluates a prepared system: evaluate(y, ydot), y = [q; u].
template <class Prepare>
CountedOperations CountEvaluation(const System& system, const JointState& state, Prepare prepare) {
  if (std::string why = WhyNotCounted(system); !why.empty()) return CountedOperations::No(why);
  std::vector<double> y = state.q;
  y.insert(y.end(), state.u.begin(), state.u.end());
  return CountAt(y, prepare());
}

}  // namespace mbsbench
