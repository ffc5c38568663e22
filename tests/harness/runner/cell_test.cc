#include "harness/runner/cells/cell.h"
#include "harness/records/json_codec.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "problems/catalog/catalog.h"
#include "problems/model/error.h"

namespace mbsbench {
namespace {

using testing::HasSubstr;

MethodEntry Entry(Form form) {
  MethodEntry entry;
  entry.key = "m";
  entry.form = form;
  return entry;
}

Cell Complete(const CellSetting& wish, Form form = Form::kOde) {
  const std::vector<MethodEntry> methods{Entry(form)};
  return CompleteCell(MakeProblem("pendulum"), ChooseMethod("m", methods), wish);
}

std::string Refusal(const CellSetting& wish, Form form = Form::kOde) {
  try {
    Complete(wish, form);
  } catch (const ModelError& error) {
    return error.what();
  }
  return "";
}

TEST(CompleteCell, DefaultsFollowTheForm) {
  const Cell ode = Complete({});
  EXPECT_EQ("dopri5", ode.integrator);
  EXPECT_EQ(1e-8, ode.tolerance);
  EXPECT_EQ(10, ode.end_time);
  EXPECT_EQ("ida", Complete({}, Form::kDae).integrator);
  const Cell rk4 = Complete({.integrator = "rk4"});
  EXPECT_FALSE(rk4.tolerance);
  EXPECT_EQ(0.01, rk4.step) << "the step of the paper's own run";
  EXPECT_FALSE(Complete({.step = 0.1}).tolerance);
}

TEST(CompleteCell, IncompatibleSettingsAreRefusedWithAMessage) {
  EXPECT_THAT(Refusal({.integrator = "ida", .step = 0.1}, Form::kDae),
              HasSubstr("has no fixed step"));
  EXPECT_THAT(Refusal({.step = 0.1}, Form::kDae), HasSubstr("has no fixed step"));
  EXPECT_THAT(Refusal({.integrator = "rk4", .tolerance = 1e-3}),
              HasSubstr("has a fixed step only"));
  EXPECT_THAT(Refusal({.integrator = "ida"}), HasSubstr("use rk4 or dopri5 or fehlberg8"));
  EXPECT_THAT(Refusal({.integrator = "dopri"}), HasSubstr("Did you mean 'dopri5'?"));
  EXPECT_THAT(Refusal({.step = 11.}), HasSubstr("longer than the whole time"));
  EXPECT_THAT(Refusal({.step = 1e-12}),
              HasSubstr("--step 1e-12 s needs more than 1e+08 steps to 10 s: give a longer one"));
  EXPECT_THAT(Refusal({.integrator = "rk4", .end_time = 2e6}),
              HasSubstr("the problem's own step of 0.01 s needs more than 1e+08 steps to 2000000 "
                        "s: give a longer --step"));
  EXPECT_THAT(Refusal({.integrator = "rk4"}, Form::kAlgebraic), HasSubstr("use kinsol"));
}

TEST(CompleteCell, CommandReproducesTheCell) {
  EXPECT_EQ("mbsbench solve pendulum m --integrator rk4 --step 0.001 --end 2",
            SolveCommand(Complete({.integrator = "rk4", .step = 0.001, .end_time = 2.})));
  Cell read;
  EXPECT_TRUE(Read(ToJson(Complete({})), read));
  EXPECT_EQ(ToJson(Complete({})), ToJson(read));
}

TEST(SampleTimes, AreThoseOfTheProblemAndContinueAtTheSameSpacing) {
  const Problem problem = MakeProblem("pendulum");
  EXPECT_EQ(problem.sample_times, SampleTimesUntil(problem, problem.end_time));
  const std::vector<double> shorter = SampleTimesUntil(problem, 0.25);
  ASSERT_EQ(4u, shorter.size()) << "0, 0.1, 0.2 and the end";
  EXPECT_EQ(0.25, shorter.back());
  const std::vector<double> longer = SampleTimesUntil(problem, 10.25);
  EXPECT_EQ(problem.sample_times.size() + 3, longer.size()) << "10.1, 10.2 and the end";
  EXPECT_NEAR(10.1, longer[problem.sample_times.size()], 1e-12);
  EXPECT_EQ(10.25, longer.back());
  const std::vector<double> far = SampleTimesUntil(problem, 1e9);
  EXPECT_LT(far.size(), 11'000u);
  EXPECT_EQ(1e9, far.back());
  for (std::size_t k = 1; k < far.size(); ++k) ASSERT_GT(far[k], far[k - 1]);
}

// All fixed-step schemes are sampled on their grid, none with an extra step or an interpolant.
TEST(DividingStep, IsTheLongestStepUpToTheRequestedOneThatDividesTheSampleSpacing) {
  const Problem pendulum = MakeProblem("pendulum");  // samples every 0.1 s
  EXPECT_EQ(0.01, DividingStep(pendulum, 0.01)) << "kept to the last bit";
  EXPECT_EQ(0.1, DividingStep(pendulum, 0.125));
  EXPECT_DOUBLE_EQ(0.1 / 26, DividingStep(pendulum, 1. / 256));
  EXPECT_EQ(DividingStep(pendulum, 1. / 256),
            DividingStep(pendulum, DividingStep(pendulum, 1. / 256)));
  EXPECT_EQ(0.1 / 26, Complete({.integrator = "rk4", .step = 1. / 256}).step);
  Problem own_samples = pendulum;
  own_samples.sample_times = {0, 0.3, 10};
  EXPECT_EQ(1. / 256, DividingStep(own_samples, 1. / 256));
}

TEST(CompleteCell, OfAMethodWithItsOwnStepAcceptsNoOtherIntegrator) {
  EXPECT_THAT(Refusal({.integrator = "dopri5"}, Form::kTimeStepper),
              HasSubstr("has its own time steps"));
}

}  // namespace
}  // namespace mbsbench
