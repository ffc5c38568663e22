#include "harness/runner/trials/cell_budget.h"

#include <fmt/format.h>

#include <cmath>
#include <cstdint>
#include <map>

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

// `finer`: how the finer runs were refined, "halved steps"; `why_not`: why there are fewer than two.
std::string OnDiscretisation(const BudgetRecord& budget, int order, const std::string& finer,
                             const std::string& why_not) {
  if (!budget.discretisation_estimate) return "not proven: no finer run: " + why_not;
  std::string text = fmt::format("by {}: {:.3g}", finer, *budget.discretisation_estimate);
  if (!budget.asymptotic) text += ", not in the asymptotic range";
  if (const MaybeNumber fall = budget.observed_refinement) {
    text += fmt::format("; differences fall by {:.3g}", *fall);
    if (order > 0) text += fmt::format(" (order {}: {:g})", order, std::exp2(order));
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

  const Run run = Solve(prepared, prepared.initial, settings);
  if (!run.failure.empty()) throw ModelError("the cell does not end well: " + run.failure);
  BudgetRuns runs{run.times, run.states, {}, {}, {}, 2};
  bool same_steps = true;  // of the runs from starts on either side
  const auto from_moved_start = [&](double move, std::uint64_t seed) {
    Run moved = Solve(prepared, MovedStart(problem, move, seed), settings);
    if (!moved.failure.empty() || moved.times.size() != run.times.size())
      throw ModelError("from a start moved by 1e-11 the cell does not end well: " + moved.failure);
    same_steps = same_steps && moved.steps == run.steps;
    return std::move(moved.states);
  };
  for (std::uint64_t seed = 1; seed <= kPairs; ++seed)
    runs.pairs.emplace_back(from_moved_start(kMove, seed), from_moved_start(-kMove, seed));

  IntegrationSettings finer = settings;
  std::string of_iteration =
      fmt::format("estimated: by iterations stopped at a tolerance {:g} times tighter",
                  1 / kConvergedIterations);
  if (integrator.key == "own") {
    of_iteration = "not split from the discretisation: the time steps are the method's own";
  } else if (!integrator.iterates) {
    of_iteration = "none: the integrator is explicit";
  } else {
    finer.iteration_tolerance = kConvergedIterations;
    Run converged = Solve(prepared, prepared.initial, finer);
    if (converged.failure.empty() && converged.times.size() == run.times.size() &&
        !converged.settings_changed) {
      runs.converged = std::move(converged.states);
    } else {
      finer.iteration_tolerance = 1;
      of_iteration = fmt::format(
          "not split from the discretisation: stopped {:g} times later, the iterations do not "
          "converge",
          1 / kConvergedIterations);
    }
  }

  runs.refinement = integrator.order > 0 ? std::exp2(integrator.order)
                    : settings.step > 0  ? 2
                                         : kVariableOrderRefinement;
  const std::string refined =
      settings.step > 0 ? "halved steps" : fmt::format("tolerance / {:g}", runs.refinement);
  std::string why_not_finer;
  for (int i = 0; i < 2; ++i) {
    if (settings.step > 0)
      finer.step /= 2;
    else
      finer.tolerance /= runs.refinement;
    const Run next = Solve(prepared, prepared.initial, finer);
    if (!next.failure.empty() || next.times.size() != run.times.size()) {
      why_not_finer = next.failure;
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
  const std::map<std::string, std::string> remarks{
      {"round-off", std::string("estimated from starts 1e-11 to either side") +
                        (same_steps ? "" : "; their steps differ, which is part of it")},
      {"iteration", of_iteration},
      {"constraint", "least mass-weighted move onto the joints"},
      {"discretisation", OnDiscretisation(budget, integrator.order, refined, why_not_finer)}};
  for (BudgetPartRecord& part : budget.parts) part.how = remarks.at(part.part);
  return budget;
}

TrialResult BudgetTrial(const PreparedCell& prepared) {
  TrialResult result;
  result.record.command = CommandOn(prepared.cell, "explain") + " --budget";
  result.record.budget = BudgetOf(prepared);
  return result;
}

}  // namespace mbsbench
