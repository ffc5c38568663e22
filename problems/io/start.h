// What a problem that was read must fulfil at its start.
#pragma once

#include "problems/model/problem.h"

namespace mbsbench {

// The initial state has to close the loops, and be one that can be evaluated; throws ModelError
// otherwise. Returns the energy by which drift is scaled unless a file states one [J]: kinetic energy
// and energy of springs at the start, and the weight of all bodies times the characteristic length;
// 1 where these are zero.
double CheckStart(const Problem& problem);

// Throws ModelError where the dense assembly of the loops would keep a machine busy for minutes: by the dependent joints,
// or by all where a rough guess names none.
enum class Movable { kDependent, kAll };
void BoundAssembly(const Problem& problem, Movable movable);

// Whether no driver, applied force, rope flight or damper changes the energy.
bool KeepsEnergy(const System& system);

}  // namespace mbsbench
