// The order of a run: breadth first, so that a run stopped at any time answers as many comparisons as its time allows. plan.h
// states the passes.
#pragma once

#include <vector>

#include "harness/runner/plan/plan.h"

namespace mbsbench {

enum class TrialKind { kAgreement, kAccuracy, kEvaluation, kTime, kBudget };
std::string_view Name(TrialKind kind);  // as in the store

// What a run carries out one after the other, each by one or several trials.
enum class StepKind {
  kAgreement,   // of all methods on a problem
  kEvaluation,  // of one quantity by one method
  kRefusal,     // records a curve that does not run
  kCell,        // judges one cell
  kSearch,      // the cells that the search for a target asks for
  kRounds,      // rounds of the cells found for a target, until each pair is decided or has so many
  kLadderRound,  // one round of all cells of the ladders of a problem
  kBudget,       // splits the error of one cell of a curve
};
inline constexpr std::size_t kStepKinds = 8;

struct ScheduledStep {
  StepKind kind = StepKind::kAgreement;
  Pass pass = Pass::kEvaluations;
  std::size_t problem = 0;  // index in the plan
  std::size_t curve = 0;    // refusal, cell, search, budget: index in the problem's curves
  double setting = 0;       // refusal, cell
  double target = 0;        // search, rounds
  std::size_t method = 0;   // evaluation: index in the problem's `evaluated`
  Evaluated what = Evaluated::kAccelerations;  // evaluation
  int rounds = 0;  // rounds: at most for each pair; round of a ladder: its number
};

// The numbers of paired rounds after which it is decided whether a pair gets more.
inline const std::vector<int> kLooks{3, 6, 12, 20};

// The time of a budget, in times of its cell: eight further solutions, three or seven times the steps in the finer runs, and
// the projections onto the joints.
inline constexpr double kSolutionsPerBudget = 20;

// A cell that takes long has fewer rounds, at least one. `limit`: time limit of a trial [s].
int AffordableRounds(double seconds, int rounds, double limit);

// `rounds`: of each cell of a ladder; 0: nothing is timed. `looks`: ascending.
std::vector<ScheduledStep> MakeSchedule(const std::vector<PlannedProblem>& plan, int rounds,
                                        const std::vector<int>& looks);

}  // namespace mbsbench
