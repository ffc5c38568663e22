#include "harness/runner/trials/cell_budget.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>

#include "harness/runner/cells/random_states.h"
#include "harness/runner/trials/checked_observe.h"
#include "problems/model/error.h"
#include "reference/constraint_projection.h"

namespace mbsbench {

namespace {

constexpr std::uint64_t kPairs = 4;
// Distance of the starts on either side. Its square is negligible compared with round-off. It is large enough to change the
// rounding of increments in steps of a millionth of the time scale: with a change in the last place, short steps would all be
// rounded in the same way and their round-off would not show.
constexpr double kMove = 0x1p-36;
constexpr double kVariableOrderRefinement = 10;  // of the tolerance, and of the error with it

struct Run {
  std::vector<double> times;
  SampledStates states;
  std::int64_t steps = 0;
  bool settings_changed = false;  // by the integrator, to continue after a failure
  std::string failure;            // empty: it ended well
};

Run Solve(const PreparedCell& prepared, const SystemState& start,
          const IntegrationSettings& settings) {
  const std::unique_ptr<Formulation> formulation = prepared.MakeFormulation();
  Run run;
  Observation observation;
  Sampling sampling;
  sampling.times = SampleTimesUntil(prepared.problem, settings.end_time);
  sampling.sink = [&](double time, std::span<const double> y, double) {
    if (!run.failure.empty()) return;
    const Status status = CheckedObserve(*formulation, prepared.problem.system, time, y,
                                         Detail::kMotion, observation);
    if (!status.ok()) run.failure = fmt::format("not observed at {:g} s: {}", time, status.what);
    run.times.push_back(time);
    run.states.push_back(observation.bodies);
  };
  const IntegrationReport report = Integrate(*formulation, start, settings, sampling);
  run.steps = report.counters.steps;
  run.settings_changed = !report.changed_settings.empty();
  if (run.failure.empty() && report.outcome != IntegrationReport::Outcome::kOk)
    run.failure = report.reason;
  return run;
}

// What the remarks on the parts of an error say.
struct Remarks {
  int order = 0;                   // of the integrator; 0: variable
  std::string finer = {};          // how the finer runs were refined: "halved steps"
  std::string why_not_finer = {};  // why there are fewer than two; empty where there are two
  bool same_steps = true;          // of the runs from starts on either side
  std::string no_iteration = {};   // why no part is split off for iterations; empty where one is
};

std::string RemarkOn(const std::string& part, const BudgetRecord& budget, const Remarks& r) {
  if (part == "round-off") {
    return std::string("estimated from starts 1e-11 to either side") +
           (r.same_steps ? "" : "; their steps differ, which is part of it");
  }
  if (part == "iteration") {
    if (!r.no_iteration.empty()) return r.no_iteration;
    return fmt::format("estimated: by iterations stopped at a tolerance {:g} times tighter",
                       1 / kConvergedIterations);
  }
  if (part == "constraint") return "least mass-weighted move onto the joints";
  if (!budget.discretisation_estimate) return "not proven: no finer run: " + r.why_not_finer;
  std::string text = fmt::format("by {}: {:.3g}", r.finer, *budget.discretisation_estimate);
  if (!budget.asymptotic) text += ", not in the asymptotic range";
  if (const MaybeNumber fall = budget.observed_refinement) {
    text += fmt::format("; differences fall by {:.3g}", *fall);
    if (r.order > 0) text += fmt::format(" (order {}: {:g})", r.order, std::exp2(r.order));
  }
  return text;
}

}  // namespace

BudgetRecord BudgetOf(const PreparedCell& prepared) {
  const Problem& problem = prepared.problem;
  if (prepared.method.form() == Form::kAlgebraic)
    throw ModelError("method '" + prepared.method.spec +
                     "' gives a steady state: it has no steps whose error can be split.");
  if (problem.system.rope_flight) {
    throw ModelError("the error of '" + problem.name +
                     "' is not split: solutions of a growing system differ in their events.");
  }
  std::string why_not;
  const std::optional<Reference> reference = FindReference(problem, &why_not);
  if (!reference) throw ModelError("without a reference there is no error to split: " + why_not);
  const IntegratorEntry integrator =
      *IntegratorFor(prepared.method, *FindIntegrator(prepared.cell.integrator));
  const IntegrationSettings settings = prepared.Settings();

  Remarks remarks{.order = integrator.order};
  const Run run = Solve(prepared, prepared.initial, settings);
  if (!run.failure.empty()) throw ModelError("the cell does not end well: " + run.failure);
  BudgetRuns runs{run.times, run.states, {}, {}, {}, 2};
  const auto from_moved_start = [&](double move, std::uint64_t seed) {
    Run moved = Solve(prepared, MovedStart(problem, move, seed), settings);
    if (!moved.failure.empty() || moved.times.size() != run.times.size())
      throw ModelError("from a start moved by 1e-11 the cell does not end well: " + moved.failure);
    remarks.same_steps = remarks.same_steps && moved.steps == run.steps;
    return std::move(moved.states);
  };
  for (std::uint64_t seed = 1; seed <= kPairs; ++seed)
    runs.pairs.emplace_back(from_moved_start(kMove, seed), from_moved_start(-kMove, seed));

  IntegrationSettings finer = settings;
  if (integrator.key == "own") {
    remarks.no_iteration = "not split from the discretisation: the time steps are the method's own";
  } else if (!integrator.iterates) {
    remarks.no_iteration = "none: the integrator is explicit";
  } else {
    finer.iteration_tolerance = kConvergedIterations;
    Run converged = Solve(prepared, prepared.initial, finer);
    if (converged.failure.empty() && converged.times.size() == run.times.size() &&
        !converged.settings_changed) {
      runs.converged = std::move(converged.states);
    } else {
      finer.iteration_tolerance = 1;
      remarks.no_iteration = fmt::format(
          "not split from the discretisation: stopped {:g} times later, the iterations do not "
          "converge",
          1 / kConvergedIterations);
    }
  }

  runs.refinement = remarks.order > 0   ? std::exp2(remarks.order)
                    : settings.step > 0 ? 2
                                        : kVariableOrderRefinement;
  remarks.finer =
      settings.step > 0 ? "halved steps" : fmt::format("tolerance / {:g}", runs.refinement);
  for (int i = 0; i < 2; ++i) {
    if (settings.step > 0)
      finer.step /= 2;
    else
      finer.tolerance /= runs.refinement;
    const Run next = Solve(prepared, prepared.initial, finer);
    if (!next.failure.empty() || next.times.size() != run.times.size()) {
      remarks.why_not_finer = next.failure;
      break;
    }
    runs.finer.push_back(next.states);
  }
  ConstraintProjection projection(problem);
  double last = 0;
  BudgetRecord budget =
      SplitError(problem, *reference, runs, [&](double time, const std::vector<BodyState>& bodies) {
        if (time < last) projection = ConstraintProjection(problem);  // the next solution
        last = time;
        return projection.Project(time, bodies);
      });
  for (BudgetPartRecord& part : budget.parts) part.how = RemarkOn(part.part, budget, remarks);
  return budget;
}

TrialResult BudgetTrial(const PreparedCell& prepared) {
  TrialResult result;
  result.record.command = CommandOn(prepared.cell, "explain") + " --budget";
  result.record.budget = BudgetOf(prepared);
  return result;
}

}  // namespace mbsbench
