// What changed since the run that a report is held against.
#pragma once

#include <map>
#include <string>

#include "harness/store/comparison.h"
#include "reports/cells.h"

namespace mbsbench::reports {

// "2 worse, 1 better, 0 changed"
std::string ChangesInShort(const ComparedRuns& compared);

// As a comparison of runs names it.
CellName NameOf(const Cell& cell);

// By CellName::Text, of cells with changes: "worse: error 1e-9 -> 1e-6".
std::map<std::string, std::string> ChangesByCell(const Comparison& comparison);

}  // namespace mbsbench::reports
