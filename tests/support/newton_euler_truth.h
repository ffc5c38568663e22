// A small independent reference for accelerations and joint reactions of trees: Newton's and Euler's equations of
// each body, every joint a set of constraint rows, in one dense linear system
//   [ M  G' ] [ acceleration ]   [ f     ]
//   [ G  0  ] [ -lambda      ] = [ gamma ].
// It shares only the vocabulary of the model with the methods. Force laws are written
// out here again.
#pragma once

#include <vector>

#include "methods/interface/observation.h"
#include "problems/model/state.h"
#include "problems/model/system.h"

namespace mbsbench {

struct NewtonEulerTruth {
  std::vector<BodyAcceleration> accelerations;
  std::vector<JointReaction> reactions;
};

NewtonEulerTruth SolveNewtonEuler(const System& system, const SystemState& state);

}  // namespace mbsbench
