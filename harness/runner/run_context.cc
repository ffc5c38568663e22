#include "harness/runner/run_context.h"

#include <fmt/format.h>

#include <algorithm>
#include <set>

#include "harness/runner/process/guarded_method.h"
#include "harness/runner/process/timing_core.h"

namespace mbsbench {

namespace {

constexpr std::size_t kSideBySide = 2;  // at most the number of cores
// If the next trial does not fit into the rest of the budget, the call ends once the rest is below one of these.
constexpr double kLastSeconds = 2, kLastPart = 0.05;
// Intervals after which the forecast is made again and the coverage is stored [s].
constexpr double kForecastSeconds = 2, kCoverageSeconds = 30;

}  // namespace

JudgedCell JudgedCellFrom(const TrialRow& accuracy) {
  JudgedCell judged;
  judged.outcome = accuracy.outcome;
  judged.end_state_hash = accuracy.record.EndStateHash();
  judged.process_seconds = accuracy.record.process_seconds.value_or(0);
  judged.recorded_cpu_seconds = accuracy.record.recorded_cpu_seconds.value_or(0);
  judged.expected_seconds = accuracy.record.expected_seconds;
  judged.error = accuracy.record.LargestError();
  judged.digits_left = OrNone(accuracy.record.condition).digits_left;
  return judged;
}

std::optional<double> JudgedCell::whole_seconds() const {
  if (expected_seconds) return expected_seconds;
  if (finished() || outcome == Name(Outcome::kTimeout)) return process_seconds;
  return std::nullopt;
}

RunContext::RunContext(const RunOptions& run_options, std::vector<PlannedProblem> all)
    : options(run_options),
      plan(std::move(all)),
      trials(options),
      schedule(MakeSchedule(trials.TakeShard(plan), options.rounds, trials.seed())),
      forecast(ShapesOf(schedule, plan, options.rounds, RecordedDurations()),
               options.limits.seconds, static_cast<double>(SideBySide())),
      supervisor(options.executable, options.plugins),
      progress(options.progress),
      problem_hashes(plan.size()),
      starts(plan.size()) {
  for (const PlannedProblem& problem : plan) judged.emplace_back(problem.cells.size());
  summary.unfinished = trials.awaited();
}

bool RunContext::MayStart(std::size_t trial) {
  double seconds = forecast.Seconds(trial);
  if (schedule[trial].kind == TrialKind::kAgreement) seconds /= static_cast<double>(SideBySide());
  const double left = SecondsLeft();
  if (seconds <= left) return true;
  // Shorter trials after a long one may still fit, as long as enough time is left.
  is_over_ = is_over_ || left < std::max(kLastSeconds, kLastPart * options.budget);
  return false;
}

void RunContext::Done(std::size_t trial, double seconds, bool now, bool finished,
                      std::optional<double> whole) {
  forecast.Done(trial, seconds, finished, whole);
  if (now) forecast.Ran(trial, seconds, WallSeconds() - started);
  if (WallSeconds() - coverage_stored_ > kCoverageSeconds) StoreCoverage(false);
}

void RunContext::Show(const std::string& what) {
  progress.Show([this, &what] {
    if (const double now = WallSeconds(); now - forecast_made_ > kForecastSeconds) {
      forecast_made_ = now;
      passes_ = forecast.Passes();
    }
    return ProgressLine(
        {.pass = pass, .passes = kPasses, .trials = SumOf(passes_), .budget_left = SecondsLeft()},
        what);
  });
}

void RunContext::StoreCoverage(bool may_be_complete) {
  coverage_stored_ = WallSeconds();
  SumUp();
  trials.PutCoverage(summary.coverage, may_be_complete && summary.is_complete());
}

void RunContext::SumUp() {
  summary.trials_run = trials.run();
  summary.trials_found = trials.found();
  summary.damaged = trials.damaged();
  Covered cells;
  summary.left_out = NamedButLeftOut(options.selection, plan);
  std::set<std::string> families, all_families, problems, methods, all_methods;
  for (std::size_t p = 0; p < plan.size(); ++p) {
    all_families.insert(plan[p].family);
    for (const MethodChoice& method : plan[p].methods) all_methods.insert(method.spec);
    for (std::size_t c = 0; c < plan[p].cells.size(); ++c) {
      ++cells.planned;
      if (!judged[p][c]) continue;
      ++cells.done;
      problems.insert(plan[p].name);
      families.insert(plan[p].family);
      methods.insert(plan[p].cells[c].cell.method);
    }
  }
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    if (schedule[i].kind != TrialKind::kEvaluation || !forecast.IsDone(i)) continue;
    const PlannedProblem& problem = plan[schedule[i].problem];
    problems.insert(problem.name);
    families.insert(problem.family);
    methods.insert(problem.evaluated[schedule[i].method].spec);
  }
  const auto count = [](const auto& set) { return static_cast<std::int64_t>(set.size()); };
  summary.coverage = {Covered{count(all_families), count(families)},
                      Covered{static_cast<std::int64_t>(plan.size()), count(problems)},
                      Covered{count(all_methods), count(methods)},
                      cells,
                      forecast.Passes(),
                      OpenCurves()};
}

// Problem, method and integrator of the curves that lack a cell or its time, followed by "time" if only times are lacking.
std::vector<std::vector<std::string>> RunContext::OpenCurves() const {
  std::map<std::vector<std::string>, bool> open;  // whether a cell is lacking
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    const ScheduledTrial& trial = schedule[i];
    const bool makes_a_point = trial.kind == TrialKind::kAccuracy ||
                               (trial.kind == TrialKind::kTime && trial.process == 0);
    if (!makes_a_point || forecast.IsDone(i)) continue;
    const Cell& cell = plan[trial.problem].cells[trial.cell].cell;
    open[{cell.problem, cell.method, cell.integrator}] |= trial.kind == TrialKind::kAccuracy;
  }
  std::vector<std::vector<std::string>> curves;
  for (const auto& [curve, lacks_cells] : open) {
    curves.push_back(curve);
    if (!lacks_cells) curves.back().push_back("time");
  }
  return curves;
}

std::size_t SideBySide() { return std::min<std::size_t>(kSideBySide, UsableProcessors().size()); }

ChildJob JobFor(const RunContext& context, std::size_t id, std::size_t problem, const Cell& cell,
                TrialKind kind) {
  ChildJob job;
  job.id = id;
  job.request.cell = cell;
  job.request.kind = Name(kind);
  job.limits = context.options.limits;
  job.code_of = CodeOf(*context.plan[problem].MethodOf(cell.method));
  return job;
}

}  // namespace mbsbench
