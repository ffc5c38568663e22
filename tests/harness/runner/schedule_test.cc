// The order of a run.
#include "harness/runner/plan/schedule.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <tuple>

#include "tests/support/everything.h"

namespace mbsbench {
namespace {

// Supports every system, with equations of the given form.
MethodEntry Entry(const std::string& key, std::vector<MethodOption> options = {}) {
  MethodEntry entry = Taking(key);
  entry.options = std::move(options);
  return entry;
}

class ScheduleTest : public testing::Test {
 protected:
  // Two of the problems are headline problems.
  std::vector<ScheduledStep> Make(int rounds, Selection selection = {}) {
    selection.problems = {"pendulum",         "chainN:bodies=10", "chainN:bodies=4",
                          "branchN:bodies=6", "dpend18",          "heavytop"};
    selection.methods = {"*"};
    selection.integrators = {"*"};
    plan_ = MakePlan(selection, methods_);
    for (PlannedProblem& problem : plan_)
      problem.is_headline = problem.name == "pendulum" || problem.name == "branchN:bodies=6";
    return MakeSchedule(plan_, rounds, kLooks);
  }
  const PlannedCurve& CurveOf(const ScheduledStep& step) const {
    return plan_[step.problem].curves[step.curve];
  }
  bool IsHeadline(const ScheduledStep& step) const { return plan_[step.problem].is_headline; }

  std::vector<MethodEntry> methods_{
      Entry("plain"), Entry("varied", {{"usual", "", "variant", true}, {"other", "", "variant"}})};
  std::vector<PlannedProblem> plan_;
};

TEST_F(ScheduleTest, PassesGoFromOneTargetOnTheHeadlineProblemsToTheRest) {
  int pass = 1;
  std::set<Pass> passes;
  for (const ScheduledStep& step : Make(3)) {
    EXPECT_GE(static_cast<int>(step.pass), pass);
    pass = static_cast<int>(step.pass);
    passes.insert(step.pass);
    if (step.kind != StepKind::kSearch) continue;
    const bool leads =
        CurveOf(step).cell.integrator == "dopri5" && CurveOf(step).cell.method != "varied:other";
    switch (step.pass) {
      case Pass::kHeadline: EXPECT_TRUE(IsHeadline(step) && leads && step.target == 1e-6); break;
      case Pass::kTargets: EXPECT_TRUE(IsHeadline(step) && leads && step.target != 1e-6); break;
      case Pass::kVariants: EXPECT_TRUE(IsHeadline(step) && !leads); break;
      case Pass::kRest: EXPECT_FALSE(IsHeadline(step)); break;
      case Pass::kEvaluations:
      case Pass::kFamilies:
      case Pass::kRounds:
      case Pass::kLadder: ADD_FAILURE() << "no search there";
    }
  }
  EXPECT_EQ(static_cast<std::size_t>(kPasses) - 1, passes.size()) << "all but the ladder";
}

TEST_F(ScheduleTest, EveryCurveIsSearchedOnceForEachTarget) {
  std::map<std::tuple<std::size_t, std::size_t, double>, int> searched;
  for (const ScheduledStep& step : Make(3)) {
    if (step.kind == StepKind::kSearch) ++searched[{step.problem, step.curve, step.target}];
  }
  std::size_t items = 0;
  for (const PlannedProblem& problem : plan_) items += static_cast<std::size_t>(problem.Items());
  EXPECT_EQ(items, searched.size());
  for (const auto& [item, times] : searched) EXPECT_EQ(1, times);
}

TEST_F(ScheduleTest, AMethodWithoutTimesIsSearchedAndNotTimed) {
  methods_[0].limits = {
      {.promises = {"times"}, .bound = 0, .reason = "they are of another process"}};
  std::set<std::string> searched, timed;
  for (const ScheduledStep& step : Make(3)) {
    if (step.kind == StepKind::kSearch) searched.insert(CurveOf(step).cell.method);
    if (step.kind == StepKind::kEvaluation)
      timed.insert(plan_[step.problem].evaluated[step.method].spec);
  }
  EXPECT_TRUE(searched.contains("plain"));
  EXPECT_EQ((std::set<std::string>{"varied:usual", "varied:other"}), timed);
}

TEST_F(ScheduleTest, OtherFamiliesHaveOneCellOfTheirSmallestInstanceEarly) {
  std::set<std::pair<std::string, std::string>> cells;
  for (const ScheduledStep& step : Make(3)) {
    if (step.pass != Pass::kFamilies || step.kind != StepKind::kCell) continue;
    cells.emplace(plan_[step.problem].name, CurveOf(step).cell.method);
    EXPECT_EQ(1e-6, step.setting);
  }
  std::set<std::pair<std::string, std::string>> expected;
  for (const char* problem : {"chainN:bodies=4", "dpend18", "heavytop"}) {
    for (const char* method : {"plain", "varied:usual"}) expected.emplace(problem, method);
  }
  EXPECT_EQ(expected, cells) << "not the longer chain, and not the headline families";
}

TEST_F(ScheduleTest, RoundsFollowTheSearchesOfTheirTargetAndGoOnAtTheLooks) {
  std::map<std::pair<std::size_t, double>, std::vector<int>> looks;
  std::set<std::pair<std::size_t, double>> searched;
  for (const ScheduledStep& step : Make(3)) {
    if (step.kind == StepKind::kSearch) searched.emplace(step.problem, step.target);
    if (step.kind != StepKind::kRounds) continue;
    EXPECT_TRUE(searched.contains({step.problem, step.target}));
    std::vector<int>& mine = looks[{step.problem, step.target}];
    if (mine.empty() || mine.back() < step.rounds) mine.push_back(step.rounds);
  }
  for (const auto& [item, mine] : looks) {
    const auto most = static_cast<std::ptrdiff_t>(plan_[item.first].is_headline ? 4 : 2);
    EXPECT_EQ(std::vector<int>(kLooks.begin(), kLooks.begin() + most), mine);
  }
  EXPECT_EQ(searched.size(), looks.size());
  for (const ScheduledStep& step : Make(0)) {
    EXPECT_TRUE(step.kind != StepKind::kRounds && step.kind != StepKind::kEvaluation)
        << "nothing is timed";
  }
}

TEST_F(ScheduleTest, AgreementIsCheckedOnceAndBeforeCellsUnlessTheSystemIsLargeAndOfTheHeadline) {
  std::set<std::size_t> opened;
  for (const ScheduledStep& step : Make(3)) {
    const PlannedProblem& problem = plan_[step.problem];
    if (step.kind == StepKind::kAgreement) {
      EXPECT_TRUE(opened.insert(step.problem).second);
      EXPECT_TRUE(!problem.is_headline || step.pass <= Pass::kFamilies);
    } else if (problem.bodies < 100 || step.pass > Pass::kFamilies) {
      EXPECT_TRUE(opened.contains(step.problem) || step.kind == StepKind::kRefusal);
    }
  }
  EXPECT_EQ(plan_.size(), opened.size());
}

TEST_F(ScheduleTest, TheLadderComesLastOnRequestWithItsRoundsAndThenErrorBudgets) {
  const std::vector<ScheduledStep> steps = Make(3, {.ladder = true, .budgets = true});
  std::map<std::size_t, std::vector<int>> rounds;
  std::set<std::pair<std::size_t, std::size_t>> split;
  std::size_t cells = 0, planned = 0, curves = 0;
  for (const ScheduledStep& step : steps) {
    if (step.pass != Pass::kLadder) continue;
    if (step.kind == StepKind::kCell) ++cells;
    if (step.kind == StepKind::kLadderRound) rounds[step.problem].push_back(step.rounds);
    if (step.kind == StepKind::kBudget) {
      EXPECT_TRUE(split.emplace(step.problem, step.curve).second) << "one for each curve";
    } else {
      EXPECT_TRUE(split.empty()) << "nothing comes later";
    }
  }
  for (const PlannedProblem& problem : plan_) {
    curves += problem.curves.size();
    for (const PlannedCurve& curve : problem.curves) planned += curve.ladder.size();
  }
  EXPECT_EQ(planned, cells);
  EXPECT_EQ(curves, split.size());
  for (const auto& [problem, mine] : rounds) EXPECT_EQ((std::vector<int>{0, 1, 2}), mine);
}

TEST_F(ScheduleTest, ARefusedCurveIsRecordedOnceBeforeAnyTrialOfItsProblem) {
  methods_.push_back(Entry("choosy"));
  methods_.back().supports = [](const System&, const MethodOptions&) { return Verdict::No("no."); };
  std::set<std::size_t> run;
  std::size_t refused = 0, curves = 0;
  for (const ScheduledStep& step : Make(3)) {
    if (step.kind == StepKind::kRefusal) {
      EXPECT_EQ("choosy", CurveOf(step).cell.method);
      EXPECT_FALSE(run.count(step.problem));
      ++refused;
    } else {
      run.insert(step.problem);
      EXPECT_TRUE(step.kind != StepKind::kSearch || CurveOf(step).cell.method != "choosy");
    }
  }
  for (const PlannedProblem& problem : plan_) {
    curves += static_cast<std::size_t>(std::ranges::count_if(
        problem.curves,
        [](const PlannedCurve& curve) { return curve.without_running.outcome != Outcome::kOk; }));
  }
  EXPECT_EQ(curves, refused);
  EXPECT_GT(refused, plan_.size());
}

TEST(AffordableRounds, AreFewerForLongCellsButAtLeastOne) {
  EXPECT_EQ(3, AffordableRounds(0.001, 3, 60));
  EXPECT_EQ(2, AffordableRounds(2.5, 3, 60));
  EXPECT_EQ(1, AffordableRounds(50, 3, 60));
}

}  // namespace
}  // namespace mbsbench
