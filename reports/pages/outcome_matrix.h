// A figure that shows the outcome of every cell, a letter each.
#pragma once

#include "reports/analysis/cells.h"
#include "reports/format/document.h"

namespace mbsbench::reports {

// Problems over methods and integrators.
Figure OutcomeMatrix(const Comparison& comparison);

}  // namespace mbsbench::reports
