// The order of a run's trials: breadth first, so that a run can be cut anywhere and shows the whole
// comparison as coarsely as its time allows.
//
// Pass 1: of each family its smallest instance by one variant of each method, then by the other variants,
// then the larger instances from small to large: agreement, one judged cell, one evaluation, one timed round.
// Pass 2: the curves of these integrators, each cell judged and timed once. Pass 3: the other integrators.
// Pass 4: further rounds, then the errors that are split.
#pragma once

#include <cstdint>
#include <vector>

#include "harness/runner/evaluation_trial.h"
#include "harness/runner/plan.h"

namespace mbsbench {

enum class TrialKind { kAgreement, kAccuracy, kEvaluation, kTime, kBudget };
inline constexpr std::size_t kTrialKinds = 5;
std::string_view Name(TrialKind kind);  // as in the store

// One process, or for an agreement one per method.
struct ScheduledTrial {
  TrialKind kind = TrialKind::kAgreement;
  Pass pass = Pass::kOnce;
  std::size_t problem = 0;  // index in the plan
  std::size_t cell = 0;     // accuracy, time and budget: index in the problem's cells
  std::size_t method = 0;   // evaluation: index in the problem's `evaluated`
  Evaluated what = Evaluated::kAccelerations;  // evaluation
  int process = 0;                             // time: which of the cell's processes
};

// The layout of memory biases a process, so the rounds of a cell are spread over this many.
inline constexpr int kProcessesPerCell = 3;

// Of `rounds` rounds of a cell those that a process times: the first process one, the others the rest in turn; all of
// them where there is but one process.
std::vector<int> RoundsOf(int process, int rounds, int processes = kProcessesPerCell);

// A budget takes about so many times what its cell takes: eight further solutions, three or seven times its steps in the
// finer ones, and the moves onto the joints.
inline constexpr double kSolutionsPerBudget = 20;

// Fewer rounds of a cell whose integration takes long, and fewer processes where one takes long, be it to integrate
// or to prepare; one always. `limit`: that of a trial [s].
int AffordableRounds(double integration_seconds, int rounds, double limit);
int AffordableProcesses(double process_seconds, double limit);

// Cells that are not run (unsupported, skipped) are scheduled too, to be recorded: first of all of their
// problem. `seed` is that of the order in which cells of one problem are timed.
std::vector<ScheduledTrial> MakeSchedule(const std::vector<PlannedProblem>& plan, int rounds,
                                         std::uint64_t seed);

}  // namespace mbsbench
