// Conditions on the initial state of a problem that was read.
#pragma once

#include <vector>

#include "problems/model/problem.h"
#include "problems/model/state.h"

namespace mbsbench {

// The initial state has to close the loops and to be valid for evaluation; throws ModelError
// otherwise. Returns the energy by which drift is divided unless a file states one [J]: kinetic
// energy and energy of springs at the start, plus the weight of all bodies times the characteristic
// length; 1 if these are zero.
double CheckStart(const Problem& problem);

// Throws ModelError if the dense assembly of the loops would take minutes, with the dependent joints, or with all joints
// if a rough guess marks none.
enum class Movable { kDependent, kAll };
void BoundAssembly(const Problem& problem, Movable movable);

// The characteristic length of a mechanism that states none: SpanOf, or 1 if that is zero [m].
double LengthOf(const System& system, const std::vector<BodyState>& bodies);
// The characteristic time of a mechanism that states none: sqrt(L/g), or 0.3 without gravity [s].
double TimeOf(const System& system, double length);

}  // namespace mbsbench
