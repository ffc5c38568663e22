// The operations of one evaluation, counted by running its kernels with the counting scalar.
#pragma once

#include <string>
#include <vector>

#include "methods/kinematics/force_elements.h"
#include "methods/numerics/counted.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

// The reason why an evaluation cannot be counted completely; empty: it can.
inline std::string WhyNotCounted(const System& system, bool counts_drivers = true) {
  const char* what = nullptr;
  if (!system.loop_joints.empty()) {
    what = "loops";
  } else if (!system.forces.empty()) {
    what = "force elements";
  } else if (system.rope_flight) {
    what = "events of a system that grows";
  } else if (!counts_drivers && !system.drivers.empty()) {
    what = "drivers";
  }
  std::string why;
  if (what != nullptr) why.append(what).append(" are evaluated by kernels that do not count");
  return why;
}

// The operations of `evaluate(y, ydot)` at a state.
template <class Evaluate>
OperationCount CountAt(const std::vector<double>& state, Evaluate evaluate) {
  std::vector<Counted> y, ydot(state.size());
  for (double value : state) y.emplace_back(value);
  counted = {};
  evaluate(y.data(), ydot.data());
  return counted;
}

// `prepare()` returns a function that evaluates a prepared system: evaluate(y, ydot), y = [q; u].
template <class Prepare>
CountedOperations CountEvaluation(const System& system, const JointState& state, Prepare prepare) {
  if (std::string why = WhyNotCounted(system); !why.empty()) return CountedOperations::No(why);
  std::vector<double> y = state.q;
  y.insert(y.end(), state.u.begin(), state.u.end());
  return CountAt(y, prepare());
}

}  // namespace mbsbench
