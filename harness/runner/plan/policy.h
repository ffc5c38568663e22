// Run policy: which methods are integrated and evaluated on which problems in which run. It follows from the cost exponent and
// the form of a method and from properties of the problem; only the cells of the quick run are a list (quick_cells.h).
#pragma once

#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "harness/runner/cells/method_choice.h"
#include "harness/runner/cells/outcome.h"
#include "harness/runner/plan/target_search.h"
#include "problems/model/problem.h"

namespace mbsbench {

// The quick run consists of listed cells. The default run compares one variant of each method with its usual integrators. The
// full run includes every variant, every integrator and every size.
enum class Tier { kQuick, kDefault, kFull };

// At most twelve problems that cover every kind of mechanism; the default run begins with them.
const std::vector<std::string>& HeadlineProblems();

// What a user has selected. The default run includes every variant and integrator that is named.
struct Selection {
  // Globs, and model files among the problems; empty: those of the tier. A name without a wildcard is one instance: for a family
  // its smallest listed instance, for a method its default variant.
  std::vector<std::string> problems = {}, methods = {}, integrators = {};
  Tier tier = Tier::kDefault;  // quick, default or full: the cost of the run
  std::vector<double> targets = {std::begin(kDefaultTargets), std::end(kDefaultTargets)};
  bool ladder = false;            // also a ladder of tolerances and steps; a full run always has it
  bool evaluations_only = false;  // only single evaluations are compared and timed
  bool budgets = false;           // splits the error of one cell per curve; a full run always does
};

struct ChosenCurve {
  IntegratorEntry integrator;
  Ending without_running = {};  // unsupported or skipped, with the reason; ok: the curve is run
  bool only_in_ladder = false;  // no error is searched for on it
  bool has_steps = false;       // also a curve of fixed steps, where the integrator has both kinds
};

// The answer to everything that a plan asks about a method on a problem.
struct MethodPolicy {
  std::vector<ChosenCurve> curves;  // of the run, in the order of the integrators
  bool leads = false;         // it represents its method: no other variant or stabilisation does
  int in_larger_runs = 0;     // number of curves that the run leaves out
  bool is_evaluated = false;  // whether single evaluations belong to the run
  Ending evaluation = {};     // why there are none nevertheless; ok: there are

  bool is_in_run() const { return is_evaluated || !curves.empty(); }
};

class ProblemPolicy {
 public:
  // `is_from_file`: of a model file. `chosen` and `integrators`: those selected. All arguments must outlive the object.
  ProblemPolicy(const Problem& problem, bool is_from_file, const std::vector<MethodChoice>& chosen,
                const std::vector<const IntegratorEntry*>& integrators, const Selection& selection);

  // Asks each method at most once whether it takes the problem.
  MethodPolicy Of(const MethodChoice& method);
  // The steps of a claim's method, a time stepper.
  ChosenCurve StepsOf(const MethodChoice& method);

 private:
  // Where the motion of the problem by one method and integrator belongs.
  struct Placement {
    std::string only_in_full = "";  // clause: why in the full run only; empty: in the default run
    std::string never =
        "";  // clause: why it is listed as skipped instead of being run; empty: it is run
    bool only_in_ladder = false;
  };

  bool IsShown() const;
  bool ShowsOrder(const MethodChoice& method, const IntegratorEntry& integrator);
  Ending VerdictOn(const MethodChoice& method);
  const std::string& LeaderOf(const MethodEntry& method);
  bool RepeatsDefault(const MethodChoice& method);
  bool DefaultIsChosen(const MethodChoice& method) const;
  bool IsInRun(const MethodChoice& method, const IntegratorEntry& integrator,
               const Placement& placement) const;
  std::vector<std::string> UsualIntegrators(const MethodChoice& method) const;
  Placement PlacementOf(const MethodChoice& method, const IntegratorEntry& integrator);
  Placement PlacementOfProblem() const;
  // Why a motion of the problem's size and length is in the full run only; empty: it is not.
  std::string TooMuch(const MethodChoice& method, const IntegratorEntry& integrator) const;
  bool EvaluatesVariantsOf(const MethodChoice& method) const;
  Ending Evaluation(const MethodChoice& method) const;
  double Bodies() const { return static_cast<double>(problem_.system.bodies.size()); }

  const Problem& problem_;
  bool is_users_;  // from a model file or a plug-in
  const std::vector<MethodChoice>& chosen_;
  const std::vector<const IntegratorEntry*>& integrators_;
  const Selection& selection_;
  Placement of_problem_;
  bool is_evaluated_by_default_ = false;    // in the default run even if its motions are not
  std::map<std::string, Ending> verdicts_;  // by spec
  std::map<const MethodEntry*, std::string> leaders_;  // their specs
};

}  // namespace mbsbench
