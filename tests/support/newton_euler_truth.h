// A small truth for accelerations and joint reactions of trees: Newton's and Euler's equations of
// each body by itself, every joint a set of constraint rows, one dense linear system
//   [ M  G' ] [ acceleration ]   [ f     ]
//   [ G  0  ] [ -lambda      ] = [ gamma ].
// It shares the vocabulary of the model with the methods and nothing else; force laws are written
// out here once more.
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
