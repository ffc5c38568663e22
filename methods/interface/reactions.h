// Accelerations together with the forces and moments in all joints, for a little more than the accelerations alone: an observation, which
// gives them too, gives the motion of all bodies besides and may allocate.
#pragma once

#include <span>

#include "methods/interface/observation.h"
#include "methods/interface/status.h"

namespace mbsbench {

// What a formulation y' = f(t, y) implements that can do it.
class EvaluatesReactions {
 public:
  virtual ~EvaluatesReactions() = default;
  // As OdeFormulation::Evaluate, with the same ydot but for round-off, and besides what Observe gives as `reactions`: one entry per tree
  // joint, then one per loop joint. The first call may allocate; the others do not on systems of which `knows_reactions` holds. On
  // failure the reactions are not to be read.
  virtual Status EvaluateWithReactions(double t, std::span<const double> y, std::span<double> ydot,
                                       std::span<JointReaction> reactions) = 0;
  // Whether the equations of this system contain the reactions; else they follow from the accelerations, at the price of an observation.
  virtual bool knows_reactions() const = 0;
};

// What a formulation on joint coordinates implements that can do without the motion of the bodies: of a million bodies it takes a tenth of a
// gigabyte. Initialise reads the joint coordinates alone, and on a tree without drivers y = [q; u] of the JointState that it was given.
class ObservesWithoutMotion {
 public:
  virtual ~ObservesWithoutMotion() = default;
  // As Formulation::Observe of accelerations or more, but that `bodies` is empty.
  virtual Status ObserveWithoutMotion(double t, std::span<const double> y, Detail detail,
                                      Observation& observation) = 0;
};

}  // namespace mbsbench
