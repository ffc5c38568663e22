// What changed since the run with which a report is compared.
#pragma once

#include <map>
#include <string>

#include "harness/comparison/comparison.h"
#include "reports/analysis/cells.h"

namespace mbsbench::reports {

// "2 worse, 1 better, 0 changed"
std::string ChangesInShort(const ComparedRuns& compared);

// The name of a cell in a comparison of runs.
CellName NameOf(const Cell& cell);

// Changes of cells by CellName::Text: "worse: error 1e-9 -> 1e-6".
std::map<std::string, std::string> ChangesByCell(const Comparison& comparison);

}  // namespace mbsbench::reports
