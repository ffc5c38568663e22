#include "harness/runner/parallel_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mbsbench {

namespace {

constexpr double kLongestSplit = 60;  // CPU time of a cell whose error is split [s]

TrialResult WithoutRunning(const Cell& cell, Ending ending) {
  TrialResult result;
  result.ending = std::move(ending);
  result.record.command = SolveCommand(cell);
  return result;
}

}  // namespace

void ParallelTrials::CarryAccuracy(std::size_t trial, const ScheduledTrial& scheduled) {
  const std::size_t problem = scheduled.problem;
  const PlannedCell& planned = context_.plan[problem].cells[scheduled.cell];
  const TrialIdentity identity = context_.trials.IdentityOf(
      planned.cell, context_.problem_hashes[problem], TrialKind::kAccuracy);
  const auto record = [&](const TrialResult& result) {
    StoreJudged(trial, scheduled, context_.trials.StoreTrial(identity, result, 0), false);
  };
  if (const std::optional<TrialRow> found = context_.trials.Found(identity)) {
    StoreJudged(trial, scheduled, *found, false);
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
  ChildJob job = JobFor(context_, trial, problem, planned.cell, TrialKind::kAccuracy);
  if (start != starts.end()) job.request.start = RecordOf(start->second);
  Start(trial, {scheduled, identity}, planned.cell, std::move(job));
}

void ParallelTrials::CarryBudget(std::size_t trial, const ScheduledTrial& scheduled) {
  const std::optional<std::size_t> split = NearestThatEndedWell(scheduled);
  if (!split) {
    context_.Done(trial, 0, false);
    return;
  }
  const Cell& cell = context_.plan[scheduled.problem].cells[*split].cell;
  const TrialIdentity identity = context_.trials.IdentityOf(
      cell, context_.problem_hashes[scheduled.problem], TrialKind::kBudget);
  if (const std::optional<TrialRow> found = context_.trials.Found(identity)) {
    context_.Done(trial, found->record.process_seconds.value_or(0), false);
    return;
  }
  ChildJob job = JobFor(context_, trial, scheduled.problem, cell, TrialKind::kBudget);
  job.limits.seconds *= kSolutionsPerBudget;
  Start(trial, {scheduled, identity}, cell, std::move(job));
}

void ParallelTrials::Start(std::size_t trial, const UnderWay& started, const Cell& cell,
                           ChildJob job) {
  while (context_.supervisor.running() >= SideBySide()) Wait();
  if (!context_.MayStart(trial)) return;
  const bool is_accuracy = started.scheduled.kind == TrialKind::kAccuracy;
  context_.Show(cell.Describe() + (is_accuracy ? ", accuracy" : ", error budget"));
  context_.supervisor.Start(job);
  under_way_.emplace(trial, started);
}

void ParallelTrials::Wait() {
  const ChildEnd end = context_.supervisor.Wait();
  const UnderWay ended = under_way_.extract(end.id).mapped();
  const TrialRow row = context_.trials.StoreTrial(ended.identity, end.result, end.wall_seconds);
  if (ended.scheduled.kind == TrialKind::kBudget) {
    context_.Done(end.id, end.wall_seconds, true);
    return;
  }
  const Outcome outcome = end.result.ending.outcome;
  if (outcome == Outcome::kCrashed || outcome == Outcome::kOutOfMemory ||
      outcome == Outcome::kTimeout) {
    context_.progress.Say(
        fmt::format("{}: {}: {}", row.Describe(), Name(outcome), end.result.ending.reason));
  }
  StoreJudged(end.id, ended.scheduled, row, true);
}

void ParallelTrials::StoreJudged(std::size_t trial, const ScheduledTrial& scheduled,
                                 const TrialRow& row, bool now) {
  const JudgedCell judged = JudgedCellFrom(row);
  context_.judged[scheduled.problem][scheduled.cell] = judged;
  ++context_.summary.cells[row.outcome];
  context_.Done(trial, judged.process_seconds, now, judged.finished(), judged.whole_seconds());
}

void ParallelTrials::WaitForCell(std::size_t problem, std::size_t cell) {
  const auto is_it = [&](const auto& entry) {
    const ScheduledTrial& scheduled = entry.second.scheduled;
    return scheduled.kind == TrialKind::kAccuracy && scheduled.problem == problem &&
           scheduled.cell == cell;
  };
  while (std::ranges::any_of(under_way_, is_it)) Wait();
}

void ParallelTrials::WaitForCells() {
  const auto is_one = [](const auto& entry) {
    return entry.second.scheduled.kind == TrialKind::kAccuracy;
  };
  while (std::ranges::any_of(under_way_, is_one)) Wait();
}

void ParallelTrials::WaitForCoarser(std::size_t problem, std::size_t cell) {
  const int coarser = context_.plan[problem].cells[cell].coarser;
  if (coarser >= 0) WaitForCell(problem, static_cast<std::size_t>(coarser));
}

void ParallelTrials::WaitForAll() {
  while (!under_way_.empty()) Wait();
}

std::optional<std::size_t> ParallelTrials::NearestThatEndedWell(
    const ScheduledTrial& scheduled) const {
  const std::vector<PlannedCell>& cells = context_.plan[scheduled.problem].cells;
  const Cell& wanted = cells[scheduled.cell].cell;
  std::optional<std::size_t> nearest;
  double distance = INFINITY;
  for (std::size_t c = 0; c < cells.size(); ++c) {
    const Cell& cell = cells[c].cell;
    const std::optional<JudgedCell>& judged = context_.judged[scheduled.problem][c];
    if (cell.method != wanted.method || cell.integrator != wanted.integrator ||
        cell.step.has_value() != wanted.step.has_value() || !judged ||
        judged->outcome != Name(Outcome::kOk) || judged->recorded_cpu_seconds > kLongestSplit)
      continue;
    const double away = std::abs(
        std::log(wanted.step ? *cell.step / *wanted.step : *cell.tolerance / *wanted.tolerance));
    if (away >= distance) continue;
    distance = away;
    nearest = c;
  }
  return nearest;
}

}  // namespace mbsbench
