#include "harness/runner/run.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "harness/comparison/stalled_curves.h"
#include "harness/runner/agreement_check.h"
#include "harness/runner/documents.h"
#include "harness/runner/parallel_trials.h"
#include "harness/runner/timed_trials.h"
#include "harness/verdict/verdict.h"
#include "problems/io/model_file.h"
#include "reference/reference.h"

namespace mbsbench {

namespace {

// A cell of the second or third pass that is expected to take longer is put off [s].
constexpr double kLong = 10;

class Runner {
 public:
  Runner(const RunOptions& options, std::vector<PlannedProblem> plan)
      : run_(options, std::move(plan)),
        parallel_(run_),
        timed_(run_),
        known_errors_(run_.plan.size()) {}

  RunSummary Run() {
    try {
      for (std::size_t i = 0; i < run_.schedule.size() && !run_.IsOver(); ++i) Carry(i);
      // Trials put off because they take long.
      for (std::size_t i = 0; i < put_off_.size() && !run_.IsOver(); ++i) Carry(put_off_[i]);
      parallel_.WaitForAll();
    } catch (const Interrupted&) {
      run_.StoreCoverage(false);
      throw Interrupted("finished trials are in the store, and --resume continues the run");
    }
    run_.StoreCoverage(true);
    run_.summary.stalled = StalledSentences();
    return run_.summary;
  }

 private:
  void Carry(std::size_t trial) {
    const ScheduledTrial& scheduled = run_.schedule[trial];
    run_.pass = std::max(run_.pass, static_cast<int>(scheduled.pass));
    const bool is_parallel =
        scheduled.kind == TrialKind::kAccuracy || scheduled.kind == TrialKind::kBudget;
    if (!is_parallel) parallel_.WaitForAll();  // the other kinds are timed, or use all cores
    Enter(scheduled.problem);
    switch (scheduled.kind) {
      case TrialKind::kAccuracy:
        if (IsPutOff(trial))
          put_off_.push_back(trial);
        else
          parallel_.CarryAccuracy(trial, scheduled);
        break;
      case TrialKind::kBudget:
        parallel_.WaitForCells();
        if (IsJudged(trial)) parallel_.CarryBudget(trial, scheduled);
        break;
      case TrialKind::kAgreement: CarryAgreement(trial); break;
      case TrialKind::kEvaluation: timed_.CarryEvaluation(trial, scheduled); break;
      case TrialKind::kTime:
        if (IsJudged(trial)) timed_.CarryRounds(trial, scheduled);
        break;
    }
  }

  // A cell is put off once, if its coarser neighbour predicts a long time.
  bool IsPutOff(std::size_t trial) {
    const ScheduledTrial& scheduled = run_.schedule[trial];
    if (scheduled.pass != Pass::kCurves && scheduled.pass != Pass::kIntegrators) return false;
    if (!asked_whether_long_.emplace(scheduled.problem, scheduled.cell).second) return false;
    parallel_.WaitForCoarser(scheduled.problem, scheduled.cell);
    if (const std::optional<double> expected = run_.forecast.FromCoarser(trial))
      return *expected > kLong && *expected <= run_.options.limits.seconds;
    const std::vector<PlannedCell>& cells = run_.plan[scheduled.problem].cells;
    const Cell& cell = cells[scheduled.cell].cell;
    for (std::size_t c = 0; c < cells.size(); ++c) {
      if (cells[c].pass == Pass::kOnce) parallel_.WaitForCell(scheduled.problem, c);
      const std::optional<JudgedCell>& judged = run_.judged[scheduled.problem][c];
      if (judged && judged->outcome == Name(Outcome::kTimeout) &&
          cells[c].cell.method == cell.method && cells[c].cell.integrator == cell.integrator)
        return true;
    }
    return false;
  }

  // Whether the cell of the trial has been judged; if not, the trial is put off, once.
  bool IsJudged(std::size_t trial) {
    const ScheduledTrial& scheduled = run_.schedule[trial];
    if (run_.judged[scheduled.problem][scheduled.cell]) return true;
    if (waiting_for_a_judge_.insert(trial).second) put_off_.push_back(trial);
    return false;
  }

  void CarryAgreement(std::size_t trial) {
    const PlannedProblem& problem = run_.plan[run_.schedule[trial].problem];
    const Cell cell = problem.Unsolved();
    std::string what = fmt::format("seed {}", run_.options.seed);
    for (const MethodChoice& method : ComparedMethods(problem)) {
      what += " " + method.spec;
      if (const std::string& hash = run_.trials.BinaryHashFor(method.spec);
          hash != run_.trials.binary_hash())
        what += "@" + hash;
    }
    const TrialIdentity identity = run_.trials.IdentityOf(
        cell, run_.problem_hashes[run_.schedule[trial].problem], TrialKind::kAgreement, 0, what);
    std::optional<TrialRow> row = run_.trials.Found(identity);
    const bool is_found = row.has_value();
    if (!is_found) {
      if (!run_.MayStart(trial)) return;
      run_.Show(problem.name + ", agreement");
      double seconds = 0;
      const TrialResult result =
          CheckAgreement(problem, run_.options.limits, run_.options.seed, run_.supervisor, seconds);
      row = run_.trials.StoreTrial(identity, result, seconds);
    }
    if (row->outcome == Name(Outcome::kWrongEquations) ||
        row->outcome == Name(Outcome::kInaccurate)) {
      run_.summary.disagreements.push_back(problem.name + ": " + row->reason);
      run_.progress.Say("DISAGREEMENT on " + problem.name + ": " + row->reason);
    }
    const AgreementRecord agreement = row->record.agreement.value_or(AgreementRecord{});
    for (const MethodAgreementRecord& method : agreement.methods) {
      if (method.start)
        run_.starts[run_.schedule[trial].problem].emplace(method.method,
                                                          JudgedStartFrom(*method.start));
    }
    run_.Done(trial, row->record.process_seconds.value_or(0), !is_found);
  }

  // Before the first trial of a problem.
  void Enter(std::size_t p) {
    if (!run_.problem_hashes[p].empty()) return;
    const PlannedProblem& planned = run_.plan[p];
    // The problem is not kept while its trials run, because large systems take memory.
    ProblemRecord record = RecordOf(ProblemOf(planned.Unsolved()));
    run_.problem_hashes[p] = record.problem_hash;
    known_errors_[p] = record.KnownError();
    run_.trials.Put(planned.name, std::move(record));
    for (const MethodChoice& method : planned.methods) run_.trials.Put(method);
  }

  // The shared parts of a method of a problem.
  std::vector<std::string> SharedPartsOf(std::size_t p, const std::string& spec) const {
    const MethodChoice* const method = run_.plan[p].MethodOf(spec);
    return method == nullptr ? std::vector<std::string>()
                             : mbsbench::SharedPartsOf(*method->entry, method->options);
  }

  // For all cells of the plan, including those of earlier runs in the store.
  std::vector<std::string> StalledSentences() const {
    std::vector<std::string> sentences;
    for (std::size_t p = 0; p < run_.plan.size(); ++p) {
      std::vector<ErrorCurve> curves;
      std::map<std::pair<std::string, bool>, std::size_t> places;
      for (std::size_t c = 0; c < run_.plan[p].cells.size(); ++c) {
        const Cell& cell = run_.plan[p].cells[c].cell;
        const std::optional<JudgedCell>& judged = run_.judged[p][c];
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
           StalledCurves(curves, static_cast<double>(run_.plan[p].bodies), known_errors_[p]))
        sentences.push_back(one.Sentence(run_.plan[p].name));
    }
    return sentences;
  }

  RunContext run_;
  ParallelTrials parallel_;
  TimedTrials timed_;
  std::vector<std::size_t> put_off_;  // trials that are run after all others
  std::set<std::pair<std::size_t, std::size_t>> asked_whether_long_;  // problem, cell
  std::set<std::size_t> waiting_for_a_judge_;  // trials whose cells are put off
  std::vector<double> known_errors_;           // by problem, as ProblemRecord::KnownError
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
