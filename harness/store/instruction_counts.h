// The instructions of small kernels that 'mbsbench bench' counted for the executable of a run.
#pragma once

#include <map>
#include <vector>

#include "harness/store/comparison.h"

namespace mbsbench {

// From the newest count in this store for the executable that made the run; empty if there is none.
// The records hold `instructions` and `built` (compiler, flags and libraries); counts are
// comparable only if `built` is equal.
std::map<CellName, HeldCell> InstructionCounts(const Store& store, const RunRow& run);

// Compares the counts; a relative difference above `limit` is worse or better.
void CompareInstructions(const HeldCell& a, const HeldCell& b, double limit,
                         std::vector<Change>& changes);

}  // namespace mbsbench
