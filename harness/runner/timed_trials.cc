#include "harness/runner/timed_trials.h"

#include <fmt/format.h>

#include "harness/runner/process/timing_core.h"

namespace mbsbench {

ChildEnd TimedTrials::RunAlone(ChildJob job) {
  const TimingCore& core = CoreForTiming();
  if (core.is_shared && !said_shared_) {
    said_shared_ = true;
    context_.progress.Say(kCoreIsShared);
  }
  job.core = core.number;
  context_.supervisor.Start(job);
  return context_.supervisor.Wait();
}

void TimedTrials::CarryEvaluation(std::size_t trial, const ScheduledTrial& scheduled) {
  const PlannedProblem& problem = context_.plan[scheduled.problem];
  Cell cell = problem.Unsolved();
  cell.method = problem.evaluated[scheduled.method].spec;
  const TrialIdentity identity =
      context_.trials.IdentityOf(cell, context_.problem_hashes[scheduled.problem],
                                 TrialKind::kEvaluation, 0, std::string(Name(scheduled.what)));
  if (const std::optional<TrialRow> found = context_.trials.Found(identity)) {
    context_.Done(trial, found->record.process_seconds.value_or(0), false);
    return;
  }
  if (!context_.MayStart(trial)) return;
  context_.Show(cell.Describe() + ", evaluation");
  ChildJob job = JobFor(context_, trial, scheduled.problem, cell, TrialKind::kEvaluation);
  job.request.what = scheduled.what;
  ChildEnd end = RunAlone(job);
  end.result.record.what = Name(scheduled.what);  // also after a failure
  context_.trials.StoreTrial(identity, end.result, end.wall_seconds);
  context_.Done(trial, end.wall_seconds, true);
}

void TimedTrials::WarnOfOtherWork(const Cell& cell, const TrialRow& row) {
  if (row.outcome != Name(Outcome::kOk) || row.reason.empty()) return;
  const std::string name = cell.Describe();
  if (!other_work_.insert(name).second) return;
  context_.summary.disagreements.push_back(name + ": " + row.reason);
  context_.progress.Say("DIFFERENT WORK: " + name + ": " + row.reason);
}

void TimedTrials::CarryRounds(std::size_t trial, const ScheduledTrial& scheduled) {
  const Cell& cell = context_.plan[scheduled.problem].cells[scheduled.cell].cell;
  const JudgedCell& judged = *context_.judged[scheduled.problem][scheduled.cell];
  const int rounds = judged.finished()
                         ? AffordableRounds(judged.recorded_cpu_seconds, context_.options.rounds,
                                            context_.options.limits.seconds)
                         : 0;
  std::vector<TrialIdentity> missing;
  double found_seconds = 0;
  const int processes =
      AffordableProcesses(judged.process_seconds, context_.options.limits.seconds);
  for (int round : RoundsOf(scheduled.process, rounds, processes)) {
    TrialIdentity identity = context_.trials.IdentityOf(
        cell, context_.problem_hashes[scheduled.problem], TrialKind::kTime, round);
    const std::optional<TrialRow> found = context_.trials.Found(identity);
    if (!found) {
      missing.push_back(std::move(identity));
      continue;
    }
    found_seconds += found->record.process_seconds.value_or(0);
    WarnOfOtherWork(cell, *found);
  }
  if (missing.empty()) {
    context_.Done(trial, found_seconds, false);
    return;
  }
  const auto count = static_cast<double>(missing.size());
  if (!context_.MayStart(trial)) return;
  context_.Show(cell.Describe() + ", time");
  ChildJob job = JobFor(context_, trial, scheduled.problem, cell, TrialKind::kTime);
  job.request.rounds = static_cast<int>(missing.size());
  job.limits.seconds *= count;
  const ChildEnd end = RunAlone(job);
  std::vector<TrialResult> results = end.result.rounds;
  // All missing rounds of an aborted process have its ending.
  TrialResult broken = end.result;
  if (results.size() < missing.size() && broken.ending.outcome == Outcome::kOk) {
    broken = {};
    broken.ending = {Outcome::kCrashed,
                     fmt::format("it handed over {} rounds of {}", results.size(), missing.size())};
  }
  results.resize(missing.size(), broken);
  for (std::size_t k = 0; k < missing.size(); ++k) {
    TrialResult& result = results[k];
    result.record.process = scheduled.process;
    result.record.killed_before = end.result.record.killed_before;
    if (Finished(result.ending.outcome) && judged.end_state_hash != result.record.EndStateHash()) {
      result.ending.reason =
          "its end state differs from that of the accuracy trial, so this is the time of other "
          "work";
    }
    WarnOfOtherWork(cell, context_.trials.StoreTrial(missing[k], result, end.wall_seconds / count));
  }
  context_.Done(trial, end.wall_seconds, true);
}

}  // namespace mbsbench
