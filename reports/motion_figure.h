// Recorded poses of a mechanism, for the drawings of the report.
#pragma once

#include <string>

#include "reports/cells.h"
#include "reports/document.h"

namespace mbsbench::reports {

// Adds the mechanism at the steady state that `cell` found. Returns the id for TableCell::picture; empty where no
// pose is recorded.
std::string SteadyPicture(const Comparison& comparison, const ProblemResults& problem,
                          const Cell& cell, Document& document);

}  // namespace mbsbench::reports
