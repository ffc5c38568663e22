// What a run compares: curves of cells, and the targets that are searched for on them.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "harness/runner/cells/cell.h"
#include "harness/runner/cells/outcome.h"
#include "harness/runner/plan/policy.h"
#include "harness/runner/plan/target_search.h"

namespace mbsbench {

// The passes of a run, from broad to deep.
enum class Pass {
  kEvaluations = 1,  // single evaluations on the headline problems and on long chains
  kHeadline,  // the first target on the headline problems, by the default variants and integrators
  kFamilies,  // one judged cell of these on the smallest instance of every other family
  kRounds,    // further rounds where verdicts are open
  kTargets,   // the other targets on the headline problems
  kVariants,  // the other variants and integrators there
  kRest,      // everything on the other problems
  kLadder,    // the ladder of tolerances and steps, and error budgets
};
inline constexpr int kPasses = 8;
// What a pass adds: "single evaluations".
std::string_view TitleOf(Pass pass);

// The cells of one method and one integrator, either with tolerances or with fixed steps.
struct PlannedCurve {
  Cell cell;  // without tolerance and step
  bool by_steps = false;
  Ending without_running;  // unsupported or skipped, with the reason; ok: its cells are run
  // It represents its method on the problem, with the default integrator or the first one that runs.
  bool leads = false;
  SettingGrid grid = {};            // that a search may try; without settings nothing is searched
  std::vector<double> ladder = {};  // cells that are run whatever their error, coarse to fine
  double usual = 0;               // the setting that 'solve' takes, or the nearest one in the plan
  bool is_split = false;          // the error of a cell is split into parts (cell_budget.h)
  bool only_shows_order = false;  // its cells are judged, and not timed

  Cell At(double setting) const;
  // The grid from where a search for this target starts.
  SettingGrid GridFor(double target) const;
  // The setting of the only cell of a curve that does not run, and of the first judged cell.
  double FirstSetting(double target) const;
};

struct PlannedProblem {
  std::string name;
  std::string model_file;  // source of the problem; empty: the catalogue
  std::string family;      // its name without options
  std::size_t bodies = 0;
  double length = 0;                  // of the motion, in characteristic times
  bool is_headline = false;           // the comparison begins with it
  std::vector<double> targets = {};   // that are searched for, the first one first
  std::string why_no_targets = {};    // a sentence on those asked for and left out
  std::vector<MethodChoice> methods;  // methods with cells or evaluations
  std::vector<PlannedCurve> curves;
  std::vector<MethodChoice> evaluated;                        // those of `methods` that support it
  std::vector<std::pair<std::string, Ending>> not_evaluated;  // specs of the others, and why

  // One of `methods`; null where it is none of them.
  const MethodChoice* MethodOf(const std::string& spec) const;
  // A cell of the problem, without method and integrator.
  Cell Unsolved() const { return {{.problem = name}, model_file}; }
  // How many cells and targets of curves are planned; a curve that does not run counts as one.
  std::int64_t Items() const;
};

// The variants that globs and specs name (Selection::methods); without any of them all, with every stabilisation. Throws
// ModelError when a name is unknown (with the closest ones).
std::vector<MethodChoice> SelectMethods(const std::vector<std::string>& globs,
                                        const std::vector<MethodEntry>& methods);

// Throws ModelError when a name is unknown (with the closest ones) or nothing is left to run.
std::vector<PlannedProblem> MakePlan(const Selection& selection,
                                     const std::vector<MethodEntry>& methods);

// A sentence for each problem that the selection names without a wildcard and that is not in the plan.
std::vector<std::string> NamedButLeftOut(const Selection& selection,
                                         const std::vector<PlannedProblem>& plan);

bool MatchesGlob(const std::string& pattern, const std::string& name);

}  // namespace mbsbench
