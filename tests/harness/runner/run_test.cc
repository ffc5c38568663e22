// Whole runs with methods that fail in every way: each fault affects its own cells only.
#include "harness/runner/run.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <sqlite3.h>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <fstream>
#include <map>
#include <random>
#include <set>
#include <sstream>
#include <thread>

#include "harness/comparison/comparison.h"
#include "harness/comparison/paired_rounds.h"
#include "harness/runner/documents.h"
#include "harness/runner/plan/target_search.h"
#include "harness/runner/run_trials.h"
#include "problems/io/model_file.h"
#include "reference/reference.h"
#include "tests/harness/toys/toy_methods.h"
#include "tests/support/command.h"
#include "tests/support/limits.h"

namespace mbsbench {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;

class RunTest : public testing::Test {
 protected:
  RunOptions Options(std::vector<std::string> methods) {
    RunOptions options;
    options.selection = {.problems = {"pendulum"},
                         .methods = std::move(methods),
                         .integrators = {"dopri5"},
                         .tier = Tier::kQuick};
    options.store = folder_.File("s.sqlite");
    options.executable = TOYS_EXECUTABLE;
    options.command = "test";
    options.rounds = 2;
    options.limits = TestLimits(10, 600);
    return options;
  }
  RunSummary Run(RunOptions options) const {
    options.called = WallSeconds();
    return RunComparison(options, MakePlan(options.selection, methods_));
  }
  std::vector<TrialRow> Trials(const std::string& method, const std::string& kind) {
    std::vector<TrialRow> rows;
    for (TrialRow& row : Store::OpenToRead(folder_.File("s.sqlite")).Trials()) {
      if (row.method == method && row.kind == kind) rows.push_back(std::move(row));
    }
    return rows;
  }

  TemporaryFolder folder_;
  std::vector<MethodEntry> methods_ = ToyMethods();
};

TEST_F(RunTest, ACorrectMethodIsJudgedAndTimed) {
  Run(Options({"toy-pendulum", "toy-twin"}));
  const auto accuracy = Trials("toy-pendulum", "accuracy");
  ASSERT_EQ(3u, accuracy.size());
  double coarser = 1;
  for (const TrialRow& row : accuracy) {
    EXPECT_EQ("ok", row.outcome) << row.reason;
    const double error = *row.record.LargestError();
    EXPECT_LT(error, 1e-2 * coarser) << "three decades of tolerance";
    coarser = error;
    EXPECT_EQ(101u, row.record.accuracy->times.size());
    EXPECT_GT(row.record.integration->counters.steps, 10);
  }
  const auto times = Trials("toy-pendulum", "time");
  ASSERT_EQ(6u, times.size()) << "two rounds each";
  std::set<std::string> judged, timed;
  for (const TrialRow& row : accuracy) judged.insert(row.record.EndStateHash());
  for (const TrialRow& row : times) {
    EXPECT_EQ("ok", row.outcome);
    EXPECT_EQ("", row.reason) << "both trials did the same work";
    EXPECT_GT(*row.cpu_seconds, 1e-6);
    EXPECT_LT(*row.cpu_seconds, 1);
    EXPECT_GT(*row.record.control_seconds, 1e-4);
    timed.insert(row.record.EndStateHash());
  }
  EXPECT_EQ(judged, timed);
  const auto evaluation = Trials("toy-pendulum", "evaluation");
  ASSERT_EQ(1u, evaluation.size());
  EXPECT_EQ("accelerations", evaluation[0].record.what);
  EXPECT_GT(evaluation[0].record.evaluation->nanoseconds_per_body, 1);
  EXPECT_EQ((OperationsRecord{4, 3, 2, 1}), evaluation[0].record.evaluation->operations)
      << "as the method counts";
  const auto agreement = Trials("", "agreement");
  ASSERT_EQ(1u, agreement.size());
  EXPECT_EQ("ok", agreement[0].outcome);
  const AgreementRecord& compared = *agreement[0].record.agreement;
  EXPECT_EQ(4, compared.states);
  EXPECT_EQ("113 bits", compared.truth);
  EXPECT_EQ(3, compared.judged_states);
  for (const MethodAgreementRecord& method : compared.methods)
    EXPECT_LT(*method.error, 1e-15) << "one line of arithmetic";
}

TEST_F(RunTest, IterationsInsideEvaluationsAreStoredWithTheCell) {
  Run(Options({"toy-pendulum", "toy-iterates"}));
  for (const char* kind : {"accuracy", "time"}) {
    const auto rows = Trials("toy-iterates", kind);
    ASSERT_FALSE(rows.empty()) << kind;
    for (const TrialRow& row : rows) {
      const CountersRecord& counters = row.record.integration->counters;
      EXPECT_EQ("ok", row.outcome) << row.reason;
      EXPECT_EQ(kToyIterations * *counters.evaluations, counters.inner_iterations)
          << kind << ": samples do not count";
    }
    for (const TrialRow& row : Trials("toy-pendulum", kind))
      EXPECT_FALSE(row.record.integration->counters.inner_iterations) << kind;
  }
  const auto evaluation = Trials("toy-iterates", "evaluation");
  ASSERT_EQ(1u, evaluation.size());
  EXPECT_EQ(kToyIterations, evaluation[0].record.evaluation->inner_iterations);
}

TEST_F(RunTest, AMethodThatPromisesNothingIsShownWithItsErrorAndNeitherJudgedNorTimed) {
  MethodEntry& astray = *std::ranges::find(methods_, std::string("toy-astray"), &MethodEntry::key);
  astray.limits = {{.promises = {"*"}, .bound = 0, .reason = "it goes astray by design"}};
  const RunSummary summary = Run(Options({"toy-pendulum", "toy-astray"}));
  EXPECT_TRUE(summary.stalled.empty() && summary.disagreements.empty());
  const auto accuracy = Trials("toy-astray", "accuracy");
  ASSERT_EQ(3u, accuracy.size());
  EXPECT_GT(*accuracy.back().record.LargestError(), 1e-7);
  EXPECT_TRUE(Trials("toy-astray", "time").empty());
  EXPECT_TRUE(Trials("toy-astray", "evaluation").empty());
  const auto agreement = Trials("", "agreement");
  ASSERT_EQ(1u, agreement.size());
  EXPECT_EQ(1u, agreement[0].record.agreement->methods.size());
}

TEST_F(RunTest, AStalledCurveIsReportedOnlyByTheRunThatContainsIt) {
  const RunSummary astray = Run(Options({"toy-astray"}));
  ASSERT_EQ(1u, astray.stalled.size());
  EXPECT_THAT(astray.stalled[0], HasSubstr("pendulum: the error of toy-astray, dopri5 no longer "
                                           "falls from tol 1e-8 to tol 1e-11"));
  EXPECT_THAT(astray.stalled[0], HasSubstr("or the reference is wrong"))
      << "no other method was run";
  RunOptions options = Options({"toy-pendulum"});
  options.resume = true;
  EXPECT_TRUE(Run(options).stalled.empty()) << "that of another plan";
  options.selection.methods = {"toy-pendulum", "toy-astray"};
  const RunSummary both = Run(options);
  ASSERT_EQ(1u, both.stalled.size()) << "also where all was in the store";
  EXPECT_THAT(both.stalled[0], HasSubstr("The method solves another problem"));
  // The exit code agrees.
  const auto run = [&](const char* method) {
    return RunCommand(TOYS_EXECUTABLE,
                      {"run", "--quick", "--problem", "pendulum", "--method", method,
                       "--integrator", "dopri5", "--store", options.store, "--resume"})
        .exit_code;
  };
  EXPECT_EQ(0, run("toy-pendulum"));
  EXPECT_EQ(3, run("toy-astray"));
}

TEST_F(RunTest, TheErrorOfOneCellPerCurveIsSplitWhereAskedFor) {
  RunOptions options = Options({"toy-pendulum", "toy-crash", "toy-singular"});
  options.selection.integrators = {"dopri5", "rk4"};
  options.selection.tier = Tier::kDefault;
  Run(options);
  EXPECT_TRUE(Trials("toy-pendulum", "budget").empty()) << "not requested";
  const RunContent before =
      ReadContent(Store::OpenToRead(options.store), Store::OpenToRead(options.store).Runs().back());
  options.selection.budgets = true;
  options.resume = true;
  const RunSummary summary = Run(options);
  EXPECT_TRUE(summary.is_complete());
  const auto budgets = Trials("toy-pendulum", "budget");
  ASSERT_EQ(2u, budgets.size()) << "a curve per integrator";
  EXPECT_EQ(2, summary.trials_run);
  for (const TrialRow& row : budgets) {
    ASSERT_EQ("ok", row.outcome) << row.reason;
    const BudgetRecord& budget = *row.record.budget;
    double judged = 0;
    for (const TrialRow& cell : Trials("toy-pendulum", "accuracy")) {
      if (cell.integrator == row.integrator && cell.tolerance == row.tolerance &&
          cell.step == row.step)
        judged = *cell.record.LargestError();
    }
    EXPECT_DOUBLE_EQ(judged, budget.error) << "the error of that very cell";
    EXPECT_LE(budget.remainder, 1e-3 * judged) << "the parts add up";
    std::map<std::string, BudgetPartRecord> parts;
    for (const BudgetPartRecord& part : budget.parts) parts[part.part] = part;
    ASSERT_EQ(4u, parts.size());
    EXPECT_LT(parts.at("constraint").norm, 1e-15) << "an angle is always on the joint";
    EXPECT_EQ(0, parts.at("iteration").norm) << "the integrators are explicit";
    EXPECT_NEAR(judged, parts.at("discretisation").norm, 0.1 * judged);
    EXPECT_TRUE(parts.at("round-off").estimated);
    EXPECT_THAT(row.record.command, HasSubstr("--budget"));
  }
  EXPECT_TRUE(Trials("toy-crash", "budget").empty()) << "it has no error";
  EXPECT_TRUE(Trials("toy-singular", "budget").empty());
  EXPECT_EQ(0, Run(options).trials_run) << "never twice";
  const RunContent after =
      ReadContent(Store::OpenToRead(options.store), Store::OpenToRead(options.store).Runs().back());
  EXPECT_EQ(before.cells.size(), after.cells.size());
  const ComparedRuns compared = CompareContents(before, after);
  EXPECT_EQ(static_cast<int>(before.cells.size()), compared.Count(Direction::kAlike));
}

TEST_F(RunTest, EachFaultAffectsOnlyItsOwnCells) {
  RunOptions options = Options({"toy-pendulum", "toy-twin", "toy-liar", "toy-singular", "toy-nan",
                                "toy-crash", "toy-memory", "toy-throw", "toy-silent"});
  options.limits = TestLimits(60, 300);
  const RunSummary summary = Run(options);
  const std::vector<std::pair<std::string, std::string>> expected{
      {"toy-pendulum", "ok"},          {"toy-twin", "ok"},       {"toy-liar", "wrong_equations"},
      {"toy-singular", "singular"},    {"toy-nan", "diverged"},  {"toy-crash", "crashed"},
      {"toy-memory", "out_of_memory"}, {"toy-throw", "crashed"}, {"toy-silent", "crashed"}};
  for (const auto& [method, outcome] : expected) {
    const auto rows = Trials(method, "accuracy");
    ASSERT_EQ(3u, rows.size()) << method;
    for (const TrialRow& row : rows)
      EXPECT_EQ(outcome, row.outcome) << method << ": " << row.reason;
  }
  EXPECT_THAT(Trials("toy-crash", "accuracy")[0].reason, HasSubstr("signal 11"));
  EXPECT_THAT(Trials("toy-throw", "accuracy")[0].reason, HasSubstr("thrown in an evaluation"));
  EXPECT_THAT(Trials("toy-silent", "accuracy")[0].reason, HasSubstr("without a record"));
  EXPECT_THAT(Trials("toy-singular", "accuracy")[0].reason, HasSubstr("joint 'pin'"));
  EXPECT_TRUE(Trials("toy-crash", "time").empty()) << "no time without an accuracy";
  EXPECT_TRUE(Trials("toy-liar", "time").empty()) << "no time of other equations";
  for (const TrialRow& row : Trials("toy-liar", "accuracy"))
    EXPECT_EQ(0, row.record.process_seconds) << "the agreement check found it, for all cells";
  ASSERT_EQ(1u, summary.disagreements.size());
  EXPECT_THAT(summary.disagreements[0], HasSubstr("'toy-liar'"));
  EXPECT_THAT(summary.disagreements[0], testing::Not(HasSubstr("'toy-twin'")));
}

TEST_F(RunTest, ATrialThatHangsEndsAtItsLimitAndFinerOnesAreSkipped) {
  RunOptions options = Options({"toy-hang"});
  options.limits.seconds = 1;
  Run(options);
  const auto hanging = Trials("toy-hang", "accuracy");
  ASSERT_EQ(3u, hanging.size());
  EXPECT_EQ("timeout", hanging[0].outcome);
  EXPECT_EQ("not finished after 1 s of CPU time", hanging[0].reason);
  for (std::size_t finer : {1u, 2u}) {
    EXPECT_EQ("skipped", hanging[finer].outcome) << "it would take longer still";
    EXPECT_THAT(hanging[finer].reason, HasSubstr("the limit is 1 s"));
  }
}

TEST_F(RunTest, NoTrialIsRunTwice) {
  RunOptions options = Options({"toy-pendulum"});
  const RunSummary first = Run(options);
  EXPECT_EQ(0, first.trials_found);
  options.resume = true;
  const RunSummary second = Run(options);
  EXPECT_EQ(0, second.trials_run);
  EXPECT_EQ(first.trials_run, second.trials_found);
  EXPECT_EQ(first.cells, second.cells);
  EXPECT_EQ(1u, Store::OpenToRead(options.store).Runs().size()) << "the same run goes on";
  options.rounds = 3;
  EXPECT_EQ(3, Run(options).trials_run) << "one more round of three cells";
}

TEST_F(RunTest, EachRoundOfALadderIsTimedOnce) {
  RunOptions options = Options({"toy-pendulum"});
  options.rounds = 7;
  EXPECT_TRUE(Run(options).is_complete());
  std::map<double, std::set<int>> rounds;  // of a tolerance
  for (const TrialRow& row : Trials("toy-pendulum", "time")) {
    EXPECT_EQ("", row.reason) << "the rounds do the same work";
    EXPECT_FALSE(row.record.time->target);
    EXPECT_TRUE(rounds[*row.tolerance].insert(row.round).second);
  }
  ASSERT_EQ(3u, rounds.size());
  for (const auto& [tolerance, numbers] : rounds)
    EXPECT_EQ((std::set<int>{0, 1, 2, 3, 4, 5, 6}), numbers);
}

// The rounds of a cell at a target, by number.
Rounds RoundsOf(const std::vector<TrialRow>& rows, double target, double tolerance) {
  Rounds rounds;
  for (const TrialRow& row : rows) {
    if (row.record.time->target == target && row.tolerance == tolerance)
      rounds[{target, row.round}] = *row.cpu_seconds;
  }
  return rounds;
}

TEST_F(RunTest,
       ARunFindsTheCoarsestSettingForATargetAndTimesItAndItsCoarserNeighbourIfThatCanDecide) {
  RunOptions options = Options({"toy-pendulum", "toy-work"});
  options.selection.tier = Tier::kDefault;
  options.selection.targets = {1e-6};
  options.looks = {3};
  const RunSummary summary = Run(options);
  EXPECT_TRUE(summary.is_complete());
  EXPECT_EQ(2, summary.coverage.items->planned);
  EXPECT_EQ(2, summary.coverage.items->done);
  EXPECT_EQ((std::vector<double>{1e-6}), summary.coverage.targets);
  std::map<std::string, std::pair<double, double>> found;  // tolerance, that of the coarser cell
  for (const std::string method : {"toy-pendulum", "toy-work"}) {
    std::map<double, double, std::greater<>> errors;
    for (const TrialRow& row : Trials(method, "accuracy"))
      errors[*row.tolerance] = *row.record.LargestError();
    const auto holds = std::ranges::find_if(errors, [](auto& cell) { return cell.second <= 1e-6; });
    ASSERT_TRUE(holds != errors.end() && holds != errors.begin());
    ASSERT_NE(errors.end(), std::next(holds));
    EXPECT_LE(std::next(holds)->second, 1e-6) << "confirmed by the next finer one";
    found[method] = {holds->first, std::prev(holds)->first};
    EXPECT_LT(std::prev(holds)->first, 2 * holds->first) << "four tolerances a decade";
  }
  EXPECT_EQ(found["toy-pendulum"], found["toy-work"]) << "they do the same arithmetic";
  const auto quick = Trials("toy-pendulum", "time"), slow = Trials("toy-work", "time");
  EXPECT_EQ(6u, quick.size()) << "both cells, three rounds";
  EXPECT_EQ(3u, slow.size()) << "ten times slower: its coarser cell cannot decide";
  const double tolerance = found["toy-work"].first;
  const Rounds base = RoundsOf(quick, 1e-6, tolerance);
  EXPECT_EQ(3u, base.size());
  EXPECT_EQ(PairVerdict::kSlower,
            Judge(SpreadOf(PairedRatios(RoundsOf(slow, 1e-6, tolerance), base))));
  options.resume = true;
  EXPECT_EQ(0, Run(options).trials_run) << "a search asks for the same trials again";
}

TEST_F(RunTest, OnlyPairsThatAreOpenGetFurtherRounds) {
  RunOptions options = Options({"toy-pendulum", "toy-twin", "toy-more-work"});
  options.selection.tier = Tier::kDefault;
  options.selection.targets = {1e-4};
  options.looks = {3, 6};
  EXPECT_TRUE(Run(options).is_complete());
  const auto most = [&](const char* method) {
    int last = 0;
    for (const TrialRow& row : Trials(method, "time")) last = std::max(last, row.round);
    return last + 1;
  };
  EXPECT_EQ(3, most("toy-more-work")) << "slower by far";
  EXPECT_LE(most("toy-twin"), 6);
}

TEST_F(RunTest, AMethodThatMissesATargetEverywhereIsOutOfReachAndNotTimed) {
  RunOptions options = Options({"toy-astray"});
  options.selection.tier = Tier::kDefault;
  options.selection.targets = {1e-9};
  EXPECT_TRUE(Run(options).is_complete());
  EXPECT_TRUE(Trials("toy-astray", "time").empty());
  std::set<double> tolerances;
  for (const TrialRow& row : Trials("toy-astray", "accuracy")) tolerances.insert(*row.tolerance);
  EXPECT_TRUE(tolerances.contains(1e-13) && tolerances.contains(1.8e-13));
  EXPECT_LE(tolerances.size(), static_cast<std::size_t>(kMostTrials));
}

TEST_F(RunTest, ABudgetIsKeptAndResumeContinuesToTheEnd) {
  RunOptions options = Options({"toy-pendulum", "toy-twin"});
  options.selection.integrators = {"dopri5", "fehlberg8"};
  options.budget = 1.5;
  std::int64_t before = 0;
  int calls = 0, run = 0;
  for (bool is_complete = false; !is_complete; ++calls) {
    ASSERT_LT(calls, 40) << "each call does something";
    const RunSummary summary = Run(options);
    is_complete = summary.is_complete();
    run += summary.trials_run;
    const std::int64_t done = SumOf(summary.coverage.passes).done;
    EXPECT_GE(done, before);
    EXPECT_EQ(is_complete, !Store::OpenToRead(options.store).Runs().at(0).finished.empty());
    before = done;
    options.resume = true;
    options.budget *= 1.5;  // on a machine however slow
  }
  EXPECT_GT(calls, 1) << "the first one was cut";
  EXPECT_EQ(Store::OpenToRead(options.store).TrialCount(), run) << "none was run twice";
}

TEST_F(RunTest, NoTrialStartsThatWouldExceedTheBudget) {
  RunOptions options = Options({"toy-hang"});
  options.selection.integrators = {"dopri5", "fehlberg8", "rk4"};
  options.rounds = 0;
  options.limits.seconds = 4;
  options.budget = 3.9;
  const auto timeouts = [&] {
    return std::ranges::count(Trials("toy-hang", "accuracy"), "timeout", &TrialRow::outcome);
  };
  Run(options);
  const auto first = timeouts();
  EXPECT_GE(first, 1) << "those that were running may end";
  EXPECT_LE(first, 2);
  options.resume = true;
  options.budget = 1;
  EXPECT_FALSE(Run(options).is_complete());
  EXPECT_EQ(first, timeouts()) << "no other trial of four seconds";
}

TEST_F(RunTest, TheBudgetIncludesThePlanning) {
  RunOptions options = Options({"toy-pendulum"});
  options.budget = 1;
  methods_[0].supports = [](const System&, const MethodOptions&) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1100));
    return Verdict{};
  };
  ASSERT_EQ("toy-pendulum", methods_[0].key);
  EXPECT_EQ(0, Run(options).trials_run) << "the plan alone took longer";
}

TEST_F(RunTest, AnIncompleteRunStatesItsCoverage) {
  RunOptions options = Options({"toy-pendulum", "toy-twin"});
  options.selection.integrators = {"*"};
  options.budget = 0.4;
  const RunSummary summary = Run(options);
  ASSERT_FALSE(summary.is_complete());
  const std::vector<CoverageRow> coverage = Store::OpenToRead(options.store).Coverages();
  ASSERT_EQ(1u, coverage.size());
  const Covered& items = *coverage[0].document.items;
  std::set<std::string> judged;
  for (const std::string method : {"toy-pendulum", "toy-twin"}) {
    for (const TrialRow& row : Trials(method, "accuracy")) judged.insert(row.key);
  }
  EXPECT_EQ(judged.size(), static_cast<std::size_t>(items.done));
  EXPECT_GE(items.planned, items.done);
  ASSERT_EQ(static_cast<std::size_t>(kPasses), coverage[0].document.passes.size());
  const PassRecord& last = coverage[0].document.passes.back();
  EXPECT_GT(last.planned, last.done);
  EXPECT_FALSE(coverage[0].document.open.empty());
}

TEST_F(RunTest, AnOpenCurveThatIsOnlyJudgedIsStoredAsNotTimed) {
  RunOptions options = Options({"toy-pendulum", "toy-twin"});
  std::vector<PlannedProblem> plan = MakePlan(options.selection, methods_);
  for (PlannedCurve& curve : plan.at(0).curves)
    curve.only_shows_order = curve.cell.method == "toy-twin";
  options.called = WallSeconds();
  options.budget = 1e-3;
  RunComparison(options, plan);
  std::map<std::string, bool> is_timed;
  for (const OpenItemRecord& one : Store::OpenToRead(options.store).Coverages().at(0).document.open)
    is_timed[one.method] = one.is_timed;
  EXPECT_EQ((std::map<std::string, bool>{{"toy-pendulum", true}, {"toy-twin", false}}), is_timed);
}

TEST_F(RunTest, AnInterruptedRunIsFinishedOnlyByItsOwnCommand) {
  RunOptions options = Options({"toy-pendulum", "toy-twin"});
  options.command = "run both";
  Run(options);
  const auto stored = [&] { return Store::OpenToRead(options.store).Runs().back(); };
  EXPECT_FALSE(stored().finished.empty());
  {
    RunRow row = stored();
    row.finished.clear();  // as an interrupt leaves it
    Store::OpenToWrite(options.store).Put(row);
  }
  EXPECT_TRUE(stored().finished.empty());

  RunOptions narrower = Options({"toy-twin"});
  narrower.resume = true;
  narrower.command = "run twin --resume";
  EXPECT_EQ("run both", Run(narrower).unfinished);
  EXPECT_EQ("run twin --resume && run both", stored().command);
  EXPECT_TRUE(stored().finished.empty());

  options.resume = true;
  options.command = "run both --resume";
  EXPECT_EQ("", Run(options).unfinished);
  EXPECT_EQ("run twin --resume && run both", stored().command);
  EXPECT_FALSE(stored().finished.empty());
  EXPECT_EQ(1u, Store::OpenToRead(options.store).Runs().size());
}

TEST_F(RunTest, AStoreWithResultsIsNotChangedWithoutRequest) {
  RunOptions options = Options({"toy-pendulum"});
  Run(options);
  EXPECT_THROW(
      {
        try {
          Run(options);
        } catch (const StoreError& error) {
          EXPECT_THAT(error.what(), HasSubstr("--resume"));
          throw;
        }
      },
      StoreError);
}

TEST_F(RunTest, ADamagedTrialIsNamedAndRunAgain) {
  RunOptions options = Options({"toy-pendulum"});
  const RunSummary first = Run(options);
  sqlite3* database = nullptr;
  ASSERT_EQ(SQLITE_OK, sqlite3_open(options.store.c_str(), &database));
  EXPECT_EQ(SQLITE_OK,
            sqlite3_exec(database,
                         "UPDATE trial SET record = '{' WHERE rowid = (SELECT min(rowid) "
                         "FROM trial WHERE kind = 'accuracy')",
                         nullptr, nullptr, nullptr));
  sqlite3_close(database);
  options.resume = true;
  const RunSummary again = Run(options);
  EXPECT_EQ(1, again.trials_run);
  EXPECT_EQ(first.trials_run - 1, again.trials_found);
  ASSERT_EQ(1u, again.damaged.size());
  EXPECT_THAT(again.damaged[0], HasSubstr("The accuracy trial of pendulum by toy-pendulum"));
  EXPECT_TRUE(Run(options).damaged.empty());
}

TEST_F(RunTest, WiderLimitsRepeatTrialsThatTheOldOnesEnded) {
  RunOptions options = Options({"toy-hang"});
  options.limits.seconds = 0.3;
  Run(options);
  options.resume = true;
  EXPECT_EQ(0, Run(options).trials_run);
  options.limits.seconds = 0.6;
  EXPECT_GT(Run(options).trials_run, 0);
  EXPECT_EQ("not finished after 0.6 s of CPU time", Trials("toy-hang", "accuracy")[0].reason);
}

TEST_F(RunTest, RetryRepeatsOnlyTrialsWithTheNamedOutcomes) {
  RunOptions options = Options({"toy-crash", "toy-pendulum"});
  Run(options);
  const std::string before = Trials("toy-crash", "accuracy")[0].finished;
  options.resume = true;
  EXPECT_EQ(0, Run(options).trials_run);
  options.retry = {"timeout"};
  EXPECT_EQ(0, Run(options).trials_run);
  options.retry = {"crashed", "timeout"};
  std::this_thread::sleep_for(std::chrono::milliseconds(1100));  // the stamps are in seconds
  EXPECT_EQ(4, Run(options).trials_run) << "three cells and one evaluation";
  for (const TrialRow& row : Trials("toy-crash", "accuracy")) EXPECT_GT(row.finished, before);
  EXPECT_EQ(3u, Trials("toy-crash", "accuracy").size());
}

TEST_F(RunTest, ARepetitionThatFoundNoTimeIsStillDueAndAfterItsResultNotAgain) {
  RunOptions options = Options({"toy-crash"});
  options.resume = true;
  options.retry = {"crashed"};
  const auto identity = [](const RunTrials& trials) {
    return trials.IdentityOf({"pendulum", "toy-crash", "dopri5", 1e-6, {}, 1.}, "hash",
                             TrialKind::kTime);
  };
  TrialResult crashed;
  crashed.ending.outcome = Outcome::kCrashed;
  RunSummary summary;
  {
    RunTrials before(options, summary);
    before.StoreTrial(identity(before), crashed, 1);
  }
  RunTrials trials(options, summary);
  EXPECT_FALSE(trials.Found(identity(trials)));
  EXPECT_FALSE(trials.Found(identity(trials))) << "nothing was run in between";
  trials.StoreTrial(identity(trials), crashed, 1);
  EXPECT_TRUE(trials.Found(identity(trials)));
}

// A process of this one whose command line holds a text; -1: there is none.
pid_t ChildWith(const std::string& text) {
  for (const auto& entry : fs::directory_iterator("/proc")) {
    std::ifstream status(entry.path() / "status");
    pid_t parent = -1;
    for (std::string line; std::getline(status, line);) {
      if (line.rfind("PPid:", 0) == 0) parent = std::stoi(line.substr(5));
    }
    if (parent != getpid()) continue;
    std::ostringstream command;
    command << std::ifstream(entry.path() / "cmdline").rdbuf();
    if (command.str().find(text) != std::string::npos) return std::stoi(entry.path().filename());
  }
  return -1;
}

TEST_F(RunTest, TheRoundOfAnExternallyKilledProcessIsMarked) {
  RunOptions options = Options({"toy-pendulum"});
  options.rounds = 6;
  std::thread killer([] {
    for (int tries = 0; tries < 20'000; ++tries) {
      if (const pid_t child = ChildWith(R"("kind":"time")"); child > 0) {
        kill(child, SIGKILL);
        return;
      }
      std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
  });
  Run(options);
  killer.join();
  int killed = 0;
  for (const TrialRow& row : Trials("toy-pendulum", "time")) {
    EXPECT_EQ("ok", row.outcome) << row.reason;
    killed += row.record.killed_before.empty() ? 0 : 1;
  }
  EXPECT_EQ(1, killed);
}

// A limit had ended it there. Both hosts count as one machine.
TEST_F(RunTest, ATimedTrialRepeatedOnAnotherHostIsOneTrial) {
  RunOptions options = Options({"toy-pendulum"});
  options.resume = true;
  const Cell cell{"pendulum", "toy-pendulum", "dopri5", 1e-6, {}, 1.};
  const auto identity = [&](const RunTrials& trials) {
    return trials.IdentityOf(cell, "hash", TrialKind::kTime, 0);
  };
  TrialIdentity elsewhere;
  TrialResult result;
  RunSummary summary;
  {
    RunTrials trials(options, summary);
    elsewhere = identity(trials);
    trials.StoreTrial(elsewhere, result, 1);
  }
  elsewhere.machine.replace(elsewhere.machine.find(" on "), std::string::npos, " on elsewhere");
  {
    Store store = Store::OpenToWrite(options.store);
    RunRow run = store.Runs().at(0);
    run.machine.hosts.push_back("elsewhere");
    store.Put(run);
  }
  fs::path file = options.store;
  options.store = folder_.File("other.sqlite");
  {
    Store store = Store::OpenToWrite(options.store);
    store.Put(Store::OpenToRead(file).Runs().at(0));
    TrialRow row = Store::OpenToRead(file).Trials().at(0);
    row.key = TrialKey(elsewhere);
    row.outcome = "timeout";
    row.record.limits->seconds = 0.1;
    store.Put(row);
  }
  RunTrials trials(options, summary);
  EXPECT_FALSE(trials.Found(identity(trials)));
  trials.StoreTrial(identity(trials), result, 1);
  const Store store = Store::OpenToRead(options.store);
  EXPECT_EQ(1, store.TrialCount());
  EXPECT_EQ("ok", store.Trials().at(0).outcome);
  EXPECT_TRUE(trials.Found(identity(trials)));
}

TEST_F(RunTest, EveryTrialHasTheHashOfItsProblem) {
  RunOptions options = Options({"toy-pendulum"});
  options.rounds = 1;
  Run(options);
  const Store store = Store::OpenToRead(options.store);
  const std::string hash = store.Problems().at(0).record.problem_hash;
  EXPECT_NE("", hash);
  for (const TrialRow& row : store.Trials()) EXPECT_EQ(hash, row.record.problem_hash);
}

TEST(ProblemHash, ChangesWithAllThatDecidesAVerdictOrIsRecorded) {
  const Problem p = MakeProblem("dpend18");
  std::set<std::string> hashes{HashOf(p)};
  const auto differs = [&](auto edit) {
    Problem edited = p;
    edit(edited);
    EXPECT_EQ(ParameterHash(p), ParameterHash(edited)) << "its reference stays valid";
    EXPECT_TRUE(hashes.insert(HashOf(edited)).second) << "edit " << hashes.size();
  };
  differs([](Problem& q) { q.conservative = false; });
  differs([](Problem& q) { q.planar = !q.planar; });
  differs([](Problem& q) { q.energy_reference *= 2; });
  differs([](Problem& q) { q.sample_times.erase(q.sample_times.begin() + 1); });
  differs([](Problem& q) { q.reference_bodies = {1}; });
  differs([](Problem& q) { q.observables.push_back({.name = "new"}); });
  differs([](Problem& q) { q.published.at(0).value += 0.001; });
  differs([](Problem& q) { q.accuracy_required_ode = 1e-3; });
  differs([](Problem& q) { q.system.bodies[0].name = "renamed"; });
  differs([](Problem& q) {
    q.library_measures.push_back(
        {.name = "new", .formula = LibraryMeasure::Formula::kAngularMomentumZ});
  });
  Problem reworded = p;
  reworded.title += "s";
  reworded.fixed_steps.push_back(1e-5);
  EXPECT_EQ(HashOf(p), HashOf(reworded)) << "no trial depends on these";
}

TEST_F(RunTest, AResumedRunComputesAnEditedModelFileAgain) {
  Problem problem = MakeProblem("pendulum");
  problem.name = "own";
  RunOptions options = Options({"toy-twin"});
  options.rounds = 1;
  options.resume = true;
  options.selection.problems = {folder_.File("own.json")};
  const auto run = [&] {
    std::ofstream(options.selection.problems[0]) << WriteModel(problem);
    return Run(options).trials_run;
  };
  const auto first = run();
  EXPECT_LT(0, first);
  EXPECT_EQ(0, run());
  problem.conservative = false;
  EXPECT_EQ(first, run());
}

TEST_F(RunTest, UnsupportedPairsAreRecordedWithTheirReason) {
  RunOptions options = Options({"toy-pendulum"});
  options.selection.problems = {"branch4"};
  Run(options);
  const auto rows = Trials("toy-pendulum", "accuracy");
  ASSERT_EQ(1u, rows.size()) << "once for the curve";
  EXPECT_EQ("unsupported", rows[0].outcome);
  EXPECT_THAT(rows[0].reason, HasSubstr("joint 'hinge_8_1' is a ball joint"));
}

// What a run of `executable` over two methods and two rounds holds, by key.
std::map<std::string, std::string> Snapshot(const std::string& store) {
  std::map<std::string, std::string> rows;
  if (!fs::exists(store) || fs::file_size(store) == 0) return rows;
  try {
    for (const TrialRow& row : Store::OpenToRead(store).Trials())
      rows[row.key] =
          row.kind + row.method + row.outcome + row.finished + ToJson(row.record).dump();
  } catch (const StoreError&) {
    // Killed while the tables were being made: the store is still empty.
  }
  return rows;
}

TEST_F(RunTest, ARunKilledAtTwentyRandomMomentsResumesAndRepeatsNothing) {
  const auto arguments = [](const std::string& store) {
    return std::vector<std::string>{"run",          "--quick",      "--problem", "pendulum",
                                    "--method",     "toy-pendulum", "--method",  "toy-twin",
                                    "--integrator", "dopri5",       "--rounds",  "3",
                                    "--resume",     "--store",      store};
  };
  const std::string whole = folder_.File("whole.sqlite"), killed = folder_.File("killed.sqlite");
  ASSERT_EQ(0, RunCommand(TOYS_EXECUTABLE, arguments(whole)).exit_code);
  const std::map<std::string, std::string> expected = Snapshot(whole);

  std::mt19937 random(20);
  std::map<std::string, std::string> before;
  int interrupted = 0;
  for (int i = 0; i < 20; ++i) {
    const pid_t pid = StartCommand(TOYS_EXECUTABLE, arguments(killed), folder_.path());
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 300));
    kill(pid, SIGKILL);
    int status = 0;
    waitpid(pid, &status, 0);
    interrupted += WIFSIGNALED(status) ? 1 : 0;
    const std::map<std::string, std::string> now = Snapshot(killed);
    for (const auto& [key, row] : before) {
      ASSERT_TRUE(now.count(key)) << "a finished trial was lost";
      ASSERT_EQ(row, now.at(key)) << "a finished trial was run again";
    }
    before = now;
  }
  EXPECT_GT(interrupted, 5) << "most of the kills have to hit a run under way";
  ASSERT_EQ(0, RunCommand(TOYS_EXECUTABLE, arguments(killed)).exit_code);
  const std::map<std::string, std::string> after = Snapshot(killed);
  EXPECT_EQ(expected.size(), after.size());
  for (const auto& [key, row] : expected) EXPECT_TRUE(after.count(key)) << row.substr(0, 60);
  for (const auto& [key, row] : before) EXPECT_EQ(row, after.at(key));
}

TEST_F(RunTest, ARunKilledInItsSearchesAsksForTheSameCellsAgain) {
  const auto arguments = [](const std::string& store) {
    return std::vector<std::string>{
        "run",          "--problem", "pendulum", "--method", "toy-twin", "--integrator", "dopri5",
        "--integrator", "rk4",       "--rounds", "1",        "--resume", "--store",      store};
  };
  const auto keys = [](const std::string& store) {
    std::set<std::string> all;
    for (const TrialRow& row : Store::OpenToRead(store).Trials()) all.insert(row.key);
    return all;
  };
  const std::string whole = folder_.File("whole.sqlite"), killed = folder_.File("killed.sqlite");
  ASSERT_EQ(0, RunCommand(TOYS_EXECUTABLE, arguments(whole)).exit_code);
  std::mt19937 random(5);
  for (int i = 0; i < 8; ++i) {
    const pid_t pid = StartCommand(TOYS_EXECUTABLE, arguments(killed), folder_.path());
    std::this_thread::sleep_for(std::chrono::milliseconds(random() % 300));
    kill(pid, SIGKILL);
    int status = 0;
    waitpid(pid, &status, 0);
  }
  ASSERT_EQ(0, RunCommand(TOYS_EXECUTABLE, arguments(killed)).exit_code);
  EXPECT_EQ(keys(whole), keys(killed));
}

// Processes whose command line holds `word`.
int ProcessesWith(const std::string& word) {
  int count = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator("/proc")) {
    std::ifstream in(entry.path() / "cmdline");
    const std::string line{std::istreambuf_iterator<char>(in), {}};
    count +=
        line.find(word) != std::string::npos && line.find("__trial") != std::string::npos ? 1 : 0;
  }
  return count;
}

TEST_F(RunTest, ChildrenEndWithTheirParent) {
  const pid_t pid = StartCommand(TOYS_EXECUTABLE,
                                 {"run", "--quick", "--problem", "pendulum", "--method", "toy-hang",
                                  "--store", folder_.File("h.sqlite")},
                                 folder_.path());
  for (int i = 0; i < 1200 && ProcessesWith("toy-hang") == 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_GT(ProcessesWith("toy-hang"), 0);
  kill(pid, SIGKILL);
  waitpid(pid, nullptr, 0);
  for (int i = 0; i < 1200 && ProcessesWith("toy-hang") > 0; ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  EXPECT_EQ(0, ProcessesWith("toy-hang"));
}

TEST_F(RunTest, AnInterruptedRunEndsCleanlyAndCanBeResumed) {
  const pid_t pid =
      StartCommand(TOYS_EXECUTABLE,
                   {"run", "--quick", "--problem", "pendulum", "--method", "toy-pendulum",
                    "--rounds", "50", "--store", folder_.File("i.sqlite")},
                   folder_.path());
  while (Snapshot(folder_.File("i.sqlite")).empty())
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  kill(pid, SIGINT);
  int status = 0;
  waitpid(pid, &status, 0);
  ASSERT_TRUE(WIFEXITED(status));
  EXPECT_EQ(130, WEXITSTATUS(status));
}

}  // namespace
}  // namespace mbsbench
