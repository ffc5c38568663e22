// The cells of a run.
#pragma once

#include <string>
#include <vector>

#include "harness/runner/cells/cell.h"
#include "harness/runner/cells/outcome.h"
#include "harness/runner/plan/policy.h"

namespace mbsbench {

struct Selection {
  // Globs, and model files among the problems; empty: those of the tier. A name without a wildcard is one instance: for a family
  // its smallest listed instance, for a method its default variant.
  std::vector<std::string> problems = {}, methods = {}, integrators = {};
  std::vector<std::string> tags = {};  // a problem must have all of them
  Tier tier = Tier::kDefault;          // quick, default or full: the cost of the run
  bool evaluations_only = false;       // only single evaluations are compared and timed
  bool budgets = false;  // splits the error of one cell per curve; a full run always does
};

// The passes of a run, from broad to deep.
enum class Pass {
  kOnce = 1,     // every method on every problem: one cell of its default integrator, timed once
  kCurves,       // the other tolerances of these integrators
  kIntegrators,  // the other integrators
  kDepth,        // further rounds, slow cells, and error budgets
};
inline constexpr int kPasses = 4;
// What a pass adds: "every method on every problem once".
std::string_view TitleOf(Pass pass);

struct PlannedCell {
  Cell cell;
  Ending without_running;  // unsupported or skipped, with the reason; ok: the cell is run
  int coarser = -1;        // index of the cell with the next coarser tolerance or step; -1: none
  Pass pass = Pass::kCurves;
  bool is_split = false;  // its error is split into parts (cell_budget.h); one per curve
};

struct PlannedProblem {
  std::string name;
  std::string model_file;  // source of the problem; empty: the catalogue
  std::string family;      // its name without options
  std::size_t bodies = 0;
  std::vector<MethodChoice> methods;                          // methods with cells or evaluations
  std::vector<PlannedCell> cells;                             // coarsest of all ladders first
  std::vector<MethodChoice> evaluated;                        // those of `methods` that support it
  std::vector<std::pair<std::string, Ending>> not_evaluated;  // specs of the others, and why

  // One of `methods`; null where it is none of them.
  const MethodChoice* MethodOf(const std::string& spec) const;
  // A cell of the problem, without method and integrator.
  Cell Unsolved() const { return {{.problem = name}, model_file}; }
};

// Throws ModelError when a name is unknown (with the closest ones) or nothing is left to run.
std::vector<PlannedProblem> MakePlan(const Selection& selection,
                                     const std::vector<MethodEntry>& methods);

// A sentence for each problem that the selection names without a wildcard and that is not in the plan.
std::vector<std::string> NamedButLeftOut(const Selection& selection,
                                         const std::vector<PlannedProblem>& plan);

// The tags of a problem: planar or spatial, conservative or dissipative, tree or loops, and whether it has cells in the quick
// run or is a headline problem.
std::vector<std::string> TagsOf(const Problem& problem);

bool MatchesGlob(const std::string& pattern, const std::string& name);

}  // namespace mbsbench
