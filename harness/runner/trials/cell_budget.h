// Splits the error of a cell (error_budget.h) by runs in this process.
#pragma once

#include "harness/metrics/error_budget.h"
#include "harness/runner/cells/trial.h"

namespace mbsbench {

// Iterations that stop at their own tolerance are repeated with a tolerance tighter by this factor.
inline constexpr double kConvergedIterations = 0.01;

// Throws ModelError if there is no reference, the system grows, the method gives a steady state, or the cell
// itself or one of the runs that estimate its round-off fails.
BudgetRecord BudgetOf(const PreparedCell& prepared);

// One per curve of a full run: the record holds the command and the budget.
TrialResult BudgetTrial(const PreparedCell& prepared);

}  // namespace mbsbench
