// The order of a run's trials.
#include "harness/runner/plan/schedule.h"

#include <gtest/gtest.h>

#include <array>
#include <map>
#include <set>

#include "tests/support/everything.h"

namespace mbsbench {
namespace {

// Supports every system, with equations of the given form.
MethodEntry Entry(const std::string& key, std::vector<MethodOption> options = {}) {
  MethodEntry entry;
  entry.key = key;
  entry.options = std::move(options);
  entry.capabilities = Everything();
  return entry;
}

class ScheduleTest : public testing::Test {
 protected:
  std::vector<ScheduledTrial> Make(int rounds, bool budgets = false) {
    plan_ = MakePlan({.problems = {"pendulum", "chainN:bodies=10", "chainN:bodies=4", "branch4",
                                   "branchN:bodies=6", "branchN:bodies=12"},
                      .methods = {"*"},
                      .integrators = {"*"},
                      .budgets = budgets},
                     methods_);
    return MakeSchedule(plan_, rounds, 1);
  }
  const Cell& CellOf(const ScheduledTrial& t) const { return plan_[t.problem].cells[t.cell].cell; }
  std::string MethodOf(const ScheduledTrial& t) const {
    return t.kind == TrialKind::kEvaluation ? plan_[t.problem].evaluated[t.method].spec
                                            : CellOf(t).method;
  }

  std::vector<MethodEntry> methods_{
      Entry("plain"), Entry("varied", {{"usual", "", "variant", true}, {"other", "", "variant"}})};
  std::vector<PlannedProblem> plan_;
};

TEST_F(ScheduleTest, TheFirstPassGoesFromSmallSystemsToOtherVariantsToLargerSystems) {
  int stage = 0;
  std::size_t bodies = 0;
  std::set<std::string> opened;  // problems whose agreement has been checked
  for (const ScheduledTrial& trial : Make(3)) {
    const PlannedProblem& problem = plan_[trial.problem];
    if (trial.kind == TrialKind::kAgreement) {
      EXPECT_TRUE(opened.insert(problem.name).second) << "once";
      continue;
    }
    if (trial.pass != Pass::kOnce) continue;
    EXPECT_TRUE(opened.count(problem.name)) << "before anything is judged or timed";
    const bool is_larger =
        problem.name == "chainN:bodies=10" || problem.name == "branchN:bodies=12";
    const int now = is_larger ? 2 : MethodOf(trial) == "varied:other" ? 1 : 0;
    EXPECT_GE(now, stage) << problem.name << " by " << MethodOf(trial);
    stage = now;
    if (is_larger) {
      EXPECT_GE(problem.bodies, bodies) << "from small to large";
      bodies = problem.bodies;
    }
  }
  EXPECT_EQ(2, stage);
  EXPECT_EQ(plan_.size(), opened.size());
}

TEST_F(ScheduleTest, TheFirstPassJudgesTimesAndEvaluatesEachMethodOnEachProblemOnce) {
  std::map<std::pair<std::string, std::string>, std::map<TrialKind, int>> count;
  for (const ScheduledTrial& trial : Make(3)) {
    if (trial.pass != Pass::kOnce || trial.kind == TrialKind::kAgreement) continue;
    ++count[{plan_[trial.problem].name, MethodOf(trial)}][trial.kind];
    if (trial.kind == TrialKind::kEvaluation) continue;
    EXPECT_EQ("dopri5", CellOf(trial).integrator);
    EXPECT_EQ(1e-8, CellOf(trial).tolerance) << "as 'solve' takes it";
  }
  EXPECT_EQ(plan_.size() * 3, count.size());
  for (const auto& [pair, kinds] : count) {
    for (TrialKind kind : {TrialKind::kAccuracy, TrialKind::kEvaluation, TrialKind::kTime})
      EXPECT_EQ(1, kinds.at(kind)) << pair.first << " by " << pair.second;
  }
}

TEST_F(ScheduleTest, LaterPassesAddCurvesThenOtherIntegratorsThenFurtherRounds) {
  int pass = 1;
  for (const ScheduledTrial& trial : Make(3)) {
    EXPECT_GE(static_cast<int>(trial.pass), pass);
    pass = static_cast<int>(trial.pass);
    if (trial.pass == Pass::kCurves) {
      EXPECT_EQ("dopri5", CellOf(trial).integrator);
    } else if (trial.pass == Pass::kIntegrators) {
      EXPECT_NE("dopri5", CellOf(trial).integrator);
    } else if (trial.pass == Pass::kDepth) {
      EXPECT_EQ(TrialKind::kTime, trial.kind);
    }
  }
  EXPECT_EQ(4, pass);
}

TEST_F(ScheduleTest, ErrorBudgetsComeLastAndOnlyOnRequest) {
  const std::vector<ScheduledTrial> without = Make(3), with = Make(3, true);
  ASSERT_GT(with.size(), without.size());
  std::set<std::array<std::string, 3>> curves;
  for (std::size_t i = 0; i < with.size(); ++i) {
    EXPECT_EQ(i >= without.size(), with[i].kind == TrialKind::kBudget) << "nothing comes later";
    if (i < without.size()) continue;
    const Cell& cell = CellOf(with[i]);
    EXPECT_TRUE(curves.insert({cell.problem, cell.method, cell.integrator}).second) << "one each";
  }
  std::set<std::array<std::string, 3>> all;
  for (const PlannedProblem& problem : plan_) {
    for (const PlannedCell& planned : problem.cells)
      all.insert({planned.cell.problem, planned.cell.method, planned.cell.integrator});
  }
  EXPECT_EQ(all, curves);
}

TEST_F(ScheduleTest, EveryCellIsJudgedOnceAndTimedInThreeProcessesThatShareItsRounds) {
  for (int rounds : {1, 2, 3, 7}) {
    std::map<std::pair<std::size_t, std::size_t>, int> judged;
    std::map<std::pair<std::size_t, std::size_t>, std::vector<int>> timed;
    std::map<std::pair<std::size_t, std::size_t>, std::set<int>> processes;
    for (const ScheduledTrial& trial : Make(rounds)) {
      const std::pair cell{trial.problem, trial.cell};
      if (trial.kind == TrialKind::kAccuracy) ++judged[cell];
      if (trial.kind != TrialKind::kTime) continue;
      EXPECT_TRUE(judged.count(cell)) << "no time without an accuracy";
      for (int round : RoundsOf(trial.process, rounds)) timed[cell].push_back(round);
      processes[cell].insert(trial.process);
    }
    std::size_t cells = 0;
    for (const PlannedProblem& problem : plan_) cells += problem.cells.size();
    ASSERT_EQ(cells, judged.size());
    ASSERT_EQ(cells, timed.size());
    for (auto& [cell, list] : timed) {
      EXPECT_EQ(1, judged.at(cell));
      std::sort(list.begin(), list.end());
      std::vector<int> all(static_cast<std::size_t>(rounds));
      for (int r = 0; r < rounds; ++r) all[static_cast<std::size_t>(r)] = r;
      EXPECT_EQ(all, list) << rounds << " rounds";
      EXPECT_EQ(static_cast<std::size_t>(std::min(rounds, 3)), processes.at(cell).size());
    }
  }
}

TEST_F(ScheduleTest, RefusalsAreRecordedBeforeAnyTrialOfTheirProblem) {
  methods_.push_back(Entry("choosy"));
  methods_.back().supports = [](const System&, const MethodOptions&) { return Verdict::No("no."); };
  std::set<std::size_t> run;
  std::size_t refused = 0;
  for (const ScheduledTrial& trial : Make(3)) {
    if (trial.kind == TrialKind::kAccuracy && MethodOf(trial) == "choosy") {
      EXPECT_FALSE(run.count(trial.problem));
      ++refused;
    } else {
      run.insert(trial.problem);
    }
  }
  EXPECT_GT(refused, plan_.size());
}

TEST(AffordableRounds, AreFewerForLongCellsButAtLeastOne) {
  EXPECT_EQ(3, AffordableRounds(0.001, 3, 60));
  EXPECT_EQ(2, AffordableRounds(1.5, 3, 60));
  EXPECT_EQ(1, AffordableRounds(50, 3, 60));
}

TEST(AffordableProcesses, AreOneForCellsThatTakeLongToPrepare) {
  EXPECT_EQ(3, AffordableProcesses(0.1, 60));
  EXPECT_EQ(1, AffordableProcesses(16, 60));
  EXPECT_EQ((std::vector<int>{0, 1, 2}), RoundsOf(0, 3, 1));
  EXPECT_TRUE(RoundsOf(1, 3, 1).empty());
  EXPECT_TRUE(RoundsOf(2, 3, 2).empty());
  EXPECT_EQ((std::vector<int>{1, 2}), RoundsOf(1, 3, 2));
}

}  // namespace
}  // namespace mbsbench
