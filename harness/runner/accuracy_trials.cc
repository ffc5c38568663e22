#include "harness/runner/accuracy_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace mbsbench {

namespace {

// Order by which the cost of a multistep integrator is expected to grow: that of BDF at its
// highest.
constexpr int kVariableOrder = 5;

TrialResult WithoutRunning(const Cell& cell, Ending ending) {
  TrialResult result;
  result.ending = std::move(ending);
  result.record = {{"command", SolveCommand(cell)}};
  return result;
}

}  // namespace

bool AccuracyTrials::IsUnderWay(std::size_t problem, std::size_t cell) const {
  return std::any_of(under_way_.begin(), under_way_.end(), [&](const auto& entry) {
    return entry.second.problem == problem && entry.second.cell == cell;
  });
}

std::optional<double> AccuracyTrials::ExpectedSeconds(std::size_t problem, std::size_t cell) {
  const PlannedCell& planned = context_.plan[problem].cells[cell];
  if (planned.coarser < 0) return std::nullopt;
  const auto coarser_index = static_cast<std::size_t>(planned.coarser);
  WaitFor(problem, coarser_index);
  const std::optional<JudgedCell>& coarser = context_.judged[problem][coarser_index];
  if (!coarser) return std::nullopt;
  const Cell &fine = planned.cell, &coarse = context_.plan[problem].cells[coarser_index].cell;
  double growth = 1;
  if (fine.step) {
    growth = *coarse.step / *fine.step;
  } else {
    const int order = FindIntegrator(fine.integrator)->order;
    growth =
        std::pow(*coarse.tolerance / *fine.tolerance, 1. / (order > 0 ? order : kVariableOrder));
  }
  if (coarser->expected_seconds) return growth * *coarser->expected_seconds;
  if (coarser->outcome != Name(Outcome::kTimeout) && !coarser->finished()) return std::nullopt;
  return growth * coarser->process_seconds;
}

void AccuracyTrials::Store(std::size_t trial, std::size_t problem, std::size_t cell,
                           const TrialRow& row, bool now) {
  const JudgedCell judged = JudgedCellFrom(row);
  context_.judged[problem][cell] = judged;
  ++context_.summary.cells[row.outcome];
  context_.done(trial, judged.process_seconds, now, judged.finished());
}

void AccuracyTrials::Wait() {
  const ChildEnd end = context_.supervisor.Wait();
  const UnderWay ended = under_way_.at(end.id);
  under_way_.erase(end.id);
  const Cell& cell = context_.plan[ended.problem].cells[ended.cell].cell;
  const TrialRow row = context_.trials.PutAway(
      context_.trials.IdentityOf(cell, context_.problem_hashes[ended.problem],
                                 TrialKind::kAccuracy),
      end.result, end.wall_seconds);
  const Outcome outcome = end.result.ending.outcome;
  if (outcome == Outcome::kCrashed || outcome == Outcome::kOutOfMemory ||
      outcome == Outcome::kTimeout) {
    context_.progress.Say(
        fmt::format("{}: {}: {}", Describe(cell), Name(outcome), end.result.ending.reason));
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
    Store(trial, problem, scheduled.cell, context_.trials.PutAway(identity, result, 0), false);
  };
  if (const std::optional<TrialRow> found = context_.trials.Found(identity)) {
    Store(trial, problem, scheduled.cell, *found, false);
    return;
  }
  if (planned.without_running.outcome != Outcome::kOk) {
    record(WithoutRunning(planned.cell, planned.without_running));
    return;
  }
  const double limit = context_.options.limits.seconds;
  const std::optional<double> expected = ExpectedSeconds(problem, scheduled.cell);
  if (expected && *expected > limit) {
    TrialResult skipped = WithoutRunning(
        planned.cell, {Outcome::kSkipped,
                       fmt::format("expected {:.0f} s; the limit is {:g} s", *expected, limit)});
    skipped.record["expected_seconds"] = *expected;
    record(skipped);
    return;
  }
  while (context_.supervisor.running() >= SideBySide()) Wait();
  if (!context_.may_start(trial, expected)) return;
  context_.show(Describe(planned.cell) + ", accuracy");
  context_.supervisor.Start(JobFor(context_, trial, planned.cell, TrialKind::kAccuracy));
  under_way_[trial] = {problem, scheduled.cell};
}

}  // namespace mbsbench
