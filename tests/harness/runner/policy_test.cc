#include "harness/runner/plan/policy.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <iterator>
#include <regex>
#include <set>

#include "harness/runner/plan/quick_cells.h"
#include "problems/catalog/catalog.h"
#include "tests/support/everything.h"

namespace mbsbench {
namespace {

using testing::AllOf;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::UnorderedElementsAre;

std::vector<const IntegratorEntry*> EveryIntegrator() {
  std::vector<const IntegratorEntry*> all;
  for (const IntegratorEntry& entry : AllIntegrators()) all.push_back(&entry);
  return all;
}

MethodEntry Engine(double cost_exponent) {
  MethodEntry entry = Taking("engine", cost_exponent);
  entry.origin = Origin::kEngine;
  entry.own_integration = OwnIntegration{"its own", true, false, 4};
  return entry;
}

// The answer on a problem of the catalogue for one of the entry's variants, all of which are chosen.
MethodPolicy Answer(const MethodEntry& entry, const std::string& spec, const std::string& name,
                    const Selection& selection = {}, bool is_users = false) {
  const std::vector<MethodEntry> methods{entry};
  std::vector<MethodChoice> chosen;
  for (const MethodChoice& variant : VariantsOf(methods[0])) {
    chosen.push_back(variant);
    for (const MethodChoice& other : OtherStabilisationsOf(variant)) chosen.push_back(other);
  }
  const auto integrators = EveryIntegrator();
  const Problem problem = MakeProblem(name);
  return ProblemPolicy(problem, is_users, chosen, integrators, selection)
      .Of(ChooseMethod(spec, methods));
}

// The integrators that run.
std::vector<std::string> Runs(const MethodPolicy& policy) {
  std::vector<std::string> keys;
  for (const ChosenCurve& curve : policy.curves)
    if (curve.without_running.outcome == Outcome::kOk) keys.push_back(curve.integrator.key);
  return keys;
}

// Why the default run leaves out the motion; empty: it does not.
std::string Skipped(const MethodPolicy& policy) {
  for (const ChosenCurve& curve : policy.curves)
    if (curve.without_running.outcome == Outcome::kSkipped) return curve.without_running.reason;
  return "";
}

MethodEntry WithVariants() {
  MethodEntry entry = Taking("m");
  entry.options = {{"usual", "", std::string(kVariantGroup), true},
                   {"paper", "", std::string(kVariantGroup)},
                   {"projected", "", "stabilisation", true},
                   {"none", "", "stabilisation"}};
  return entry;
}

TEST(Policy, SkipsAMethodWithMoreThreadsThanProcessors) {
  MethodEntry entry = Taking("m");
  entry.options.push_back({.name = "crowd", .meaning = "", .group = "threads", .threads = 100'000});
  const MethodPolicy policy =
      Answer(entry, "m:crowd", "pendulum", {.methods = {"*"}, .tier = Tier::kFull});
  EXPECT_THAT(Runs(policy), IsEmpty());
  EXPECT_THAT(Skipped(policy), HasSubstr("100000 threads"));
  EXPECT_EQ(policy.evaluation.outcome, Outcome::kSkipped);
}

TEST(Policy, DefaultRunTakesOneVariantWithItsDefaultIntegrator) {
  const MethodEntry entry = WithVariants();
  EXPECT_THAT(Runs(Answer(entry, "m:usual", "bricard")), ElementsAre("dopri5"));
  EXPECT_THAT(Runs(Answer(entry, "m:paper", "bricard")), IsEmpty());
  EXPECT_THAT(Runs(Answer(entry, "m:usual,none", "bricard")), IsEmpty());
  EXPECT_TRUE(Answer(entry, "m:paper", "bricard").is_evaluated) << "every variant is evaluated";
  EXPECT_GT(Runs(Answer(entry, "m:paper", "bricard", {.tier = Tier::kFull})).size(), 3u);
}

TEST(Policy, LaddersOfTheCommunitysProblemsCompareVariantsAndIntegrators) {
  const MethodEntry entry = WithVariants();
  const Selection ladder{.ladder = true};
  EXPECT_THAT(Runs(Answer(entry, "m:usual", "andrews", ladder)),
              UnorderedElementsAre("rk4", "dopri5", "fehlberg8"))
      << "no multistep integrator projects onto loops";
  EXPECT_THAT(Runs(Answer(entry, "m:paper", "andrews", ladder)), ElementsAre("dopri5"));
  EXPECT_THAT(Runs(Answer(entry, "m:usual,none", "andrews", ladder)), ElementsAre("dopri5"));
  EXPECT_THAT(Runs(Answer(entry, "m:usual", "andrews")), ElementsAre("dopri5"));
  EXPECT_THAT(Runs(Answer(entry, "m:paper", "bricard", ladder)), IsEmpty());
}

TEST(Policy, CurvesThatOnlyALadderShowsAreNotSearchedAndFixedStepsShowTheOrderOfTheUsualOne) {
  const MethodEntry entry = WithVariants();
  const auto are = [&](const char* spec, const char* problem, bool ChosenCurve::*flag) {
    std::vector<std::string> keys;
    for (const ChosenCurve& curve : Answer(entry, spec, problem, {.ladder = true}).curves)
      if (curve.*flag && curve.without_running.outcome == Outcome::kOk)
        keys.push_back(curve.integrator.key);
    return keys;
  };
  EXPECT_THAT(are("m:usual", "andrews", &ChosenCurve::only_in_ladder),
              UnorderedElementsAre("rk4", "fehlberg8"));
  EXPECT_THAT(are("m:paper", "andrews", &ChosenCurve::only_in_ladder), ElementsAre("dopri5"));
  EXPECT_THAT(are("m:usual", "bricard", &ChosenCurve::only_in_ladder), IsEmpty());
  EXPECT_THAT(are("m:usual", "andrews", &ChosenCurve::has_steps), ElementsAre("dopri5"));
  EXPECT_THAT(are("m:paper", "andrews", &ChosenCurve::has_steps), IsEmpty());
  EXPECT_THAT(are("m:usual", "bricard", &ChosenCurve::has_steps), IsEmpty());
}

TEST(Policy, NamedMethodsAndIntegratorsAreInTheDefaultRun) {
  const MethodEntry entry = WithVariants();
  const Selection methods{.methods = {"*"}}, integrators{.integrators = {"*"}};
  EXPECT_THAT(Runs(Answer(entry, "m:paper", "bricard", methods)), ElementsAre("dopri5"));
  EXPECT_THAT(Runs(Answer(entry, "m:usual,none", "bricard", methods)), ElementsAre("dopri5"));
  EXPECT_GT(Runs(Answer(entry, "m:usual", "tree12", integrators)).size(), 3u);
}

TEST(Policy, VariantThatTakesTheProblemLeadsWhereTheDefaultOneRefusesIt) {
  MethodEntry entry = WithVariants();
  entry.supports = [](const System&, const MethodOptions& options) {
    return Has(options, "usual") ? Verdict::No("no.") : Verdict{};
  };
  EXPECT_THAT(Runs(Answer(entry, "m:paper", "tree12")), ElementsAre("dopri5"));
  EXPECT_FALSE(Answer(entry, "m:usual", "tree12").curves.size() > 0);
  entry.supports = [](const System&, const MethodOptions&) { return Verdict::No("never."); };
  const MethodPolicy refused = Answer(entry, "m:usual", "tree12");
  ASSERT_EQ(1u, refused.curves.size());
  EXPECT_EQ("never.", refused.curves[0].without_running.reason);
}

TEST(Policy, OneChoiceLeadsItsMethodTheDefaultOneOrTheFirstThatIsChosen) {
  const std::vector<MethodEntry> methods{WithVariants()};
  const auto integrators = EveryIntegrator();
  const Problem problem = MakeProblem("bricard");
  const Selection selection{.methods = {"*"}};
  const auto leaders = [&](const std::vector<std::string>& specs) {
    std::vector<MethodChoice> chosen;
    for (const std::string& spec : specs) chosen.push_back(ChooseMethod(spec, methods));
    ProblemPolicy policy(problem, false, chosen, integrators, selection);
    std::vector<std::string> leading;
    for (const MethodChoice& choice : chosen) {
      if (policy.Of(choice).leads) leading.push_back(choice.spec);
    }
    return leading;
  };
  EXPECT_THAT(leaders({"m:paper", "m:usual,none", "m:usual"}), ElementsAre("m:usual"));
  EXPECT_THAT(leaders({"m:paper,none", "m:paper"}), ElementsAre("m:paper"));
  EXPECT_THAT(leaders({"m:usual,none"}), ElementsAre("m:usual,none"));
}

TEST(Policy, StabilisationsAreComparedOnTheDriftProblemOnly) {
  EXPECT_THAT(Runs(Answer(WithVariants(), "m:usual,none", "fourbar")), ElementsAre("dopri5"));
  EXPECT_FALSE(Answer(WithVariants(), "m:usual,none", "tree12").is_in_run()) << "no loops";
}

TEST(Policy, CostExponentDecidesUpToWhichSizeMotionsAreInTheDefaultRun) {
  EXPECT_EQ("", Skipped(Answer(Taking("m", 3), "m", "branchN:bodies=24")));
  EXPECT_THAT(Skipped(Answer(Taking("m", 3), "m", "branchN:bodies=100")),
              AllOf(HasSubstr("power 3"), HasSubstr("60 bodies"), HasSubstr("full run only")));
  EXPECT_EQ("", Skipped(Answer(Taking("m", 2), "m", "branchN:bodies=100")));
  EXPECT_THAT(Skipped(Answer(Taking("m", 2), "m", "branchN:bodies=500")), HasSubstr("464 bodies"));
  EXPECT_THAT(Runs(Answer(Taking("m"), "m", "branchN:bodies=500")), ElementsAre("dopri5"));
}

TEST(Policy, EnginesAndTimeStepsHaveLimitsOfTheirOwn) {
  EXPECT_THAT(Runs(Answer(Engine(1), "engine", "branchN:bodies=100")),
              ElementsAre("dopri5", "own"));
  EXPECT_THAT(Skipped(Answer(Engine(1), "engine", "branchN:bodies=500")), HasSubstr("250 bodies"));
  EXPECT_THAT(Skipped(Answer(Engine(3), "engine", "branchN:bodies=100")), HasSubstr("60 bodies"));
  const MethodEntry stepper = Taking("m", 1, Form::kTimeStepper);
  EXPECT_THAT(Runs(Answer(stepper, "m", "tree12")), ElementsAre("own"));
  EXPECT_THAT(Runs(Answer(stepper, "m", "branchN:bodies=500")), ElementsAre("own"));
  MethodEntry of_fixed_steps = stepper;
  of_fixed_steps.own_integration = OwnIntegration{"its own", true, false, 2};
  EXPECT_THAT(Runs(Answer(of_fixed_steps, "m", "branchN:bodies=500")), ElementsAre("own"))
      << "it shows what many bodies cost";
  for (const char* name : {"mixed250", "branchN:bodies=24"})
    EXPECT_THAT(Skipped(Answer(of_fixed_steps, "m", name)), HasSubstr("12 bodies")) << name;
  EXPECT_THAT(Skipped(Answer(stepper, "m", "wishbone:tyre=10")), HasSubstr("further problems"));
  EXPECT_THAT(Runs(Answer(stepper, "m", "wishbone:tyre=100")), ElementsAre("own")) << "it is stiff";
  EXPECT_THAT(Runs(Answer(stepper, "m", "heavytop")), ElementsAre("own")) << "a single body";
  EXPECT_THAT(Runs(Answer(stepper, "m", "wishbone:tyre=10", {.methods = {"*"}})),
              ElementsAre("own"));
  const MethodPolicy quick = Answer(Engine(1), "engine", "pendulum", {.tier = Tier::kQuick});
  EXPECT_TRUE(quick.curves.empty() && quick.is_evaluated);
}

TEST(Policy, AMethodWithoutTimesIsNotInTheQuickRun) {
  MethodEntry engine = Engine(1);
  engine.limits = {{.promises = {"times"}, .bound = 0, .reason = "they are of another process"}};
  EXPECT_FALSE(Answer(engine, "engine", "pendulum", {.tier = Tier::kQuick}).is_in_run());
  EXPECT_THAT(Runs(Answer(engine, "engine", "pendulum")), ElementsAre("dopri5", "own"));
}

TEST(Policy, MotionsNeedAStatedAccuracyOrAreTheSmallestOfTheirFamily) {
  for (const char* name : {"chainN:bodies=100", "rocket:links=2", "branchN:bodies=33336"})
    EXPECT_THAT(Runs(Answer(Taking("m"), "m", name)), IsEmpty()) << name;
  for (const char* name : {"treeN:bodies=15", "governor", "branchN:bodies=7"})
    EXPECT_THAT(Runs(Answer(Taking("m"), "m", name)), ElementsAre("dopri5")) << name;
  EXPECT_TRUE(Answer(Taking("m"), "m", "chainN:bodies=100").is_evaluated);
  EXPECT_FALSE(Answer(Taking("m"), "m", "rocket:links=2").is_evaluated) << "a known mechanism";
}

TEST(Policy, VariantsAreEvaluatedOnTheFirstProblemsAndWhereBodiesGrow) {
  for (const char* name : {"wishbone", "chainN:bodies=100"})
    EXPECT_TRUE(Answer(WithVariants(), "m:paper", name).is_evaluated) << name;
  EXPECT_FALSE(Answer(WithVariants(), "m:paper", "arm6").is_evaluated);
  EXPECT_TRUE(Answer(WithVariants(), "m:usual", "arm6").is_evaluated);
  EXPECT_TRUE(Answer(WithVariants(), "m:paper", "arm6", {.tier = Tier::kFull}).is_evaluated);
  MethodEntry stepper = Taking("m", 1, Form::kTimeStepper);
  stepper.options = WithVariants().options;
  EXPECT_TRUE(Answer(stepper, "m:paper", "wishbone").is_evaluated);
  EXPECT_FALSE(Answer(stepper, "m:paper", "chainN:bodies=100").is_evaluated);
}

TEST(Policy, StepsOfLargeSystemsAreLeftToTheFullRun) {
  const MethodEntry stepper = Taking("m", 1, Form::kTimeStepper);
  constexpr char kLarge[] = "chainN3d:bodies=100000";
  EXPECT_EQ(Outcome::kOk, Answer(Taking("m"), "m", kLarge).evaluation.outcome);
  EXPECT_EQ(Outcome::kOk, Answer(stepper, "m", "chainN3d:bodies=10000").evaluation.outcome);
  EXPECT_EQ(Outcome::kSkipped, Answer(stepper, "m", kLarge).evaluation.outcome);
}

TEST(Policy, SpecialMotionsHaveIntegratorsOfTheirOwn) {
  for (const char* stiff : {"flyball", "wishbone:tyre=100"})
    EXPECT_THAT(Runs(Answer(Taking("m"), "m", stiff)), ElementsAre("dopri5", "cvode-bdf")) << stiff;
  EXPECT_THAT(Runs(Answer(Taking("m"), "m", "fourbar:end=1000")), ElementsAre("rk4"));
  for (const char* longest :
       {"gimbal:spin=5000", "cable1000:tip=100", "fourbar-bushing:k=1e8,c=1000"}) {
    EXPECT_THAT(Runs(Answer(Taking("m"), "m", longest)), IsEmpty()) << longest;
    EXPECT_THAT(Runs(Answer(Taking("m"), "m", longest, {.tier = Tier::kFull})),
                testing::Contains("rk4"))
        << longest;
  }
  EXPECT_THAT(Skipped(Answer(Taking("m", 1, Form::kDae), "m", "fourbar:end=1000")),
              HasSubstr("takes minutes"));
  EXPECT_THAT(Skipped(Answer(Taking("m"), "m", "spunchainN:bodies=10")), HasSubstr("steady state"));
  EXPECT_THAT(Runs(Answer(Taking("m", 1, Form::kAlgebraic), "m", "spunchainN:bodies=10")),
              ElementsAre("kinsol"));
}

TEST(Policy, ProblemOfAUserIsInTheQuickRunByEveryVariantWithItsDefaultIntegrator) {
  const MethodEntry entry = WithVariants();
  for (const char* spec : {"m:usual", "m:paper"}) {
    EXPECT_THAT(Runs(Answer(entry, spec, "tree12", {.tier = Tier::kQuick}, true)),
                ElementsAre("dopri5"));
    EXPECT_THAT(Runs(Answer(entry, spec, "tree12", {}, true)), ElementsAre("dopri5"));
  }
  EXPECT_THAT(Runs(Answer(entry, "m:usual", "tree12", {.tier = Tier::kQuick})), IsEmpty());
}

TEST(Policy, QuickRunComparesMethodsOfPluginsWhereItComparesEveryMethod) {
  EXPECT_TRUE(IsQuick("pendulum", "my-method:fast", "rk4"));
  EXPECT_TRUE(IsQuick("fourbar", "my-method", "dopri5"));
  EXPECT_FALSE(IsQuick("flyball", "my-method", "dopri5"));
  EXPECT_FALSE(IsQuick("pendulum", "articulated-body:two-threads", "rk4"));
}

TEST(Policy, HeadlineProblemsCoverEveryKindOfMechanism) {
  bool small_tree = false, large_tree = false, small_loop = false, large_loop = false,
       driven_tree = false, driven_loop = false, growing = false, spatial_chain = false;
  EXPECT_LE(HeadlineProblems().size(), 12u);
  for (const std::string& name : HeadlineProblems()) {
    const System system = MakeProblem(name).system;
    const bool is_large = system.bodies.size() >= 200, has_loops = !system.loop_joints.empty();
    (has_loops ? is_large ? large_loop : small_loop : is_large ? large_tree : small_tree) = true;
    if (!system.drivers.empty()) (has_loops ? driven_loop : driven_tree) = true;
    growing |= system.rope_flight.has_value();
    spatial_chain |= name.starts_with("chainN3d");
    EXPECT_THAT(Runs(Answer(Taking("m"), "m", name)), ElementsAre("dopri5")) << name;
  }
  EXPECT_TRUE(small_tree && large_tree && small_loop && large_loop);
  EXPECT_TRUE(driven_tree && driven_loop && growing && spatial_chain);
}

TEST(Policy, HeadlineProblemsAreThoseThatTheDocumentationPrints) {
  std::ifstream in(MBSBENCH_SOURCE_DIR "/docs/how_measurements_are_made.md");
  std::string text{std::istreambuf_iterator<char>(in), {}};
  text.erase(0, text.find("The headline problems cover every kind of mechanism: "));
  text.erase(text.find("\n\n"));
  const std::regex name("`([^`]+)`");
  const std::vector<std::string> printed{
      std::sregex_token_iterator(text.begin(), text.end(), name, 1), {}};
  EXPECT_EQ(HeadlineProblems(), printed);
}

}  // namespace
}  // namespace mbsbench
