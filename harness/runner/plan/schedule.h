// The order of the trials of a run: breadth first, so that a run stopped at any time shows the whole comparison as finely as its
// time allows.
//
// Pass 1: the smallest instance of each family by one variant of each method, then by the other variants, then the larger
// instances from small to large: agreement, one judged cell, one evaluation, one timed round.
// Pass 2: the curves of these integrators, each cell judged and timed once. Pass 3: the other integrators.
// Pass 4: further rounds, then error budgets.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/runner/cells/evaluated.h"
#include "harness/runner/plan/plan.h"

namespace mbsbench {

enum class TrialKind { kAgreement, kAccuracy, kEvaluation, kTime, kBudget };
inline constexpr std::size_t kTrialKinds = 5;
std::string_view Name(TrialKind kind);  // as in the store

// A trial has one process; an agreement has one per method.
struct ScheduledTrial {
  TrialKind kind = TrialKind::kAgreement;
  Pass pass = Pass::kOnce;
  std::size_t problem = 0;  // index in the plan
  std::size_t cell = 0;     // accuracy, time and budget: index in the problem's cells
  std::size_t method = 0;   // evaluation: index in the problem's `evaluated`
  Evaluated what = Evaluated::kAccelerations;  // evaluation
  int process = 0;                             // time: index of the cell's process
};

// The memory layout biases the times of a process, so the rounds of a cell are spread over this number of processes.
inline constexpr int kProcessesPerCell = 3;

// The rounds of a cell that a process times, of `rounds`: the first process times one, the others share the rest; a single
// process times all of them.
std::vector<int> RoundsOf(int process, int rounds, int processes = kProcessesPerCell);

// The time of a budget, in times of its cell: eight further solutions, three or seven times the steps in the finer runs, and
// the projections onto the joints.
inline constexpr double kSolutionsPerBudget = 20;

// A cell with a long integration has fewer rounds, and a cell with a long process (to integrate or to prepare) fewer processes;
// at least one. `limit`: time limit of a trial [s].
int AffordableRounds(double integration_seconds, int rounds, double limit);
int AffordableProcesses(double process_seconds, double limit);

// Cells that are not run (unsupported, skipped) are scheduled too, as the first of their problem, so that they are recorded.
// `seed` determines the order in which the cells of one problem are timed.
std::vector<ScheduledTrial> MakeSchedule(const std::vector<PlannedProblem>& plan, int rounds,
                                         std::uint64_t seed);

}  // namespace mbsbench
