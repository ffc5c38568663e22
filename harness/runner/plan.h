// Which cells a run consists of.
#pragma once

#include <string>
#include <vector>

#include "harness/runner/cell.h"
#include "harness/runner/outcome.h"

namespace mbsbench {

struct Selection {
  // Globs, model files among the problems; empty means all. Without a wildcard a name is taken by itself: a bare family is its
  // smallest listed instance, a bare method its default variant.
  std::vector<std::string> problems = {}, methods = {}, integrators = {};
  std::vector<std::string> tags = {};  // a problem has to carry all of them
  Tier tier = Tier::kDefault;          // quick, default or full: what the run may cost
  bool evaluations_only = false;       // single evaluations compared and timed, nothing integrated
  bool budgets = false;  // the error of one cell per curve split; a full run always does
};

// A run deepens: each pass is broader than what the next one adds to it.
enum class Pass {
  kOnce = 1,     // every method on every problem: one cell of its default integrator, timed once
  kCurves,       // the other tolerances of these integrators
  kIntegrators,  // the other integrators
  kDepth,        // further rounds, the cells that take long, and what errors consist of
};
inline constexpr int kPasses = 4;
// What a pass adds: "every method on every problem once".
std::string_view TitleOf(Pass pass);

struct PlannedCell {
  Cell cell;
  Ending without_running;  // unsupported or skipped, with the reason; ok: to be run
  int coarser = -1;        // index of the cell with the next coarser tolerance or step, -1: none
  Pass pass = Pass::kCurves;
  bool is_split = false;  // its error is split into its parts (cell_budget.h): one per curve
};

struct PlannedProblem {
  std::string name;
  std::string model_file;  // from which it is read; empty: the catalogue
  std::string family;      // its name without options
  std::size_t bodies = 0;
  double periods = 0;                   // its end time in characteristic times
  std::vector<MethodChoice> methods;    // that have cells or are evaluated
  std::vector<PlannedCell> cells;       // coarsest of all ladders first
  std::vector<MethodChoice> evaluated;  // of `methods`, those that support it
  std::vector<std::pair<std::string, Ending>> not_evaluated;  // specs of the others, and why

  // One of `methods`; null where it is none of them.
  const MethodChoice* MethodOf(const std::string& spec) const;
  // A cell of the problem, without method and integrator.
  Cell Unsolved() const { return {{.problem = name}, model_file}; }
};

// Throws ModelError when a name is unknown (with the closest ones) or nothing is left to run.
std::vector<PlannedProblem> MakePlan(const Selection& selection,
                                     const std::vector<MethodEntry>& methods);

// A sentence for each problem that the selection names, without a wildcard, and that is not in the plan.
std::vector<std::string> NamedButLeftOut(const Selection& selection,
                                         const std::vector<PlannedProblem>& plan);

// The tags that a problem carries: planar or spatial, conservative or dissipative, tree or loops,
// and the tiers of its cells.
std::vector<std::string> TagsOf(const Problem& problem);

bool MatchesGlob(const std::string& pattern, const std::string& name);

// Tier of a cell by the problem's rules, first match wins, and the rule's reason.
struct TierVerdict {
  Tier tier = Tier::kDefault;
  std::string reason;
};
TierVerdict TierOf(const Problem& problem, const std::string& method,
                   const std::string& integrator);

}  // namespace mbsbench
