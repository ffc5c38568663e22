#include "harness/runner/accuracy_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mbsbench {

namespace {

TrialResult WithoutRunning(const Cell& cell, Ending ending) {
  TrialResult result;
  result.ending = std::move(ending);
  result.record.command = SolveCommand(cell);
  return result;
}

}  // namespace

bool AccuracyTrials::IsUnderWay(std::size_t problem, std::size_t cell) const {
  return std::any_of(under_way_.begin(), under_way_.end(), [&](const auto& entry) {
    return entry.second.problem == problem && entry.second.cell == cell;
  });
}

void AccuracyTrials::WaitForCoarser(std::size_t problem, std::size_t cell) {
  const int coarser = context_.plan[problem].cells[cell].coarser;
  if (coarser >= 0) WaitFor(problem, static_cast<std::size_t>(coarser));
}

void AccuracyTrials::Store(std::size_t trial, std::size_t problem, std::size_t cell,
                           const TrialRow& row, bool now) {
  const JudgedCell judged = JudgedCellFrom(row);
  context_.judged[problem][cell] = judged;
  ++context_.summary.cells[row.outcome];
  context_.Done(trial, judged.process_seconds, now, judged.finished(), judged.whole_seconds());
}

void AccuracyTrials::Wait() {
  const ChildEnd end = context_.supervisor.Wait();
  const ScheduledTrial ended = under_way_.at(end.id);
  under_way_.erase(end.id);
  const Cell& cell = context_.plan[ended.problem].cells[ended.cell].cell;
  const TrialRow row = context_.trials.StoreTrial(
      context_.trials.IdentityOf(cell, context_.problem_hashes[ended.problem],
                                 TrialKind::kAccuracy),
      end.result, end.wall_seconds);
  const Outcome outcome = end.result.ending.outcome;
  if (outcome == Outcome::kCrashed || outcome == Outcome::kOutOfMemory ||
      outcome == Outcome::kTimeout) {
    context_.progress.Say(
        fmt::format("{}: {}: {}", cell.Describe(), Name(outcome), end.result.ending.reason));
  }
  Store(end.id, ended.problem, ended.cell, row, true);
}

void AccuracyTrials::WaitFor(std::size_t problem, std::size_t cell) {
  while (IsUnderWay(problem, cell)) Wait();
}

void AccuracyTrials::WaitForAll() {
  while (!under_way_.empty()) Wait();
}

void AccuracyTrials::Carry(std::size_t trial, const ScheduledTrial& scheduled) {
  const std::size_t problem = scheduled.problem;
  const PlannedCell& planned = context_.plan[problem].cells[scheduled.cell];
  const TrialIdentity identity = context_.trials.IdentityOf(
      planned.cell, context_.problem_hashes[problem], TrialKind::kAccuracy);
  const auto record = [&](const TrialResult& result) {
    Store(trial, problem, scheduled.cell, context_.trials.StoreTrial(identity, result, 0), false);
  };
  if (const std::optional<TrialRow> found = context_.trials.Found(identity)) {
    Store(trial, problem, scheduled.cell, *found, false);
    return;
  }
  if (planned.without_running.outcome != Outcome::kOk) {
    record(WithoutRunning(planned.cell, planned.without_running));
    return;
  }
  const std::map<std::string, JudgedStart>& starts = context_.starts[problem];
  const auto start = starts.find(planned.cell.method);
  if (start != starts.end() && start->second.ending.outcome != Outcome::kOk) {
    TrialResult refused = WithoutRunning(planned.cell, start->second.ending);
    refused.record.condition = RecordOf(start->second.condition);
    record(refused);
    return;
  }
  const double limit = context_.options.limits.seconds;
  WaitForCoarser(problem, scheduled.cell);
  const std::optional<double> expected = context_.forecast.FromCoarser(trial);
  if (expected && *expected > limit) {
    TrialResult skipped = WithoutRunning(
        planned.cell, {Outcome::kSkipped,
                       fmt::format("expected {:.0f} s; the limit is {:g} s", *expected, limit)});
    skipped.record.expected_seconds = expected;
    record(skipped);
    return;
  }
  while (context_.supervisor.running() >= SideBySide()) Wait();
  if (!context_.MayStart(trial)) return;
  context_.Show(planned.cell.Describe() + ", accuracy");
  ChildJob job = JobFor(context_, trial, problem, planned.cell, TrialKind::kAccuracy);
  if (start != starts.end()) job.request.start = RecordOf(start->second);
  context_.supervisor.Start(job);
  under_way_[trial] = scheduled;
}

}  // namespace mbsbench
