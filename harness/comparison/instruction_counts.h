// Instruction counts of small kernels, by 'mbsbench bench', for the executable of a run.
#pragma once

#include <map>
#include <vector>

#include "harness/comparison/comparison.h"

namespace mbsbench {

// The newest counts in this store for the executable of the run; empty if there are none.
// The cells hold `instructions` and `built` (compiler, flags and libraries); counts with different `built` are not
// comparable.
std::map<CellName, HeldCell> InstructionCounts(const Store& store, const RunRow& run);

// Worse or better if the counts differ by more than kInstructionLimit.
Direction DirectionOfCounts(double before, double after);

void CompareInstructions(const HeldCell& a, const HeldCell& b, std::vector<Change>& changes);

}  // namespace mbsbench
