#include "harness/runner/budget_trials.h"

#include <cmath>

namespace mbsbench {

namespace {

constexpr double kLongestSplit = 60;  // CPU time of the cell [s]

}  // namespace

void BudgetTrials::Wait() {
  const ChildEnd end = context_.supervisor.Wait();
  const TrialIdentity identity = under_way_.at(end.id);
  under_way_.erase(end.id);
  context_.trials.StoreTrial(identity, end.result, end.wall_seconds);
  context_.Done(end.id, end.wall_seconds, true);
}

void BudgetTrials::WaitForAll() {
  while (!under_way_.empty()) Wait();
}

std::optional<std::size_t> BudgetTrials::NearestThatEndedWell(
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

void BudgetTrials::Carry(std::size_t trial, const ScheduledTrial& scheduled) {
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
  while (context_.supervisor.running() >= SideBySide()) Wait();
  if (!context_.MayStart(trial)) return;
  context_.Show(cell.Describe() + ", error budget");
  ChildJob job = JobFor(context_, trial, scheduled.problem, cell, TrialKind::kBudget);
  job.limits.seconds *= kSolutionsPerBudget;
  context_.supervisor.Start(job);
  under_way_.emplace(trial, identity);
}

}  // namespace mbsbench
