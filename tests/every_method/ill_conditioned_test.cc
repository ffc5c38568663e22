// Accelerations that round-off has made invalid are never accepted, and valid ones are never refused.
// The verdict on each method for systems of extreme data is compared with the 113-bit reference.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "harness/runner/cells/random_states.h"
#include "harness/runner/trials/judged_evaluation.h"
#include "harness/support/support.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"

namespace mbsbench {
namespace {

PreparedCell CellOf(const Problem& problem, const MethodChoice& choice) {
  return {{}, problem, InitialState(problem), choice};
}

// The verdict of a method on a problem's initial state, and its error.
struct Verdicts {
  std::map<std::string, JudgedEvaluation> of;  // by spec, for variants that support and evaluate it
};

Verdicts JudgeAll(const Problem& problem) {
  Verdicts verdicts;
  for (const MethodEntry& entry : AllMethods()) {
    if (entry.form == Form::kAlgebraic) continue;
    for (const MethodChoice& choice : VariantsOf(entry)) {
      if (!VerdictOf(entry, problem.system, choice.options).supported) continue;
      try {
        verdicts.of.emplace(choice.spec,
                            JudgeInitialState(CellOf(problem, choice), Detail::kReactions));
      } catch (const EvaluationFailed&) {  // the method reports a failure
      }
    }
  }
  return verdicts;
}

// Invalid results are never ok, and the stated digits are correct: the error is at most a hundred
// times what they allow.
void ExpectNoInvalidResultIsAccepted(const Verdicts& verdicts, const std::string& what) {
  for (const auto& [spec, judged] : verdicts.of) {
    ASSERT_TRUE(judged.error) << what << ", " << spec;
    ASSERT_TRUE(judged.condition.measured()) << what << ", " << spec;
    std::printf("  %-28s %-40s error %.1e, scatter %.1e, %s\n", what.c_str(), spec.c_str(),
                *judged.error, judged.condition.scatter,
                std::string(Name(judged.ending.outcome)).c_str());
    if (judged.ending.outcome != Outcome::kOk) continue;
    EXPECT_LT(*judged.error, 0.1) << what << ", " << spec;
    EXPECT_LT(*judged.error, 100 * judged.condition.scatter + 1e-12) << what << ", " << spec;
  }
}

// A chain in space of four links, the second of which is `ratio` times as heavy.
Problem ChainWithAHeavyLink(double ratio) {
  Problem problem = MakeProblem("chainN3d:bodies=4");
  Body& heavy = problem.system.bodies[1];
  heavy.mass *= ratio;
  for (double& entry : heavy.inertia.entries) entry *= ratio;
  return problem;
}

TEST(IllConditioned, NoInvalidResultIsAcceptedWhereMassesDifferWidely) {
  for (double ratio : {1e6, 1e9, 1e12, 1e14, 1e-9, 1e-12, 1e-14})
    ExpectNoInvalidResultIsAccepted(JudgeAll(ChainWithAHeavyLink(ratio)),
                                    fmt::format("mass ratio {:g}", ratio));
}

// A chain of 1,001 bodies that spins: methods of cubic cost lose ten digits there. Without a measured scatter the loss
// would count as wrong equations.
TEST(IllConditioned, RoundOffOfACubicMethodOnAThousandBodiesIsMeasuredAndIsNoWrongEquation) {
  const Problem problem = MakeProblem("spunchainN:bodies=1000");
  int cubic = 0;
  for (const MethodEntry& entry : AllMethods()) {
    if (entry.cost_exponent < 3 || entry.form == Form::kAlgebraic) continue;
    const MethodChoice choice = VariantsOf(entry).front();
    if (!VerdictOf(entry, problem.system, choice.options).supported) continue;
    const JudgedEvaluation judged =
        JudgeInitialState(CellOf(problem, choice), Detail::kAccelerations);
    EXPECT_TRUE(judged.condition.measured()) << choice.spec;
    EXPECT_EQ(Outcome::kOk, judged.ending.outcome) << choice.spec << ": " << judged.ending.reason;
    ++cubic;
  }
  EXPECT_LE(3, cubic);
}

TEST(IllConditioned, TheConditionIsMeasuredHoweverExpensiveAnEvaluationIs) {
  const std::vector<MethodEntry> methods = AllMethods();
  MethodEntry entry = *ChooseMethod("articulated-body", methods).entry;
  entry.cost_exponent = 3;
  const MethodChoice choice = VariantsOf(entry).front();
  EXPECT_TRUE(
      JudgeInitialState(CellOf(MakeProblem("chainN:bodies=3000"), choice), Detail::kAccelerations)
          .condition.measured());
}

// A light body on a ball joint carries a heavy one: what the light one resists is 2e-12 of what it carries, and as many
// digits are left.
TEST(IllConditioned,
     ALightBodyThatCarriesOneFiveHundredBillionTimesAsHeavyIsSolvedToTheDigitsThatAreLeft) {
  Problem problem = MakeProblem("chainN3d:bodies=4");
  for (Body& body : problem.system.bodies)
    body.inertia = Diagonal(0.1 * body.mass, 0.1 * body.mass, 0.1 * body.mass);
  Body& heavy = problem.system.bodies[1];
  heavy.mass *= 5e11;
  for (double& entry : heavy.inertia.entries) entry *= 5e11;
  const Verdicts verdicts = JudgeAll(problem);
  ExpectNoInvalidResultIsAccepted(verdicts, "mass ratio 5e11");
  for (const char* spec : {"composite-body:delassus", "kane-huston:general", "articulated-body"})
    EXPECT_TRUE(verdicts.of.contains(spec)) << spec << " refuses it";
}

TEST(IllConditioned, NoInvalidResultIsAcceptedOnAChainOfFiftyBallJoints) {
  const Verdicts verdicts = JudgeAll(MakeProblem("chainN3d:bodies=50"));
  ExpectNoInvalidResultIsAccepted(verdicts, "50 ball joints");
  EXPECT_EQ(Outcome::kIllConditioned, verdicts.of.at("classical-mstmm:paper").ending.outcome);
  EXPECT_EQ(Outcome::kOk, verdicts.of.at("articulated-body").ending.outcome);
}

// Two revolutes 2e-8 rad apart with a link of 1e-12 kg between them, on the block of `sliders`.
Problem NearlyMasslessLink() {
  Problem problem = MakeProblem("sliders");
  System& system = problem.system;
  Body light, heavy;
  light.name = "light";
  light.mass = 1e-12;
  light.inertia = Diagonal(1e-12, 1e-12, 1e-12);
  heavy.name = "heavy";
  heavy.mass = 1;
  heavy.inertia = Diagonal(0.01, 0.1, 0.1);
  Joint first, second;
  first.name = "first", second.name = "second";
  first.type = second.type = JointType::kRevolute;
  first.parent = 2, first.child = second.parent = 3, second.child = 4;
  second.parent_frame.orientation = Normalised(Quaternion{1, 1e-8, 0, 0});
  second.child_frame.position = {-0.5, 0, 0};
  system.bodies.insert(system.bodies.end(), {light, heavy});
  system.joints.insert(system.joints.end(), {first, second});
  for (double angle : {0., 0.}) problem.initial.joints.q.push_back(angle);
  for (double rate : {0., 0.}) problem.initial.joints.u.push_back(rate);
  return problem;
}

TEST(IllConditioned, NoInvalidResultIsAcceptedForANearlyMasslessLinkBetweenNearlyParallelAxes) {
  const Verdicts verdicts = JudgeAll(NearlyMasslessLink());
  ExpectNoInvalidResultIsAccepted(verdicts, "nearly massless link");
  // The axes are not parallel, although their cosine may round to one.
  for (const char* spec : {"riccati-mstmm:general", "classical-mstmm:general"}) {
    EXPECT_EQ(Outcome::kOk, verdicts.of.at(spec).ending.outcome) << spec;
    EXPECT_LT(verdicts.of.at(spec).error.value(), 1e-3) << spec;  // 3e-5 and 7e-5
  }
}

// Angles of 1e15 rad are used as given, with whole turns removed exactly. One unit in their last place is
// an eighth of a radian, so every method reports the results as ill-conditioned.
TEST(IllConditioned, AnglesOfManyTurnsAreIllConditionedInEveryMethodAndRightInKaneHuston) {
  Problem problem = MakeProblem("dpend18");
  problem.initial.joints.q = {1e15 + 0.125, 1e14 + 0.015625};
  const Verdicts verdicts = JudgeAll(problem);
  EXPECT_LT(verdicts.of.at("kane-huston:paper").error.value(), 1e-12);
  for (const auto& [spec, judged] : verdicts.of)
    EXPECT_EQ(Outcome::kIllConditioned, judged.ending.outcome) << spec;
}

TEST(IllConditioned, AnErrorBeyondTheScatterOfRoundOffMeansWrongEquations) {
  MeasuredCondition condition;
  condition.scatter = 3e-15;
  EXPECT_EQ(Outcome::kOk, VerdictOn(condition, 1e-14).outcome);
  EXPECT_EQ(Outcome::kWrongEquations, VerdictOn(condition, 1e-6).outcome);
  condition.scatter = 1e-6;
  EXPECT_EQ(Outcome::kOk, VerdictOn(condition, 1e-5).outcome);
  condition.scatter = 0.5;
  EXPECT_EQ(Outcome::kIllConditioned, VerdictOn(condition, 1e-5).outcome);
}

// A rod that may spin about its axis, about which its moment of inertia is round-off. Whether its equations are
// singular depends on the last place.
TEST(IllConditioned, AStateWhoseNeighboursAreAllRefusedIsIllConditioned) {
  MeasuredCondition condition;
  condition.scatter = NAN;
  condition.why_not = "the method refuses all states near this one";
  EXPECT_EQ(Outcome::kWrongEquations, VerdictOn(condition, 1e-5).outcome);
  condition.is_alone = true;
  EXPECT_EQ(Outcome::kIllConditioned, VerdictOn(condition, 1e-5).outcome);
  EXPECT_EQ(Outcome::kOk, VerdictOn(condition, 1e-12).outcome);
}

}  // namespace
}  // namespace mbsbench
