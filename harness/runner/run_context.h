// The state that all trials of a run share: plan, schedule, store, processes, results so far, and the rest of the budget.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/comparison/paired_rounds.h"
#include "harness/runner/cells/wall_clock.h"
#include "harness/runner/plan/forecast.h"
#include "harness/runner/plan/target_search.h"
#include "harness/runner/process/supervisor.h"
#include "harness/runner/progress.h"
#include "harness/runner/run_trials.h"
#include "harness/runner/trials/judged_evaluation.h"

namespace mbsbench {

// The results of the accuracy trial of a cell that later trials need.
struct JudgedCell {
  std::string outcome, end_state_hash;
  double process_seconds = 0;
  double recorded_cpu_seconds = 0;              // of the integration, including its recording
  std::optional<double> expected_seconds = {};  // if it was skipped for this reason
  MaybeNumber error = {}, digits_left = {};
  bool finished() const { return Finished(OutcomeNamed(outcome)); }
  // The time that the cell takes at least, or was expected to take; empty after another failure.
  std::optional<double> whole_seconds() const;
};
JudgedCell JudgedCellFrom(const TrialRow& accuracy);

// The judged cells of a curve.
struct JudgedCurve {
  std::map<double, JudgedCell, std::greater<>> cells = {};  // by tolerance or step, coarse to fine
  TriedSettings tried = {};                                 // those that searches asked for

  const JudgedCell* At(double setting) const;
};

// What the search for a target found on a curve: the cell that is timed, and the next coarser one, which misses it. One that failed
// has no time: the cell found counts as at the coarse end of the grid.
struct FoundCell {
  std::size_t curve = 0;
  double setting = 0;
  std::optional<double> coarser = {};
};

// The comparison at one target of a problem.
struct AtTarget {
  std::vector<FoundCell> found = {};
  std::map<std::pair<std::size_t, double>, Rounds> times = {};  // by curve and setting
  int next_round = 0;

  const Rounds& TimesOf(std::size_t curve, double setting) const;
};

struct RunContext {
  // `all`: the plan of the options' selection, of which a shard is taken if the options name one.
  RunContext(const RunOptions& run_options, std::vector<PlannedProblem> all);

  // Whether the call ends: its budget is spent, or the rest is too short.
  bool IsOver() const { return is_over_ || SecondsLeft() <= 0; }
  // Whether so many seconds of wall time fit into the rest of the budget.
  bool MayStart(double seconds);
  // The time that a cell of a curve is expected to take, extrapolated from the next coarser one; empty if that has no known time.
  std::optional<double> ExpectedSeconds(std::size_t problem, std::size_t curve,
                                        double setting) const;
  // Stores the trial of a process of a step, which has ended.
  TrialRow StoreTrial(std::size_t step, const TrialIdentity& identity, const ChildEnd& end);
  // A scheduled step is over. `seconds`: of its processes, also of those in earlier calls.
  void Done(std::size_t step, double seconds);
  void Show(const std::string& what);
  // Brings the summary up to date and stores the coverage and, if `may_be_complete` and all steps are done, the end of the run.
  void StoreCoverage(bool may_be_complete);

  const RunOptions& options;
  const double started = WallSeconds();  // after the planning
  std::vector<PlannedProblem> plan;
  RunSummary summary;
  RunTrials trials;
  std::vector<ScheduledStep> schedule;
  Forecast forecast;
  Supervisor supervisor;
  Progress progress;
  int pass = 1;                                        // the deepest pass so far
  std::vector<std::string> problem_hashes;             // by problem; empty until its first trial
  std::vector<std::vector<JudgedCurve>> curves;        // by problem and curve
  std::vector<std::map<double, AtTarget>> at_targets;  // by problem and target
  // The verdict of the agreement check on each method at the initial state, by problem and spec.
  std::vector<std::map<std::string, JudgedStart>> starts;

 private:
  double SecondsLeft() const { return options.budget - (WallSeconds() - options.called); }
  void SumUp();
  std::vector<OpenItemRecord> OpenCurves() const;

  bool is_over_ = false;  // the rest of the budget is too short
  double forecast_made_ = 0, coverage_stored_ = WallSeconds();
  std::vector<PassRecord> passes_;
};

// The number of untimed trials that run in parallel.
std::size_t SideBySide();
// The job of a trial of a cell of that problem of the plan.
ChildJob JobFor(const RunContext& context, std::size_t id, std::size_t problem, const Cell& cell,
                TrialKind kind);

}  // namespace mbsbench
