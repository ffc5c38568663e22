#include "harness/runner/run_context.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "harness/runner/process/guarded_method.h"
#include "harness/runner/process/timing_core.h"

namespace mbsbench {

namespace {

constexpr std::size_t kSideBySide = 2;  // at most the number of cores
// If the next trial does not fit into the rest of the budget, the call ends once the rest is below one of these.
constexpr double kLastSeconds = 2, kLastPart = 0.05;
// Intervals after which the forecast is made again and the coverage is stored [s].
constexpr double kForecastSeconds = 2, kCoverageSeconds = 30;
// Order by which the cost of a multistep integrator is expected to grow: that of BDF at its highest.
constexpr int kVariableOrder = 5;

}  // namespace

JudgedCell JudgedCellFrom(const TrialRow& accuracy) {
  const TrialRecord& record = accuracy.record;
  return {.outcome = accuracy.outcome,
          .end_state_hash = record.EndStateHash(),
          .process_seconds = record.process_seconds.value_or(0),
          .recorded_cpu_seconds = record.recorded_cpu_seconds.value_or(0),
          .expected_seconds = record.expected_seconds,
          .error = record.LargestError(),
          .digits_left = OrNone(record.condition).digits_left};
}

std::optional<double> JudgedCell::whole_seconds() const {
  if (expected_seconds) return expected_seconds;
  if (finished() || outcome == Name(Outcome::kTimeout)) return process_seconds;
  return std::nullopt;
}

const JudgedCell* JudgedCurve::At(double setting) const {
  const auto one = cells.find(setting);
  return one == cells.end() ? nullptr : &one->second;
}

const Rounds& AtTarget::TimesOf(std::size_t curve, double setting) const {
  static const Rounds none;
  const auto one = times.find({curve, setting});
  return one == times.end() ? none : one->second;
}

RunContext::RunContext(const RunOptions& run_options, std::vector<PlannedProblem> all)
    : options(run_options),
      plan(std::move(all)),
      trials(options, summary),
      schedule(MakeSchedule(trials.TakeShard(plan), options.rounds, options.looks)),
      forecast(schedule, plan, static_cast<double>(SideBySide())),
      supervisor(options.executable, options.plugins),
      progress(options.progress),
      problem_hashes(plan.size()),
      at_targets(plan.size()),
      starts(plan.size()) {
  summary.left_out = NamedButLeftOut(options.selection, plan);
  for (const PlannedProblem& problem : plan) {
    curves.emplace_back(problem.curves.size());
    const bool is_asked_for = !options.selection.problems.empty() && !problem.curves.empty();
    if (is_asked_for && !problem.why_no_targets.empty())
      summary.left_out.push_back(problem.why_no_targets);
  }
}

bool RunContext::MayStart(double seconds) {
  const double left = SecondsLeft();
  if (seconds <= left) return true;
  // Shorter trials after a long one may still fit, as long as enough time is left.
  is_over_ = is_over_ || left < std::max(kLastSeconds, kLastPart * options.budget);
  return false;
}

std::optional<double> RunContext::ExpectedSeconds(std::size_t problem, std::size_t curve,
                                                  double setting) const {
  const PlannedCurve& planned = plan[problem].curves[curve];
  const std::map<double, JudgedCell, std::greater<>>& cells = curves[problem][curve].cells;
  const auto finer = cells.lower_bound(setting);  // this cell, or the next finer one
  if (finer == cells.begin()) return std::nullopt;
  const auto& [coarser, judged] = *std::prev(finer);
  const std::optional<double> whole = judged.whole_seconds();
  if (!whole) return std::nullopt;
  if (planned.by_steps) return coarser / setting * *whole;
  const int order = FindIntegrator(planned.cell.integrator)->order;
  return std::pow(coarser / setting, 1. / (order > 0 ? order : kVariableOrder)) * *whole;
}

TrialRow RunContext::StoreTrial(std::size_t step, const TrialIdentity& identity,
                                const ChildEnd& end) {
  forecast.Ran(step, end.seconds, WallSeconds() - started);
  return trials.StoreTrial(identity, end.result, end.seconds);
}

void RunContext::Done(std::size_t step, double seconds) {
  forecast.Done(step, seconds);
  if (WallSeconds() - coverage_stored_ > kCoverageSeconds) StoreCoverage(false);
}

void RunContext::Show(const std::string& what) {
  progress.Show([this, &what] {
    if (const double now = WallSeconds(); now - forecast_made_ > kForecastSeconds) {
      forecast_made_ = now;
      passes_ = forecast.Passes();
    }
    return ProgressLine(pass, SumOf(passes_), SecondsLeft(), what);
  });
}

void RunContext::StoreCoverage(bool may_be_complete) {
  coverage_stored_ = WallSeconds();
  SumUp();
  trials.PutCoverage(summary.coverage, may_be_complete && summary.is_complete());
}

void RunContext::SumUp() {
  Covered items;
  std::vector<double> targets;
  std::set<std::string> families, all_families, problems, methods, all_methods;
  for (const PlannedProblem& problem : plan) {
    all_families.insert(problem.family);
    for (const MethodChoice& method : problem.methods) all_methods.insert(method.spec);
    items.planned += problem.Items();
    targets.insert(targets.end(), problem.targets.begin(), problem.targets.end());
  }
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    const ScheduledStep& step = schedule[i];
    if (!forecast.IsDone(i)) continue;
    const PlannedProblem& problem = plan[step.problem];
    const bool is_cell = step.kind == StepKind::kRefusal || step.kind == StepKind::kCell ||
                         step.kind == StepKind::kSearch;
    if (!is_cell && step.kind != StepKind::kEvaluation) continue;
    if (step.kind != StepKind::kEvaluation &&
        (step.kind != StepKind::kCell || step.pass == Pass::kLadder))
      ++items.done;
    problems.insert(problem.name);
    families.insert(problem.family);
    methods.insert(is_cell ? problem.curves[step.curve].cell.method
                           : problem.evaluated[step.method].spec);
  }
  std::ranges::sort(targets, std::greater<>());
  targets.erase(std::unique(targets.begin(), targets.end()), targets.end());
  const auto count = [](const auto& set) { return static_cast<std::int64_t>(set.size()); };
  summary.coverage = {Covered{count(all_families), count(families)},
                      Covered{static_cast<std::int64_t>(plan.size()), count(problems)},
                      Covered{count(all_methods), count(methods)},
                      items,
                      forecast.Passes(),
                      OpenCurves(),
                      std::move(targets)};
}

std::vector<OpenItemRecord> RunContext::OpenCurves() const {
  // By problem, curve and target (0: the ladder): whether cells are lacking.
  std::map<std::tuple<std::size_t, std::size_t, double>, bool> open;
  for (std::size_t i = 0; i < schedule.size(); ++i) {
    const ScheduledStep& step = schedule[i];
    if (forecast.IsDone(i)) continue;
    if (step.kind == StepKind::kSearch) {
      open[{step.problem, step.curve, step.target}] = true;
    } else if (step.kind == StepKind::kCell && step.pass == Pass::kLadder) {
      open[{step.problem, step.curve, 0}] = true;
    } else if (step.kind == StepKind::kLadderRound && step.rounds == 0) {
      for (std::size_t c = 0; c < plan[step.problem].curves.size(); ++c) {
        const PlannedCurve& curve = plan[step.problem].curves[c];
        if (!curve.ladder.empty() && !curve.only_shows_order)
          open.try_emplace({step.problem, c, 0}, false);
      }
    } else if (step.kind == StepKind::kRounds && step.rounds == options.looks.front()) {
      const auto at = at_targets[step.problem].find(step.target);
      if (at == at_targets[step.problem].end()) continue;
      for (const FoundCell& cell : at->second.found) {
        if (at->second.TimesOf(cell.curve, cell.setting).empty())
          open.try_emplace({step.problem, cell.curve, step.target}, false);
      }
    }
  }
  std::vector<OpenItemRecord> curves_open;
  for (const auto& [key, lacks_cells] : open) {
    const auto& [problem, curve, target] = key;
    const PlannedCurve& planned = plan[problem].curves[curve];
    curves_open.push_back({planned.cell.problem, planned.cell.method, planned.cell.integrator,
                           target > 0 ? MaybeNumber(target) : std::nullopt, lacks_cells,
                           !planned.only_shows_order});
  }
  return curves_open;
}

std::size_t SideBySide() { return std::min<std::size_t>(kSideBySide, UsableProcessors().size()); }

ChildJob JobFor(const RunContext& context, std::size_t id, std::size_t problem, const Cell& cell,
                TrialKind kind) {
  const MethodChoice& method = *context.plan[problem].MethodOf(cell.method);
  return {.id = id,
          .request = {.cell = cell, .kind = std::string(Name(kind))},
          .limits = context.options.limits,
          .threads = method.threads(),
          .code_of = CodeOf(method)};
}

}  // namespace mbsbench
