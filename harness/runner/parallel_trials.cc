#include "harness/runner/parallel_trials.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "harness/records/accuracy_bounds.h"
#include "harness/records/untried_limits.h"

namespace mbsbench {

namespace {

constexpr double kLongestSplit = 60;  // CPU time of a cell whose error is split [s]

TriedSetting TriedFrom(const JudgedCell& judged) {
  if (judged.finished() && judged.error)
    return {TriedSetting::Ending::kFinished, ErrorAtTargets(judged.outcome, *judged.error)};
  const bool is_too_long = judged.expected_seconds || judged.outcome == Name(Outcome::kTimeout);
  return {is_too_long ? TriedSetting::Ending::kTooLong : TriedSetting::Ending::kFailed};
}

// Other settings would be refused for the same reason: no process was needed, or the method refused the system.
bool IsRefused(const JudgedCell& judged) {
  return !judged.expected_seconds &&
         (judged.process_seconds == 0 || judged.outcome == Name(Outcome::kUnsupported));
}

}  // namespace

void ParallelTrials::StartCell(std::size_t step) {
  const ScheduledStep& scheduled = context_.schedule[step];
  WaitForCurve(scheduled.problem, scheduled.curve);
  if (const JudgedCell* const judged = Judge(step, scheduled.setting))
    context_.Done(step, judged->process_seconds);
}

void ParallelTrials::StartSearch(std::size_t step, double longest) {
  const ScheduledStep& scheduled = context_.schedule[step];
  const PlannedCurve& curve = context_.plan[scheduled.problem].curves[scheduled.curve];
  Search search{curve.GridFor(scheduled.target), longest};
  WaitForCurve(scheduled.problem, scheduled.curve);
  // Searches start in the order of the schedule, those that are put off too.
  const std::size_t pilot =
      curve.by_steps
          ? step
          : pilots_.try_emplace({scheduled.problem, scheduled.target, curve.cell.integrator}, step)
                .first->second;
  WaitForCurve(scheduled.problem, context_.schedule[pilot].curve);
  if (const auto found = found_.find(pilot); found != found_.end())
    search.grid.start = found->second;
  searches_.emplace(step, std::move(search));
  Advance(step);
}

void ParallelTrials::Advance(std::size_t step) {
  const ScheduledStep& scheduled = context_.schedule[step];
  TriedSettings& tried = context_.curves[scheduled.problem][scheduled.curve].tried;
  Search& search = searches_.at(step);
  const SettingGrid& grid = search.grid;
  while (true) {
    const SearchStep next = NextStep(grid, scheduled.target, tried);
    if (next.kind != SearchStep::Kind::kTry || search.trials == kMostTrials) {
      EndSearch(step, next);
      return;
    }
    if (const std::optional<double> first = FirstTooLong(scheduled, next)) {
      Judge(step, *first);
      EndSearch(step, {.kind = SearchStep::Kind::kTooLong});
      return;
    }
    const JudgedCell* const judged = Judge(step, grid.settings[next.setting]);
    if (judged == nullptr) return;
    ++search.trials;
    search.seconds += judged->process_seconds;
    tried[next.setting] = TriedFrom(*judged);
    if (IsRefused(*judged)) {
      EndSearch(step, {});
      return;
    }
  }
}

// The first fixed step that may hold the target, if even it takes far too long: none before it is tried.
std::optional<double> ParallelTrials::FirstTooLong(const ScheduledStep& scheduled,
                                                   const SearchStep& next) const {
  constexpr double kFar = 2;  // the extrapolated time errs by less
  const PlannedCurve& curve = context_.plan[scheduled.problem].curves[scheduled.curve];
  if (!next.not_before || !curve.by_steps) return std::nullopt;
  const double interval = curve.grid.settings.front();
  const double step = interval / std::ceil(interval / *next.not_before);
  const std::optional<double> expected =
      context_.ExpectedSeconds(scheduled.problem, scheduled.curve, step);
  if (!expected || *expected <= kFar * context_.options.limits.seconds) return std::nullopt;
  return step;
}

void ParallelTrials::EndSearch(std::size_t step, const SearchStep& end) {
  const ScheduledStep& scheduled = context_.schedule[step];
  if (end.kind == SearchStep::Kind::kFound) {
    const PlannedCurve& curve = context_.plan[scheduled.problem].curves[scheduled.curve];
    found_[step] = end.setting;
    FoundCell found{scheduled.curve, curve.grid.settings[end.setting]};
    if (!end.at_coarse_end) found.coarser = curve.grid.settings[end.setting - 1];
    if (Keeps(kTimes, LimitsOf(*context_.plan[scheduled.problem].MethodOf(curve.cell.method))))
      context_.at_targets[scheduled.problem][scheduled.target].found.push_back(found);
  }
  context_.Done(step, searches_.extract(step).mapped().seconds);
}

const JudgedCell* ParallelTrials::Judge(std::size_t step, double setting) {
  const ScheduledStep& scheduled = context_.schedule[step];
  const std::size_t problem = scheduled.problem;
  const PlannedCurve& curve = context_.plan[problem].curves[scheduled.curve];
  if (const JudgedCell* known = context_.curves[problem][scheduled.curve].At(setting)) return known;
  const Cell cell = curve.At(setting);
  const TrialIdentity identity =
      context_.trials.IdentityOf(cell, context_.problem_hashes[problem], TrialKind::kAccuracy);
  if (const std::optional<TrialRow> found = context_.trials.Found(identity))
    return Keep(scheduled, setting, *found);
  const std::map<std::string, JudgedStart>& starts = context_.starts[problem];
  const auto start = starts.find(cell.method);
  const double limit = context_.options.limits.seconds;
  const std::optional<double> expected =
      context_.ExpectedSeconds(problem, scheduled.curve, setting);
  TrialResult without_running;
  if (curve.without_running.outcome != Outcome::kOk) {
    without_running.ending = curve.without_running;
  } else if (start != starts.end() && start->second.ending.outcome != Outcome::kOk) {
    without_running.ending = start->second.ending;
    without_running.record.condition = RecordOf(start->second.condition);
  } else if (expected && *expected > limit) {
    without_running.ending = {
        Outcome::kSkipped, fmt::format("expected {:.0f} s; the limit is {:g} s", *expected, limit)};
    without_running.record.expected_seconds = expected;
  }
  if (without_running.ending.outcome != Outcome::kOk) {
    without_running.record.command = SolveCommand(cell);
    return Keep(scheduled, setting, context_.trials.StoreTrial(identity, without_running, 0));
  }
  if (const auto search = searches_.find(step);
      search != searches_.end() && expected && *expected > search->second.longest) {
    put_off_.push_back(step);
    searches_.erase(search);
    return nullptr;
  }
  ChildJob job = JobFor(context_, 0, problem, cell, TrialKind::kAccuracy);
  if (start != starts.end()) job.request.start = RecordOf(start->second);
  // A trial about which its curve says nothing may take as long as its whole search.
  const double typical = std::min(context_.forecast.Seconds(step), limit);
  if (!Start({step, setting, identity}, cell, std::move(job), expected.value_or(typical)))
    searches_.erase(step);
  return nullptr;
}

void ParallelTrials::StartBudget(std::size_t step) {
  const ScheduledStep& scheduled = context_.schedule[step];
  WaitForCurve(scheduled.problem, scheduled.curve);
  const PlannedCurve& curve = context_.plan[scheduled.problem].curves[scheduled.curve];
  std::optional<double> nearest;
  double distance = INFINITY;
  for (const auto& [setting, judged] : context_.curves[scheduled.problem][scheduled.curve].cells) {
    if (judged.outcome != Name(Outcome::kOk) || judged.recorded_cpu_seconds > kLongestSplit)
      continue;
    const double away = std::abs(std::log(setting / curve.usual));
    if (away >= distance) continue;
    distance = away;
    nearest = setting;
  }
  if (!nearest) {
    context_.Done(step, 0);
    return;
  }
  const Cell cell = curve.At(*nearest);
  const TrialIdentity identity = context_.trials.IdentityOf(
      cell, context_.problem_hashes[scheduled.problem], TrialKind::kBudget);
  if (const std::optional<TrialRow> found = context_.trials.Found(identity)) {
    context_.Done(step, found->record.process_seconds.value_or(0));
    return;
  }
  ChildJob job = JobFor(context_, 0, scheduled.problem, cell, TrialKind::kBudget);
  job.limits.seconds *= kSolutionsPerBudget;
  const JudgedCell& judged = *context_.curves[scheduled.problem][scheduled.curve].At(*nearest);
  Start({step, *nearest, identity}, cell, std::move(job),
        kSolutionsPerBudget * judged.process_seconds);
}

bool ParallelTrials::Start(const UnderWay& started, const Cell& cell, ChildJob job,
                           double expected) {
  while (context_.supervisor.running() >= SideBySide()) Wait();
  if (context_.IsOver() || !context_.MayStart(expected)) return false;
  context_.Show(cell.Describe() + ", " + started.identity.kind);
  job.id = next_id_++;
  context_.supervisor.Start(job);
  under_way_.emplace(job.id, started);
  return true;
}

void ParallelTrials::Wait() {
  const ChildEnd end = context_.supervisor.Wait();
  const UnderWay ended = under_way_.extract(end.id).mapped();
  const TrialRow row = context_.StoreTrial(ended.step, ended.identity, end);
  const ScheduledStep& scheduled = context_.schedule[ended.step];
  if (scheduled.kind == StepKind::kBudget) {
    context_.Done(ended.step, end.seconds);
    return;
  }
  const Outcome outcome = end.result.ending.outcome;
  if (outcome == Outcome::kCrashed || outcome == Outcome::kOutOfMemory ||
      outcome == Outcome::kTimeout) {
    context_.progress.Say(
        fmt::format("{}: {}: {}", row.Describe(), Name(outcome), end.result.ending.reason));
  }
  Keep(scheduled, ended.setting, row);
  if (searches_.contains(ended.step))
    Advance(ended.step);
  else
    context_.Done(ended.step, end.seconds);
}

const JudgedCell* ParallelTrials::Keep(const ScheduledStep& scheduled, double setting,
                                       const TrialRow& row) {
  ++context_.summary.cells[row.outcome];
  return &context_.curves[scheduled.problem][scheduled.curve]
              .cells.insert_or_assign(setting, JudgedCellFrom(row))
              .first->second;
}

void ParallelTrials::WaitForCurve(std::size_t problem, std::size_t curve) {
  const auto is_it = [&](const auto& entry) {
    const ScheduledStep& scheduled = context_.schedule[entry.second.step];
    return scheduled.problem == problem && scheduled.curve == curve;
  };
  while (std::ranges::any_of(under_way_, is_it)) Wait();
}

void ParallelTrials::WaitForAll() {
  while (!under_way_.empty()) Wait();
}

}  // namespace mbsbench
