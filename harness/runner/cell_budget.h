// The runs that split the error of a cell (error_budget.h), in this process.
#pragma once

#include "harness/metrics/error_budget.h"
#include "harness/runner/trial.h"

namespace mbsbench {

// Iterations that stop at a tolerance of their own are repeated with one that much tighter.
inline constexpr double kConvergedIterations = 0.01;

// Throws ModelError where there is no reference, the system grows, the method gives a steady state, or the cell
// itself or one of the runs that estimate its round-off does not end well.
BudgetRecord BudgetOf(const PreparedCell& prepared);

// One per curve of a full run: the record holds the command and the budget.
TrialResult BudgetTrial(const PreparedCell& prepared);

}  // namespace mbsbench
