#include "harness/runner/trials/agreement.h"

#include <gtest/gtest.h>

#include <cmath>

namespace mbsbench {
namespace {

// One body, one state per number.
TrialResult Accelerations(std::initializer_list<double> states) {
  TrialResult trial;
  AccelerationsRecord& record = trial.record.accelerations.emplace();
  for (double a : states) {
    if (std::isnan(a)) {
      record.states.emplace_back();
      record.reasons.emplace_back("cannot");
    } else {
      record.states.push_back({{a, 0, 0, 0, 0, 0}});
      record.reasons.emplace_back();
    }
  }
  return trial;
}

TrialResult OneState(std::vector<double> numbers, double length = 1) {
  TrialResult trial;
  trial.record.accelerations = {.states = {std::move(numbers)}, .length = length};
  return trial;
}

TEST(Agreement, OneWrongMethodIsSingledOut) {
  const AgreementRecord a =
      Compare({"a", "b", "wrong"},
              {Accelerations({10, 20}), Accelerations({10, 20 + 1e-9}), Accelerations({10, -20})});
  EXPECT_EQ(2, a.states);
  EXPECT_LT(*a.methods[0].difference, 1e-9);
  EXPECT_LT(*a.methods[1].difference, 1e-9);
  EXPECT_NEAR(2, *a.methods[2].difference, 1e-9) << "40 in units of the largest acceleration, 20";
}

TEST(Agreement, TwoMethodsThatDifferAreBothNamed) {
  const AgreementRecord a = Compare({"a", "b"}, {Accelerations({1}), Accelerations({2})});
  EXPECT_EQ(0.5, *a.methods[0].difference);
  EXPECT_EQ(0.5, *a.methods[1].difference);
}

TEST(Agreement, StatesEvaluatedByOneMethodOnlyAreOmittedWithTheReason) {
  const AgreementRecord a = Compare({"a", "b"}, {Accelerations({1, NAN}), Accelerations({1, 5})});
  EXPECT_EQ(0, *a.methods[0].difference);
  EXPECT_EQ("cannot", a.methods[0].reason);
}

TEST(Agreement, NonFiniteAccelerationsDisagree) {
  TrialResult nan = Accelerations({1});
  (*nan.record.accelerations->states[0])[2] = NAN;
  EXPECT_EQ(INFINITY, *Compare({"a", "b"}, {Accelerations({1}), nan}).methods[0].difference);
}

TEST(Agreement, NumbersAtASingularInitialStateAreJudgedSingular) {
  TrialResult method = Accelerations({1, 2}), truth = Accelerations({NAN, 2});
  method.record.accelerations->start = StartRecord{.outcome = "ok", .scatter = 1e-16};
  EXPECT_EQ("ok", Compare({"a"}, {method}, truth).methods[0].start->outcome)
      << "the reference may lack a state for another reason";
  truth.record.accelerations->start_is_undetermined = true;
  const StartRecord start = *Compare({"a"}, {method}, truth).methods[0].start;
  EXPECT_EQ("singular", start.outcome);
  EXPECT_NE(start.reason.find("cannot"), std::string::npos) << start.reason;
}

// As classical-mstmm:paper on branchN:bodies=500: products of 500 transfer matrices overflow.
TEST(Agreement, AMethodThatRefusesAllStatesBesideTheInitialOneHasLostItsDigits) {
  TrialResult method = Accelerations({1e200}), truth = Accelerations({1});
  method.record.accelerations->start = StartRecord{
      .outcome = "ok", .why_not = "the method refuses all states near this one", .is_alone = true};
  EXPECT_EQ("ill_conditioned", Compare({"a"}, {method}, truth).methods[0].start->outcome);
  method.record.accelerations->start->is_alone = false;
  EXPECT_EQ("wrong_equations", Compare({"a"}, {method}, truth).methods[0].start->outcome);
}

TEST(Agreement, ACrashedMethodHasNoDifference) {
  TrialResult crashed;
  crashed.ending = {Outcome::kCrashed, "signal 11"};
  const AgreementRecord a =
      Compare({"a", "b", "c"}, {Accelerations({1}), crashed, Accelerations({1})});
  EXPECT_FALSE(a.methods[1].difference);
  EXPECT_EQ("crashed: signal 11", a.methods[1].reason);
  EXPECT_EQ(0, *a.methods[0].difference);
}

TEST(Agreement, ErrorIsTheDifferenceFromTheTruthAtRandomStates) {
  // The first state is the initial one, at which `a` is wrong.
  const TrialResult truth = Accelerations({10, 20, 40});
  const AgreementRecord agreement = Compare(
      {"a", "b"}, {Accelerations({5, 20, 40 + 4e-6}), Accelerations({10, NAN, NAN})}, truth);
  EXPECT_EQ(2, agreement.judged_states);
  EXPECT_NEAR(1e-7, *agreement.methods[0].error, 1e-15);
  EXPECT_FALSE(agreement.methods[1].error) << "it evaluated none of them";
}

TEST(Agreement, ErrorOfSmallAngularAccelerationsIsNotHiddenByLargeLinearOnes) {
  const TrialResult truth = OneState({1000, 0, 0, 1, 0, 0}),
                    ours = OneState({1000, 0, 0, 1.5, 0, 0});
  EXPECT_EQ(0.5, *Compare({"a"}, {ours}, truth).methods[0].error);
}

TEST(Agreement, VanishingAngularAccelerationsAreScaledByLinearOnes) {
  // A parallelogram that translates: the angular part contains the round-off of 1 m/s^2 at 0.5 m.
  const TrialResult truth = OneState({1, 0, 0, 1e-33, 0, 0}, 0.5);
  TrialResult ours = OneState({1, 0, 0, 4e-16, 0, 0});
  EXPECT_NEAR(2e-16, *Compare({"a"}, {ours}, truth).methods[0].error, 1e-20);
  ours = OneState({1, 0, 0, 4e-3, 0, 0});
  EXPECT_NEAR(2e-3, *Compare({"a"}, {ours}, truth).methods[0].error, 1e-9)
      << "a wrong angular acceleration is seen where the true one is none";
}

TEST(Agreement, TheConditionIsTheLargestAtTheRandomStates) {
  TrialResult trial = Accelerations({10, 20, 40});
  trial.record.accelerations->conditions = {1e9, 5, {}};
  trial.record.accelerations->condition_of = "a matrix";
  trial.record.accelerations->order = 6;
  const AgreementRecord agreement = Compare({"a", "b"}, {trial, Accelerations({10, 20, 40})});
  EXPECT_EQ(5, *agreement.methods[0].condition);
  EXPECT_EQ("a matrix", agreement.methods[0].condition_of);
  EXPECT_EQ(6, agreement.methods[0].order);
  EXPECT_FALSE(agreement.methods[1].condition) << "it states none";
}

TEST(Agreement, InitialStateIsJudgedByTheTruthWithinRoundOff) {
  TrialResult truth = Accelerations({10, 20});
  const auto start_of = [&truth](double initial, double scatter, const char* why_not) {
    TrialResult trial = Accelerations({initial, 20});
    trial.record.accelerations->start = {"ok", "", scatter, why_not};
    return *Compare({"a"}, {trial}, truth).methods[0].start;
  };
  EXPECT_EQ(Name(Outcome::kOk), start_of(10, 1e-15, "").outcome);
  EXPECT_EQ(1e-15, start_of(10, 1e-15, "").scatter);
  EXPECT_EQ(Name(Outcome::kWrongEquations), start_of(10.001, 1e-15, "").outcome);
  EXPECT_EQ(Name(Outcome::kOk), start_of(10.001, 1e-6, "").outcome) << "round-off explains it";
  EXPECT_EQ(Name(Outcome::kIllConditioned), start_of(10, 0.5, "").outcome);
  EXPECT_EQ(Name(Outcome::kIllConditioned), start_of(10, NAN, "").outcome)
      << "infinity comes over the pipe as no number";
  EXPECT_EQ(Name(Outcome::kOk), start_of(10, NAN, "too many bodies").outcome);
  EXPECT_EQ(Name(Outcome::kWrongEquations), start_of(11, NAN, "too many bodies").outcome);
  EXPECT_EQ(Name(Outcome::kOk), start_of(NAN, NAN, "cannot").outcome)
      << "the integration reports what cannot be evaluated";
  EXPECT_FALSE(Compare({"a"}, {Accelerations({10, 20})}, truth).methods[0].start)
      << "its process broke off";
}

// The states' accelerations and how far round-off scatters them.
TrialResult Scattered(std::initializer_list<double> states, std::vector<MaybeNumber> scatters) {
  TrialResult trial = Accelerations(states);
  trial.record.accelerations->scatters = std::move(scatters);
  return trial;
}

TEST(Agreement, ComparisonWithTheTruthBlamesOnlyTheWrongMethod) {
  const TrialResult truth = Accelerations({10, 20, 40});
  const std::vector<MaybeNumber> round_off{1e-15, 1e-15, 1e-15};
  const TrialResult right = Scattered({10, 20, 40 + 4e-14}, round_off),
                    wrong = Scattered({10, 20, 40 + 4e-4}, round_off);
  const AgreementRecord pair = Compare({"right", "wrong"}, {right, wrong}, truth);
  EXPECT_EQ(Name(Outcome::kOk), pair.methods[0].judged) << "though it differs from all others";
  EXPECT_EQ(Name(Outcome::kWrongEquations), pair.methods[1].judged);
  EXPECT_NE(std::string::npos, pair.methods[1].judged_reason.find("at random state 2"));
  const AgreementRecord alone = Compare({"wrong"}, {wrong}, truth);
  EXPECT_EQ(Name(Outcome::kWrongEquations), alone.methods[0].judged);
  const AgreementRecord most = Compare({"wrong", "too", "right"}, {wrong, wrong, right}, truth);
  EXPECT_EQ(Name(Outcome::kWrongEquations), most.methods[0].judged);
  EXPECT_EQ(Name(Outcome::kOk), most.methods[2].judged) << "the most may be wrong";
}

TEST(Agreement, ErrorExplainedByRoundOffAtARandomStateBlamesNoMethod) {
  const TrialResult truth = Accelerations({10, 20});
  const auto judged = [&truth](double off, MaybeNumber scatter) {
    const AgreementRecord one =
        Compare({"a"}, {Scattered({10, 20 * (1 + off)}, {1e-15, scatter})}, truth);
    return one.methods[0].judged;
  };
  EXPECT_EQ(Name(Outcome::kOk), judged(1e-5, 1e-7));
  EXPECT_EQ(Name(Outcome::kWrongEquations), judged(1e-5, 1e-12));
  EXPECT_EQ(Name(Outcome::kIllConditioned), judged(1e-5, 0.5));
  EXPECT_EQ(Name(Outcome::kOk), judged(1e-7, {})) << "nothing is known of its round-off";
  EXPECT_EQ(Name(Outcome::kWrongEquations), judged(1e-5, {}));
}

TEST(Agreement, WithoutTruthNoMethodIsJudged) {
  const AgreementRecord a = Compare({"a", "b"}, {Accelerations({1}), Accelerations({2})});
  EXPECT_EQ(Name(Outcome::kNoReference), a.methods[0].judged);
}

TEST(Agreement, WithoutTruthThereIsNoError) {
  EXPECT_FALSE(Compare({"a"}, {Accelerations({1})}).methods[0].error);
}

}  // namespace
}  // namespace mbsbench
