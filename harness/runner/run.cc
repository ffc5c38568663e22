#include "harness/runner/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <set>

#include "harness/runner/accuracy_trials.h"
#include "harness/runner/agreement_check.h"
#include "harness/runner/budget_trials.h"
#include "harness/runner/documents.h"
#include "harness/runner/timed_trials.h"
#include "harness/runner/wall_clock.h"
#include "harness/store/stalled_curves.h"
#include "harness/verdict/verdict.h"
#include "problems/io/model_file.h"
#include "reference/reference.h"

namespace mbsbench {

namespace {

// A cell of the second or third pass that is expected to take longer is put off [s].
constexpr double kLong = 10;
// If the next trial does not fit into the rest of the budget, the call ends once the rest is below one of these.
constexpr double kLastSeconds = 2, kLastPart = 0.05;
// Intervals after which the forecast is made again and the coverage is stored [s].
constexpr double kForecastSeconds = 2, kCoverageSeconds = 30;

class Runner {
 public:
  Runner(const RunOptions& options, std::vector<PlannedProblem> plan)
      : options_(options),
        plan_(std::move(plan)),
        trials_(options),
        schedule_(MakeSchedule(trials_.TakeShard(plan_), options.rounds, trials_.seed())),
        forecast_(ShapesOf(schedule_, plan_, options.rounds, RecordedDurations()),
                  options.limits.seconds, static_cast<double>(SideBySide())),
        supervisor_(options.executable, options.plugins),
        progress_(options.progress),
        context_{options_, plan_, trials_, supervisor_, progress_, forecast_, summary_,
                 {},       {},    {},      {},          {},        {}},
        accuracy_(context_),
        budgets_(context_),
        timed_(context_) {
    context_.problem_hashes.resize(plan_.size());
    known_errors_.resize(plan_.size());
    for (const PlannedProblem& problem : plan_) context_.judged.emplace_back(problem.cells.size());
    context_.starts.resize(plan_.size());
    context_.may_start = std::bind_front(&Runner::MayStart, this);
    context_.done = std::bind_front(&Runner::Done, this);
    context_.show = [this](const std::string& what) {
      progress_.Show([this, &what] { return ProgressLine(State(), what); });
    };
    summary_.unfinished = trials_.awaited();
  }

  RunSummary Run() {
    try {
      for (std::size_t i = 0; i < schedule_.size() && !IsOver(); ++i) Carry(i);
      // Trials put off because they take long.
      for (std::size_t i = 0; i < put_off_.size() && !IsOver(); ++i) Carry(put_off_[i]);
      accuracy_.WaitForAll();
      budgets_.WaitForAll();
    } catch (const Interrupted&) {
      SumUp();
      trials_.PutCoverage(summary_.coverage, false);
      throw Interrupted("finished trials are in the store, and --resume continues the run");
    }
    SumUp();
    trials_.PutCoverage(summary_.coverage, summary_.is_complete());
    summary_.stalled = StalledSentences();
    return summary_;
  }

 private:
  // ---- the rest of the call

  double SecondsLeft() const { return options_.budget - (WallSeconds() - started_); }
  bool IsOver() const { return is_over_ || SecondsLeft() <= 0; }

  bool MayStart(std::size_t trial) {
    double seconds = forecast_.Seconds(trial);
    if (schedule_[trial].kind == TrialKind::kAgreement)
      seconds /= static_cast<double>(SideBySide());
    const double left = SecondsLeft();
    if (seconds <= left) return true;
    // Shorter trials after a long one may still fit, as long as enough time is left.
    is_over_ = is_over_ || left < std::max(kLastSeconds, kLastPart * options_.budget);
    return false;
  }

  RunState State() {
    if (const double now = WallSeconds(); now - forecast_made_ > kForecastSeconds) {
      forecast_made_ = now;
      passes_ = forecast_.Passes();
    }
    return {
        .pass = pass_, .passes = kPasses, .trials = SumOf(passes_), .budget_left = SecondsLeft()};
  }

  void Done(std::size_t trial, double seconds, bool now, bool finished,
            std::optional<double> whole) {
    forecast_.Done(trial, seconds, finished, whole);
    if (now) forecast_.Ran(trial, seconds, WallSeconds() - started_);
    if (const double time = WallSeconds(); time - coverage_put_ > kCoverageSeconds) {
      coverage_put_ = time;
      SumUp();
      trials_.PutCoverage(summary_.coverage, false);
    }
  }

  // ---- one trial

  void Carry(std::size_t trial) {
    const ScheduledTrial& scheduled = schedule_[trial];
    pass_ = std::max(pass_, static_cast<int>(scheduled.pass));
    if (scheduled.kind == TrialKind::kBudget) {
      accuracy_.WaitForAll();
      Enter(scheduled.problem);
      if (IsJudged(trial)) budgets_.Carry(trial, scheduled);
      return;
    }
    budgets_.WaitForAll();
    if (scheduled.kind == TrialKind::kAccuracy) {
      Enter(scheduled.problem);
      if (IsPutOff(trial))
        put_off_.push_back(trial);
      else
        accuracy_.Carry(trial, scheduled);
      return;
    }
    accuracy_.WaitForAll();  // the other kinds are timed, or use all cores
    Enter(scheduled.problem);
    switch (scheduled.kind) {
      case TrialKind::kAgreement: CarryAgreement(trial); break;
      case TrialKind::kEvaluation: timed_.CarryEvaluation(trial, scheduled); break;
      case TrialKind::kTime:
        if (IsJudged(trial)) timed_.CarryRounds(trial, scheduled);
        break;
      case TrialKind::kAccuracy:
      case TrialKind::kBudget: break;
    }
  }

  // A cell is put off once, if its coarser neighbour predicts a long time.
  bool IsPutOff(std::size_t trial) {
    const ScheduledTrial& scheduled = schedule_[trial];
    if (scheduled.pass != Pass::kCurves && scheduled.pass != Pass::kIntegrators) return false;
    if (!asked_whether_long_.emplace(scheduled.problem, scheduled.cell).second) return false;
    accuracy_.WaitForCoarser(scheduled.problem, scheduled.cell);
    if (const std::optional<double> expected = forecast_.FromCoarser(trial))
      return *expected > kLong && *expected <= options_.limits.seconds;
    const std::vector<PlannedCell>& cells = plan_[scheduled.problem].cells;
    const Cell& cell = cells[scheduled.cell].cell;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (cells[c].pass == Pass::kOnce) accuracy_.WaitFor(scheduled.problem, c);
      const std::optional<JudgedCell>& judged = context_.judged[scheduled.problem][c];
      if (judged && judged->outcome == Name(Outcome::kTimeout) &&
          cells[c].cell.method == cell.method && cells[c].cell.integrator == cell.integrator)
        return true;
    }
    return false;
  }

  // Whether the cell of the trial has been judged; if not, the trial is put off, once.
  bool IsJudged(std::size_t trial) {
    const ScheduledTrial& scheduled = schedule_[trial];
    if (context_.judged[scheduled.problem][scheduled.cell]) return true;
    if (waiting_for_a_judge_.insert(trial).second) put_off_.push_back(trial);
    return false;
  }

  void CarryAgreement(std::size_t trial) {
    const PlannedProblem& problem = plan_[schedule_[trial].problem];
    const Cell cell = problem.Unsolved();
    std::string what = fmt::format("seed {}", options_.seed);
    for (const MethodChoice& method : ComparedMethods(problem)) {
      what += " " + method.spec;
      if (const std::string& hash = trials_.BinaryHashFor(method.spec);
          hash != trials_.binary_hash())
        what += "@" + hash;
    }
    const TrialIdentity identity = trials_.IdentityOf(
        cell, context_.problem_hashes[schedule_[trial].problem], TrialKind::kAgreement, 0, what);
    std::optional<TrialRow> row = trials_.Found(identity);
    const bool is_found = row.has_value();
    if (!is_found) {
      if (!MayStart(trial)) return;
      context_.show(problem.name + ", agreement");
      double seconds = 0;
      const TrialResult result = CheckAgreement(
          problem, {options_.limits, options_.seed, SideBySide()}, supervisor_, seconds);
      row = trials_.StoreTrial(identity, result, seconds);
    }
    if (row->outcome == Name(Outcome::kWrongEquations) ||
        row->outcome == Name(Outcome::kInaccurate)) {
      summary_.disagreements.push_back(problem.name + ": " + row->reason);
      progress_.Say("DISAGREEMENT on " + problem.name + ": " + row->reason);
    }
    const AgreementRecord agreement = row->record.agreement.value_or(AgreementRecord{});
    for (const MethodAgreementRecord& method : agreement.methods) {
      if (method.start)
        context_.starts[schedule_[trial].problem].emplace(method.method,
                                                          JudgedStartFrom(*method.start));
    }
    Done(trial, row->record.process_seconds.value_or(0), !is_found, true, std::nullopt);
  }

  // Before the first trial of a problem.
  void Enter(std::size_t p) {
    if (!context_.problem_hashes[p].empty()) return;
    const PlannedProblem& planned = plan_[p];
    // The problem is not kept while its trials run, because large systems take memory.
    ProblemRecord record = RecordOf(ProblemOf(planned.Unsolved()));
    context_.problem_hashes[p] = record.problem_hash;
    known_errors_[p] = record.KnownError();
    trials_.Put(planned.name, std::move(record));
    for (const MethodChoice& method : planned.methods) trials_.Put(method);
  }

  // ---- progress of the run

  void SumUp() {
    summary_.trials_run = trials_.run();
    summary_.trials_found = trials_.found();
    Covered cells;
    summary_.left_out = NamedButLeftOut(options_.selection, plan_);
    std::set<std::string> families, all_families, problems, methods, all_methods;
    for (std::size_t p = 0; p < plan_.size(); ++p) {
      all_families.insert(plan_[p].family);
      for (const MethodChoice& method : plan_[p].methods) all_methods.insert(method.spec);
      for (std::size_t c = 0; c < plan_[p].cells.size(); ++c) {
        ++cells.planned;
        if (!context_.judged[p][c]) continue;
        ++cells.done;
        problems.insert(plan_[p].name);
        families.insert(plan_[p].family);
        methods.insert(plan_[p].cells[c].cell.method);
      }
    }
    for (std::size_t i = 0; i < schedule_.size(); ++i) {
      if (schedule_[i].kind != TrialKind::kEvaluation || !forecast_.IsDone(i)) continue;
      const PlannedProblem& problem = plan_[schedule_[i].problem];
      problems.insert(problem.name);
      families.insert(problem.family);
      methods.insert(problem.evaluated[schedule_[i].method].spec);
    }
    const auto count = [](const auto& set) { return static_cast<std::int64_t>(set.size()); };
    summary_.coverage = {Covered{count(all_families), count(families)},
                         Covered{static_cast<std::int64_t>(plan_.size()), count(problems)},
                         Covered{count(all_methods), count(methods)},
                         cells,
                         forecast_.Passes(),
                         OpenCurves()};
  }

  // The shared parts of a method of a problem.
  std::vector<std::string> SharedPartsOf(std::size_t p, const std::string& spec) const {
    const MethodChoice* const method = plan_[p].MethodOf(spec);
    return method == nullptr ? std::vector<std::string>()
                             : mbsbench::SharedPartsOf(*method->entry, method->options);
  }

  // For all cells of the plan, including those of earlier runs in the store.
  std::vector<std::string> StalledSentences() const {
    std::vector<std::string> sentences;
    for (std::size_t p = 0; p < plan_.size(); ++p) {
      std::vector<ErrorCurve> curves;
      std::map<std::pair<std::string, bool>, std::size_t> places;
      for (std::size_t c = 0; c < plan_[p].cells.size(); ++c) {
        const Cell& cell = plan_[p].cells[c].cell;
        const std::optional<JudgedCell>& judged = context_.judged[p][c];
        if (!judged || !judged->finished() || !judged->error) continue;
        const std::string name =
            cell.method + ", " + cell.integrator + (cell.step ? ", fixed steps" : "");
        const auto [place, is_new] =
            places.try_emplace({name, cell.step.has_value()}, curves.size());
        if (is_new) curves.push_back({cell.method, name, SharedPartsOf(p, cell.method)});
        curves[place->second].points.push_back(
            {cell.tolerance, cell.step, *judged->error, judged->digits_left});
      }
      for (const StalledCurve& one :
           StalledCurves(curves, static_cast<double>(plan_[p].bodies), known_errors_[p]))
        sentences.push_back(one.Sentence(plan_[p].name));
    }
    return sentences;
  }

  // Problem, method and integrator of the curves that lack a cell or its time, followed by "time" if only times are lacking.
  std::vector<std::vector<std::string>> OpenCurves() const {
    std::map<std::vector<std::string>, bool> open;  // whether a cell is lacking
    for (std::size_t i = 0; i < schedule_.size(); ++i) {
      const ScheduledTrial& trial = schedule_[i];
      const bool makes_a_point = trial.kind == TrialKind::kAccuracy ||
                                 (trial.kind == TrialKind::kTime && trial.process == 0);
      if (!makes_a_point || forecast_.IsDone(i)) continue;
      const Cell& cell = plan_[trial.problem].cells[trial.cell].cell;
      open[{cell.problem, cell.method, cell.integrator}] |= trial.kind == TrialKind::kAccuracy;
    }
    std::vector<std::vector<std::string>> curves;
    for (const auto& [curve, lacks_cells] : open) {
      curves.push_back(curve);
      if (!lacks_cells) curves.back().push_back("time");
    }
    return curves;
  }

  const RunOptions& options_;
  const double started_ = WallSeconds();
  std::vector<PlannedProblem> plan_;
  RunTrials trials_;
  std::vector<ScheduledTrial> schedule_;
  Forecast forecast_;
  Supervisor supervisor_;
  Progress progress_;
  RunSummary summary_;
  RunContext context_;
  AccuracyTrials accuracy_;
  BudgetTrials budgets_;
  TimedTrials timed_;
  std::vector<std::size_t> put_off_;  // trials that are run after all others
  std::set<std::pair<std::size_t, std::size_t>> asked_whether_long_;  // problem, cell
  std::set<std::size_t> waiting_for_a_judge_;  // trials whose cells are put off
  bool is_over_ = false;                       // the rest of the budget is too short
  int pass_ = 1;
  std::vector<double> known_errors_;  // by problem, as ProblemRecord::KnownError
  double forecast_made_ = 0, coverage_put_ = WallSeconds();
  std::vector<PassRecord> passes_;
};

}  // namespace

bool RunSummary::is_complete() const {
  const PassRecord all = SumOf(coverage.passes);
  return all.done == all.planned;
}

RunSummary RunComparison(const RunOptions& options, std::vector<PlannedProblem> plan) {
  const SignalsInterrupt interruptible;
  return Runner(options, std::move(plan)).Run();
}

}  // namespace mbsbench
