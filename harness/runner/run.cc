#include "harness/runner/run.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "harness/comparison/stalled_curves.h"
#include "harness/records/untried_limits.h"
#include "harness/runner/agreement_check.h"
#include "harness/runner/documents.h"
#include "harness/runner/parallel_trials.h"
#include "harness/runner/timed_trials.h"
#include "reference/reference.h"

namespace mbsbench {

namespace {

// A search whose next trial takes longer is put off: until every family of problems has been run, and until all else is done [s].
constexpr double kLongAtFirst = 1, kLong = 10;

class Runner {
 public:
  Runner(const RunOptions& options, std::vector<PlannedProblem> plan)
      : run_(options, std::move(plan)),
        parallel_(run_),
        timed_(run_),
        known_errors_(run_.plan.size()) {}

  RunSummary Run() {
    try {
      run_.StoreCoverage(false);
      const CoverageRecord& coverage = run_.summary.coverage;
      run_.progress.Say(fmt::format("comparing {} methods on {} problems: {} items",
                                    coverage.methods->planned, coverage.problems->planned,
                                    coverage.items->planned));
      std::size_t next = 0;
      const auto run_through = [&](int pass) {
        const std::vector<ScheduledStep>& steps = run_.schedule;
        for (; next < steps.size() && static_cast<int>(steps[next].pass) <= pass; ++next) {
          if (run_.IsOver()) break;
          RunStep(next);
        }
        parallel_.WaitForAll();
      };
      run_through(static_cast<int>(Pass::kFamilies));
      ResumeSearches(kLong);
      run_through(kPasses);
      ResumeSearches(INFINITY);
    } catch (const Interrupted&) {
      run_.StoreCoverage(false);
      throw Interrupted("finished trials are in the store, and --resume continues the run");
    }
    run_.StoreCoverage(true);
    run_.summary.stalled = StalledSentences();
    return run_.summary;
  }

 private:
  void RunStep(std::size_t step) {
    const ScheduledStep& scheduled = run_.schedule[step];
    run_.pass = std::max(run_.pass, static_cast<int>(scheduled.pass));
    Enter(scheduled.problem);
    // A step that is timed, or uses all cores.
    const auto run_alone = [&](const auto& carry) {
      parallel_.WaitForAll();
      if (!run_.IsOver()) carry();
    };
    switch (scheduled.kind) {
      case StepKind::kRefusal:
      case StepKind::kCell: parallel_.StartCell(step); break;
      case StepKind::kSearch:
        parallel_.StartSearch(step, scheduled.pass == Pass::kHeadline ? kLongAtFirst : kLong);
        break;
      case StepKind::kBudget: parallel_.StartBudget(step); break;
      case StepKind::kAgreement: run_alone([&] { RunAgreement(step); }); break;
      case StepKind::kEvaluation: run_alone([&] { timed_.TimeEvaluations(step); }); break;
      case StepKind::kRounds: run_alone([&] { timed_.TimeRounds(step); }); break;
      case StepKind::kLadderRound: run_alone([&] { timed_.TimeLadderRound(step); }); break;
    }
  }

  // The searches that were put off, and the rounds, of the passes so far, of what they find.
  void ResumeSearches(double longest) {
    std::set<std::pair<std::size_t, double>> searched;
    for (std::size_t step : parallel_.TakePutOff()) {
      if (run_.IsOver()) break;
      parallel_.StartSearch(step, longest);
      searched.emplace(run_.schedule[step].problem, run_.schedule[step].target);
    }
    parallel_.WaitForAll();
    for (std::size_t i = 0; i < run_.schedule.size() && !run_.IsOver(); ++i) {
      const ScheduledStep& step = run_.schedule[i];
      if (step.kind == StepKind::kRounds && static_cast<int>(step.pass) <= run_.pass &&
          searched.contains({step.problem, step.target}))
        timed_.TimeRounds(i);
    }
  }

  void RunAgreement(std::size_t step) {
    const PlannedProblem& problem = run_.plan[run_.schedule[step].problem];
    const Cell cell = problem.Unsolved();
    std::string what = fmt::format("seed {}", run_.options.seed);
    for (const MethodChoice& method : ComparedMethods(problem)) {
      what += " " + method.spec;
      if (const std::string& hash = run_.trials.BinaryHashFor(method.spec);
          hash != run_.trials.binary_hash())
        what += "@" + hash;
    }
    const TrialIdentity identity = run_.trials.IdentityOf(
        cell, run_.problem_hashes[run_.schedule[step].problem], TrialKind::kAgreement, 0, what);
    std::optional<TrialRow> row = run_.trials.Found(identity);
    if (!row) {
      if (!run_.MayStart(run_.forecast.Seconds(step) / static_cast<double>(SideBySide()))) return;
      run_.Show(problem.name + ", agreement");
      row = run_.StoreTrial(
          step, identity,
          CheckAgreement(problem, run_.options.limits, run_.options.seed, run_.supervisor));
    }
    if (row->outcome == Name(Outcome::kWrongEquations) ||
        row->outcome == Name(Outcome::kInaccurate)) {
      run_.summary.disagreements.push_back(problem.name + ": " + row->reason);
      run_.progress.Say("DISAGREEMENT on " + problem.name + ": " + row->reason);
    }
    const AgreementRecord agreement = row->record.agreement.value_or(AgreementRecord{});
    for (const MethodAgreementRecord& method : agreement.methods) {
      if (method.start)
        run_.starts[run_.schedule[step].problem].emplace(method.method,
                                                         JudgedStartFrom(*method.start));
    }
    run_.Done(step, row->record.process_seconds.value_or(0));
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

  // For all cells of the plan, including those of earlier runs in the store.
  std::vector<std::string> StalledSentences() const {
    std::vector<std::string> sentences;
    for (std::size_t p = 0; p < run_.plan.size(); ++p) {
      std::vector<ErrorCurve> curves;
      for (std::size_t c = 0; c < run_.plan[p].curves.size(); ++c) {
        const PlannedCurve& planned = run_.plan[p].curves[c];
        const std::string& method = planned.cell.method;
        if (!Keeps(kEquations, LimitsOf(*run_.plan[p].MethodOf(method)))) continue;
        ErrorCurve curve{method, method + ", " + planned.cell.integrator +
                                     (planned.by_steps ? ", fixed steps" : "")};
        for (const auto& [setting, judged] : run_.curves[p][c].cells) {
          if (!judged.finished() || !judged.error) continue;
          const Cell cell = planned.At(setting);
          curve.points.push_back({cell.tolerance, cell.step, *judged.error, judged.digits_left});
        }
        if (!curve.points.empty()) curves.push_back(std::move(curve));
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
  std::vector<double> known_errors_;  // by problem, as ProblemRecord::KnownError
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
