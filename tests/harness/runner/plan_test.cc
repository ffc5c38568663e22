#include "harness/runner/plan/plan.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "problems/catalog/catalog.h"
#include "problems/model/error.h"
#include "tests/harness/toys/toy_methods.h"
#include "tests/support/everything.h"

namespace mbsbench {
namespace {

using testing::Contains;
using testing::HasSubstr;

std::string SelectionRefusal(const Selection& selection) {
  try {
    MakePlan(selection, ToyMethods());
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(Plan, GlobsSelectListedInstancesAndPlainNamesSelectThemselves) {
  const std::vector<MethodEntry> methods = ToyMethods();
  std::set<std::string> names;
  for (const PlannedProblem& p :
       MakePlan({.problems = {"branch*"}, .methods = {"toy-twin"}}, methods))
    names.insert(p.name);
  EXPECT_THAT(names, Contains("branch4"));
  EXPECT_THAT(names, Contains("branchN:bodies=500"));
  const auto bare = MakePlan(
      {.problems = {"branchN", "branchN:bodies=7", "branchN:bodies=6"}, .methods = {"toy-twin"}},
      methods);
  ASSERT_EQ(2u, bare.size());
  EXPECT_EQ("branchN:bodies=6", bare[0].name);
  EXPECT_EQ("branchN:bodies=7", bare[1].name);
}

TEST(Plan, UnsupportedPairsStayInThePlanWithTheirReason) {
  const std::vector<MethodEntry> methods = ToyMethods();
  const auto plan = MakePlan({.problems = {"branch4"}, .methods = {"toy-twin"}}, methods);
  ASSERT_FALSE(plan.at(0).curves.empty());
  for (const PlannedCurve& curve : plan[0].curves) {
    EXPECT_EQ(Outcome::kUnsupported, curve.without_running.outcome);
    EXPECT_THAT(curve.without_running.reason, HasSubstr("joint 'hinge_8_1' is a ball joint"));
  }
}

TEST(Plan, ErrorsAreSplitInAFullRunOrOnRequestOnly) {
  const auto split = [](Selection selection) {
    std::map<std::string, double> usual;  // by integrator; of curves with tolerances
    selection.methods = {"toy-twin"};
    for (const PlannedProblem& problem : MakePlan(selection, ToyMethods())) {
      for (const PlannedCurve& curve : problem.curves) {
        if (curve.is_split && !curve.by_steps) usual[curve.cell.integrator] = curve.usual;
      }
    }
    return usual;
  };
  EXPECT_TRUE(split({.problems = {"pendulum"}, .tier = Tier::kQuick}).empty());
  EXPECT_TRUE(split({.problems = {"pendulum"}}).empty());
  EXPECT_FALSE(split({.problems = {"pendulum"}, .budgets = true}).empty());
  const auto full = split({.problems = {"pendulum"}, .tier = Tier::kFull});
  EXPECT_GE(full.size(), 3u);
  for (const auto& [integrator, usual] : full)
    EXPECT_DOUBLE_EQ(1e-8, usual) << "as 'solve' takes it";
  EXPECT_TRUE(split({.problems = {"branch4"}, .tier = Tier::kFull}).empty()) << "unsupported";
}

TEST(Plan, ARunSearchesForTargetsAndOnlyAQuickFullOrLadderRunHasALadder) {
  const auto curves = [](Selection selection) {
    selection.problems = {"pendulum"};
    selection.methods = {"toy-twin"};
    return MakePlan(selection, ToyMethods()).at(0).curves;
  };
  for (const PlannedCurve& curve : curves({})) {
    EXPECT_TRUE(curve.ladder.empty());
    EXPECT_GT(curve.grid.settings.size(), 20u);
  }
  for (const PlannedCurve& curve : curves({.ladder = true})) {
    EXPECT_GE(curve.ladder.size(), 4u);
    EXPECT_FALSE(curve.grid.settings.empty());
    for (double setting : curve.ladder)
      EXPECT_TRUE(curve.by_steps ||
                  setting == curve.grid.settings[NearestSetting(curve.grid.settings, setting)])
          << "a cell of the ladder is one that a search may ask for";
  }
  for (const PlannedCurve& curve : curves({.tier = Tier::kQuick})) {
    EXPECT_TRUE(curve.grid.settings.empty());
    if (!curve.by_steps) {
      EXPECT_EQ((std::vector<double>{1e-5, 1e-8, 1e-11}), curve.ladder);
    }
  }
  int by_steps = 0, by_tolerances = 0;
  for (const PlannedCurve& curve : curves({.tier = Tier::kFull}))
    ++(curve.by_steps ? by_steps : by_tolerances);
  EXPECT_GT(by_steps, 1)
      << "the full run: by tolerances and by steps, where an integrator has both";
  EXPECT_GT(by_tolerances, 1);
}

TEST(Plan, TargetsBeginWithTheMiddleOneAndThoseTheReferenceDoesNotAllowAreLeftOut) {
  const auto plan = [](std::vector<double> targets) {
    return MakePlan({.problems = {"pendulum"}, .methods = {"toy-twin"}, .targets = targets},
                    ToyMethods())
        .at(0);
  };
  EXPECT_EQ((std::vector<double>{1e-6, 1e-3, 1e-9}), plan({1e-3, 1e-6, 1e-9}).targets);
  EXPECT_EQ("", plan({1e-3}).why_no_targets);
  const PlannedProblem sensitive =
      MakePlan({.problems = {"kapitza"}, .methods = {"any"}, .targets = {1e-3, 1e-12}},
               {Taking("any")})
          .at(0);
  EXPECT_EQ((std::vector<double>{1e-3}), sensitive.targets);
  EXPECT_THAT(sensitive.why_no_targets, HasSubstr("1e-12 is not searched for"));
}

TEST(Plan, ShowpiecesSearchOnTheUsualCurveAloneAndEachCurveOfFixedStepsHasAllOfItsProblem) {
  const PlannedProblem plan =
      MakePlan({.problems = {"caraxis"}, .methods = {"any"}, .ladder = true}, {Taking("any")})
          .at(0);
  EXPECT_EQ(plan.curves.size(), 5u);
  for (const PlannedCurve& curve : plan.curves) {
    const bool is_usual = curve.cell.integrator == "dopri5";
    EXPECT_EQ(curve.grid.settings.empty(), curve.by_steps || !is_usual) << curve.cell.integrator;
    EXPECT_EQ(curve.leads, is_usual && !curve.by_steps);
    EXPECT_EQ(curve.only_shows_order, is_usual && curve.by_steps);
    EXPECT_GE(curve.ladder.size(), 6u) << curve.cell.integrator;
    if (!curve.by_steps) continue;
    for (double step : MakeProblem("caraxis").fixed_steps)
      EXPECT_EQ(1, std::ranges::count(curve.ladder, step)) << curve.cell.integrator;
  }
}

TEST(Plan, TimeSteppersWithStepControlShowTheirOrderByFixedStepsInADefaultRun) {
  MethodEntry stepper = Taking("any", 1, Form::kTimeStepper);
  stepper.own_integration = OwnIntegration{"own", true, true, 2};
  const PlannedProblem plan = MakePlan({.problems = {"pendulum"}}, {stepper}).at(0);
  ASSERT_EQ(plan.curves.size(), 2u);
  EXPECT_TRUE(plan.curves[0].leads);
  EXPECT_FALSE(plan.curves[0].by_steps);
  EXPECT_TRUE(plan.curves[1].only_shows_order);
  EXPECT_GE(plan.curves[1].ladder.size(), 5u);
  EXPECT_TRUE(plan.curves[1].grid.settings.empty());
}

TEST(Plan, StepOfThePapersRunIsAlwaysIncluded) {
  for (Tier tier : {Tier::kQuick, Tier::kDefault, Tier::kFull}) {
    const std::vector<MethodEntry> methods = ToyMethods();
    const auto plan = MakePlan({.problems = {"pendulum"},
                                .methods = {"toy-twin"},
                                .integrators = {"rk4"},
                                .tier = tier,
                                .ladder = true},
                               methods);
    EXPECT_EQ(
        1, std::ranges::count(plan.at(0).curves.at(0).ladder, MakeProblem("pendulum").papers_step));
  }
}

TEST(Plan, CellsThatAreNeverRunAreListedInTheRunOfTheOtherCells) {
  MethodEntry method = Taking("flies");
  const auto skipped = [&method](const std::string& problem) {
    std::set<std::string> integrators;
    const Selection selection{.problems = {problem}, .integrators = {"cvode-*", "rk4"}};
    for (const PlannedProblem& planned : MakePlan(selection, {method})) {
      for (const PlannedCurve& curve : planned.curves) {
        if (curve.without_running.outcome == Outcome::kSkipped)
          integrators.insert(curve.cell.integrator);
      }
    }
    return integrators;
  };
  EXPECT_EQ((std::set<std::string>{"cvode-adams", "cvode-bdf"}), skipped("rocket:links=4"));
  EXPECT_THROW(skipped("rocket:links=2"), ModelError) << "all of it belongs to the full run";
}

TEST(Plan, EvaluationsOfLongChainsAreInTheDefaultRunThoughTheirCellsAreNot) {
  const MethodEntry linear = Taking("linear"), cubic = Taking("cubic", 3);
  MethodEntry choosy = Taking("choosy");
  choosy.supports = [](const System&, const MethodOptions&) { return Verdict::No("too long."); };
  const auto plan = MakePlan({.problems = {"chainN3d:bodies=10", "chainN3d:bodies=10000"}},
                             {linear, cubic, choosy});
  ASSERT_EQ(2u, plan.size());
  EXPECT_FALSE(plan[0].curves.empty());
  EXPECT_EQ(2u, plan[0].evaluated.size());
  EXPECT_TRUE(plan[1].curves.empty()) << "they belong to the full run";
  ASSERT_EQ(1u, plan[1].evaluated.size());
  EXPECT_EQ("linear", plan[1].evaluated[0].spec);
  ASSERT_EQ(2u, plan[1].not_evaluated.size()) << "no method is left out silently";
  EXPECT_EQ("cubic", plan[1].not_evaluated[0].first);
  EXPECT_EQ(Outcome::kSkipped, plan[1].not_evaluated[0].second.outcome);
  EXPECT_EQ("too long.", plan[1].not_evaluated[1].second.reason);
  EXPECT_THROW(MakePlan({.problems = {"chainN3d:bodies=10000"}, .tier = Tier::kQuick}, {linear}),
               ModelError);
}

TEST(Plan, TheCostExponentOfAVariantDecidesUpToWhichSizeItIsEvaluated) {
  MethodEntry method = Taking("m", 3);
  const std::string group(kVariantGroup);
  method.options = {{"cubic", "", group, true},
                    {"square", "", group, false, {}, {}, {}, 2},
                    {"linear", "", group, false, {}, {}, {}, 1}};
  const auto evaluated = [&method](const std::string& problem) {
    std::set<std::string> specs;
    for (const PlannedProblem& planned : MakePlan({.problems = {problem}}, {method})) {
      for (const MethodChoice& choice : planned.evaluated) specs.insert(choice.spec);
    }
    return specs;
  };
  EXPECT_EQ((std::set<std::string>{"m:cubic", "m:square", "m:linear"}),
            evaluated("chainN3d:bodies=300"));
  EXPECT_EQ((std::set<std::string>{"m:square", "m:linear"}), evaluated("chainN3d:bodies=10000"));
  EXPECT_EQ((std::set<std::string>{"m:linear"}), evaluated("chainN3d:bodies=100000"));
}

TEST(Plan, EnginesAreEvaluatedOnLargeSystemsOnRequestOrInTheFullRun) {
  MethodEntry ours = Taking("ours");
  MethodEntry engine = ours;
  engine.key = "engine";
  engine.origin = Origin::kEngine;
  const auto evaluated = [&](const std::string& problem, Tier tier, bool evaluations_only) {
    std::set<std::string> specs;
    for (const PlannedProblem& planned :
         MakePlan({.problems = {problem}, .tier = tier, .evaluations_only = evaluations_only},
                  {ours, engine})) {
      for (const MethodChoice& method : planned.evaluated) specs.insert(method.spec);
    }
    return specs;
  };
  const std::set<std::string> both{"engine", "ours"}, one{"ours"};
  EXPECT_EQ(both, evaluated("chainN3d:bodies=200", Tier::kDefault, false));
  EXPECT_EQ(one, evaluated("chainN3d:bodies=300", Tier::kDefault, false));
  EXPECT_EQ(one, evaluated("chainN3d:bodies=1000", Tier::kDefault, false));
  EXPECT_EQ(both, evaluated("chainN3d:bodies=1000", Tier::kDefault, true));
  EXPECT_EQ(one, evaluated("chainN3d:bodies=3000", Tier::kDefault, true));
  EXPECT_EQ(both, evaluated("chainN3d:bodies=1000", Tier::kFull, false));
}

TEST(Plan, ResidualsOfVeryLargeSystemsNeedTheFullRunIfAVariantGivesAccelerations) {
  MethodEntry both = Taking("both", 1, Form::kDae);
  both.options = {{"residuals", "", std::string(kVariantGroup), true},
                  {"accelerations", "", std::string(kVariantGroup), false, Form::kOde}};
  MethodEntry residuals = both;
  residuals.key = "residuals";
  residuals.options.clear();
  const auto evaluated = [&](const std::string& problem, Tier tier) {
    std::set<std::string> specs;
    for (const PlannedProblem& planned :
         MakePlan({.problems = {problem}, .tier = tier}, {both, residuals})) {
      for (const MethodChoice& method : planned.evaluated) specs.insert(method.spec);
    }
    return specs;
  };
  const std::set<std::string> all{"both:residuals", "both:accelerations", "residuals"},
      some{"both:accelerations", "residuals"};
  EXPECT_EQ(all, evaluated("chainN3d:bodies=10000", Tier::kDefault));
  EXPECT_EQ(some, evaluated("chainN3d:bodies=100000", Tier::kDefault));
  EXPECT_EQ(all, evaluated("chainN3d:bodies=100000", Tier::kFull));
}

TEST(Plan, AnEngineIsAMethodWithThatOriginNotOneWithItsOwnIntegrator) {
  MethodEntry engine = Taking("engine");
  engine.origin = Origin::kEngine;
  MethodEntry ours = engine;
  ours.key = "ours";
  ours.origin = Origin::kOurs;
  ours.own_integration = OwnIntegration{"a scheme of its own", false, true, 4};
  std::map<std::string, std::set<std::string>> integrators;
  engine.own_integration = ours.own_integration;
  for (const PlannedProblem& planned : MakePlan({.problems = {"pendulum"}}, {engine, ours})) {
    for (const PlannedCurve& curve : planned.curves)
      integrators[curve.cell.method].insert(curve.cell.integrator);
  }
  EXPECT_EQ((std::set<std::string>{"dopri5", "own"}), integrators["engine"]);
  EXPECT_EQ(std::set<std::string>{"dopri5"}, integrators["ours"]);
}

TEST(Plan, EvaluationsOnlyAreRunForOneStabilisation) {
  MethodEntry method = Taking("loops");
  method.options = {{"projected", "", "stabilisation", true}, {"none", "", "stabilisation"}};
  const std::string ladder = "ladder:bodies=50,loops=10";
  const auto all = MakePlan({.problems = {ladder}}, {method});
  ASSERT_EQ(1u, all.size());
  ASSERT_EQ(1u, all[0].evaluated.size());
  EXPECT_EQ("loops", all[0].evaluated[0].spec);
  const auto alone = MakePlan({.problems = {ladder}, .methods = {"loops:none"}}, {method});
  ASSERT_EQ(1u, alone[0].evaluated.size());
  EXPECT_EQ("loops:none", alone[0].evaluated[0].spec);
}

TEST(Plan, EmptySelectionsAreRefusedWithAMessage) {
  EXPECT_THAT(SelectionRefusal({.problems = {"pendulm"}}), HasSubstr("Did you mean 'pendulum'"));
  EXPECT_THAT(SelectionRefusal({.problems = {"pendulm*"}}),
              HasSubstr("no problem matches 'pendulm*'"));
  EXPECT_THAT(SelectionRefusal({.methods = {"toy-twn"}}), HasSubstr("Did you mean 'toy-twin'"));
  EXPECT_THAT(SelectionRefusal({.integrators = {"rk5"}}),
              HasSubstr("there is no integrator 'rk5'"));
  EXPECT_THAT(SelectionRefusal({.integrators = {"ida"}}), HasSubstr("nothing is left to run"));
  EXPECT_THAT(SelectionRefusal({.problems = {"branchN:bodies=33336"}, .tier = Tier::kQuick}),
              HasSubstr("belong to a larger run"));
}

}  // namespace
}  // namespace mbsbench
