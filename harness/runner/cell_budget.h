// The runs that split the error of a cell (error_budget.h), in this process.
#pragma once

#include "harness/metrics/error_budget.h"
#include "harness/runner/trial.h"

namespace mbsbench {

struct CellBudget {
  ErrorBudget budget;
  int order = 0;              // of the integrator; 0: variable
  std::string finer;          // how the finer runs were refined: "halved steps"
  std::string why_not_finer;  // why there are fewer than two; empty where there are
  bool same_steps = true;     // from starts on either side
  std::string no_iteration;   // why nothing is split off for iterations; empty where it is
};

// Iterations that stop at a tolerance of their own are repeated with one that much tighter.
inline constexpr double kConvergedIterations = 0.01;

// Throws ModelError where there is no reference, the system grows, the method gives a steady state, or the cell
// itself or one of the runs that estimate its round-off does not end well.
CellBudget BudgetOf(const PreparedCell& prepared);

BudgetRecord RecordOf(const CellBudget& budget);

// One per curve of a full run: the record holds the command and the budget.
TrialResult BudgetTrial(const PreparedCell& prepared);

}  // namespace mbsbench
