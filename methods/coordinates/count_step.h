// The operations of one step of a formulation in absolute coordinates.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "methods/interface/operation_count.h"
#include "methods/interface/time_stepper.h"
#include "methods/numerics/count_evaluation.h"
#include "problems/model/kinematics.h"

namespace mbsbench::absolute {

// make() prepares the method, which takes one step from `state`; count(method, y at its begin, its length) counts it.
template <class Make, class Count>
CountedOperations CountStep(const System& system, const JointState& state, Make make, Count count) {
  constexpr double kStep = 1e-3;            // its length changes no count
  constexpr std::size_t kMostBodies = 200;  // of the dense matrix in the equations that are counted
  if (std::string why = WhyNotCounted(system, false); !why.empty())
    return CountedOperations::No(why);
  if (system.bodies.size() > kMostBodies)
    return CountedOperations::No("steps of more than " + std::to_string(kMostBodies) +
                                 " bodies are not counted");
  const auto method = make();
  Status status = method->Start(0, {state, ForwardKinematics(system, state)}, {.step = kStep});
  const std::vector<double> begin(method->y().begin(), method->y().end());
  if (status.ok()) status = method->Step(kStep).status;
  if (!status.ok()) return CountedOperations::No(status.what);
  return count(*method, begin, kStep);
}

}  // namespace mbsbench::absolute
