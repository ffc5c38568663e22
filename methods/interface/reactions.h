// Accelerations and the forces and moments in all joints, for little more than the cost of the accelerations alone. (An observation also
// returns them, but in addition the motion of all bodies, and it may allocate.)
#pragma once

#include <span>

#include "methods/interface/observation.h"
#include "methods/interface/status.h"

namespace mbsbench {

// Implemented by formulations y' = f(t, y) that support it.
class EvaluatesReactions {
 public:
  virtual ~EvaluatesReactions() = default;
  // As OdeFormulation::Evaluate, with the same ydot except for round-off, and in addition the `reactions` of Observe: one entry per tree
  // joint, then one per loop joint. The first call may allocate; later calls do not if `equations_contain_reactions` is true for the system. On
  // failure the reactions are undefined.
  virtual Status EvaluateWithReactions(double t, std::span<const double> y, std::span<double> ydot,
                                       std::span<JointReaction> reactions) = 0;
  // Whether the equations of this system contain the reactions; otherwise they are computed from the accelerations, at the cost of an
  // observation.
  virtual bool equations_contain_reactions() const = 0;
};

// Implemented by formulations in joint coordinates that do not need the motion of the bodies, which takes a tenth of a gigabyte for a
// million bodies. Initialise reads the joint coordinates alone, and on a tree without drivers y = [q; u] of the given JointState.
class ObservesWithoutMotion {
 public:
  virtual ~ObservesWithoutMotion() = default;
  // As Formulation::Observe with accelerations or more, except that `bodies` is empty.
  virtual Status ObserveWithoutMotion(double t, std::span<const double> y, Detail detail,
                                      Observation& observation) = 0;
};

}  // namespace mbsbench
