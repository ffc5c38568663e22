// Assembly from rough guesses: the coordinates that close the loops nearest to what an author has read
// off a drawing.
#pragma once

#include <optional>

#include "problems/model/assembly.h"

namespace mbsbench {

struct RoughAssembly {
  InitialCondition closed;  // loops closed to round-off, rates consistent; valid for Assemble()
  bool chose_dependent =
      false;  // the guess marked no joint dependent: enough of them are marked now
  int iterations = 0;
  double residual_before = 0, residual = 0;  // largest of a loop row, lengths divided by `length`
  double farthest = 0;                       // change of a coordinate [`length` or rad]
};

// Closes the loops by Newton's method with bounded, halved steps. The joints that `guess` marks
// dependent move; where it marks none, all joints move that no driver holds, as little as they can,
// and a set of them that the loops determine is marked dependent.
//
// Throws ModelError, with the residual, where the loops do not close; where a coordinate would move
// by more than 1 rad or 1 `length`; where other coordinates about as near to the guess close the loops
// too; where they close at a singular position, from which the mechanism can go on in several ways; and
// where the rates cannot be made consistent.
RoughAssembly AssembleFromGuess(const System& system, const InitialCondition& guess, double length);

// The same of all joints that no driver holds, and of their rates, without the checks: a state near to `near`, and not the
// nearest. Empty where the loops do not close from there.
std::optional<SystemState> CloseLoops(const System& system, const JointState& near, double length);

}  // namespace mbsbench
