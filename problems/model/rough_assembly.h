// Assembly from rough guesses: finds the coordinates nearest to an author's estimates that close the
// loops.
#pragma once

#include <optional>

#include "problems/model/assembly.h"

namespace mbsbench {

struct RoughAssembly {
  InitialCondition
      closed;  // loops closed up to their precision, rates consistent; valid for Assemble()
  bool chose_dependent = false;  // the guess marked no joint as dependent; now enough are marked
  int iterations = 0;
  double residual_before = 0, residual = 0;  // largest of a loop row, lengths divided by `length`
  double farthest = 0;                       // change of a coordinate [`length` or rad]
  double loop_precision = 0;  // that of the system, or the one found (Rounding::kTaken)
};

// What happens if the loops of a system that states no precision close up to a small misfit only (loop_misfit.h).
enum class Rounding { kRefused, kTaken };

// Closes the loops by Newton's method with bounded, halved steps. The joints that `guess` marks as
// dependent move. If it marks none, all joints without drivers move, as little as possible, and a
// set of them that the loops determine is marked as dependent.
//
// Throws ModelError, with the residual, if the loops do not close; if a coordinate would move by more
// than 1 rad or 1 `length`; if other coordinates about as near to the guess also close the loops; if
// they close at a singular position, from which the mechanism can continue in several ways; and if the
// rates cannot be made consistent.
RoughAssembly AssembleFromGuess(const System& system, const InitialCondition& guess, double length,
                                Rounding rounding = Rounding::kRefused);

// Moves all joints without drivers, and their rates, without the checks: a state near `near`, not necessarily the
// nearest. Empty if the loops do not close from there.
std::optional<SystemState> CloseLoops(const System& system, const JointState& near, double length);

}  // namespace mbsbench
