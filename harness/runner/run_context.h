// The state that all trials of a run share.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "harness/runner/judged_evaluation.h"
#include "harness/runner/progress.h"
#include "harness/runner/run_trials.h"
#include "harness/runner/supervisor.h"

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

struct RunContext {
  const RunOptions& options;
  const std::vector<PlannedProblem>& plan;
  RunTrials& trials;
  Supervisor& supervisor;
  Progress& progress;
  const Forecast& forecast;
  RunSummary& summary;
  std::vector<std::string> problem_hashes;  // by problem; empty until its first trial
  std::vector<std::vector<std::optional<JudgedCell>>> judged;  // by problem and cell
  // The verdict of the agreement check on each method at the initial state, by problem and spec.
  std::vector<std::map<std::string, JudgedStart>> starts;
  // Whether a scheduled trial may start.
  std::function<bool(std::size_t trial)> may_start;
  // A scheduled trial is over. `seconds`: of its processes; `now`: they were run by this call; `finished` and `whole` as in
  // Forecast::Done.
  std::function<void(std::size_t trial, double seconds, bool now, bool finished,
                     std::optional<double> whole)>
      done;
  std::function<void(const std::string& what)> show;
};

// The number of untimed trials that run in parallel.
std::size_t SideBySide();
// Of a cell of that problem of the plan.
ChildJob JobFor(const RunContext& context, std::size_t id, std::size_t problem, const Cell& cell,
                TrialKind kind);

}  // namespace mbsbench
