// A page for each cell that was tried, at a permanent address.
#pragma once

#include <string>

#include "reports/analysis/cells.h"
#include "reports/format/document.h"

namespace mbsbench::reports {

// "cell/problem/0123456789ab"; empty for a cell that has timed rounds only.
std::string CellRoute(const ProblemResults& problem, const Cell& cell);
std::string CellKey(const Cell& cell);

void AddCellPages(const Comparison& comparison, Document& document);

}  // namespace mbsbench::reports
