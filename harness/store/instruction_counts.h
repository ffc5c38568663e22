// The instructions of small kernels that 'mbsbench bench' counted for the executable of a run.
#pragma once

#include <map>
#include <vector>

#include "harness/store/comparison.h"

namespace mbsbench {

// By the newest count in this store of the executable that made the run; empty where there is none.
// The records hold `instructions` and `built`: compiler, flags and libraries, without which counts
// say nothing about each other.
std::map<CellName, HeldCell> InstructionCounts(const Store& store, const RunRow& run);

// More or fewer by above `limit` of what they were.
void CompareInstructions(const HeldCell& a, const HeldCell& b, double limit,
                         std::vector<Change>& changes);

}  // namespace mbsbench
