// Splitting an error into its parts, on states made by hand.
#include "harness/metrics/error_budget.h"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/model/error.h"

namespace mbsbench {
namespace {

// One body and one sample in addition to the start, L = 2 m.
Problem OneBody() {
  Problem p;
  p.name = "one";
  p.system.bodies.resize(1);
  p.sample_times = {0, 1};
  p.length = 2;
  return p;
}

BodyState At(double x, double y, double angle) {
  return {{x, y, 0}, AxisAngle({0, 0, 1}, angle), {}, {}};
}
SampledStates RunTo(const BodyState& end) { return {{At(0, 0, 0)}, {end}}; }

Reference Truth() {
  Reference r;
  r.bodies = {0};
  r.samples = {{0, {At(0, 0, 0)}, {}}, {1, {At(1, 0, 0.5)}, {}}};
  return r;
}

// Onto the line y = 0; the attitude is unchanged.
std::vector<BodyState> OntoTheLine(double, const std::vector<BodyState>& bodies) {
  std::vector<BodyState> closed = bodies;
  closed[0].position.y = 0;
  return closed;
}

BudgetRecord Split(const BudgetRuns& runs) {
  return SplitError(OneBody(), Truth(), runs, OntoTheLine);
}

TEST(ErrorBudget, SplitsAnErrorMadeByHandIntoItsParts) {
  // 4e-4 along x is the step's, 6e-3 across is drift; without round-off 2e-6 less along x.
  const auto with = [](double x) { return RunTo(At(1 + 4e-4 + x, 6e-3, 0.5)); };
  const BudgetRecord b = Split(
      {{0, 1}, with(2e-6), {{with(1e-3), with(-1e-3)}, {with(-2e-3), with(2e-3)}}, {}, {}, 2});
  EXPECT_NEAR(b.NormOf("round-off"), 1e-6, 1e-12) << "in units of L";
  EXPECT_NEAR(b.NormOf("constraint"), 3e-3, 1e-12);
  EXPECT_NEAR(b.NormOf("discretisation"), 2e-4, 1e-12);
  EXPECT_EQ(b.NormOf("iteration"), 0);
  EXPECT_EQ(b.parts[0].part, "constraint") << "the largest first";
  EXPECT_NEAR(b.error, std::hypot(3e-3, 2e-4 + 1e-6), 1e-12);
  EXPECT_LT(b.remainder, 1e-15);
  EXPECT_FALSE(b.discretisation_estimate);
}

TEST(ErrorBudget, EstimatesRoundOffByThePairFarthestFromTheMean) {
  const auto turned = [](double by) { return RunTo(At(1, 0, 0.5 + by)); };
  const BudgetRecord b =
      Split({{0, 1},
             turned(0),
             {{turned(1e-6 + 6e-9), turned(-1e-6)}, {turned(1e-6), turned(-1e-6 - 6e-9)}},
             {},
             {},
             2});
  EXPECT_NEAR(b.NormOf("round-off"), M_SQRT2 * 3e-9, 1e-14) << "the cell itself has none, by luck";
}

TEST(ErrorBudget, RotationsOfFiniteSizeAddUpToSecondOrder) {
  const BudgetRecord b = Split({{0, 1},
                                RunTo(At(1, 0, 0.51)),
                                {{RunTo(At(1, 0, 0.513)), RunTo(At(1, 0, 0.515))}},
                                {},
                                {},
                                2});
  EXPECT_NEAR(b.error, 0.01, 1e-12);
  EXPECT_LT(b.remainder, 1e-3 * b.error);
}

TEST(ErrorBudget, AttributesTheChangeByConvergedIterationsToThem) {
  // Converged, the solution is 4e-5 further along the line and 2e-6 off it.
  const BudgetRecord b =
      Split({{0, 1}, RunTo(At(1 + 4e-4, 0, 0.5)), {}, RunTo(At(1 + 4.4e-4, 2e-6, 0.5)), {}, 2});
  EXPECT_NEAR(b.NormOf("iteration"), std::hypot(2e-5, 1e-6), 1e-12);
  EXPECT_NEAR(b.NormOf("constraint"), 1e-6, 1e-12);
  EXPECT_NEAR(b.NormOf("discretisation"), 2.2e-4, 1e-12);
  EXPECT_NEAR(b.error, 2e-4, 1e-12);
  EXPECT_LT(b.remainder, 1e-15);
}

TEST(ErrorBudget, ConfirmsDiscretisationByHalvedSteps) {
  // Errors of order 2: 4e-4, 1e-4, 2.5e-5 in units of L.
  const auto off = [](double x) { return RunTo(At(1 + 2 * x, 0, 0.5)); };
  const BudgetRecord b = Split({{0, 1}, off(4e-4), {}, {}, {off(1e-4), off(2.5e-5)}, 4});
  EXPECT_NEAR(*b.discretisation_estimate, 4e-4, 1e-12);
  EXPECT_TRUE(b.asymptotic);
  EXPECT_NEAR(*b.observed_refinement, 4, 1e-9);
  // A difference that does not fall is not discretisation.
  const BudgetRecord stays = Split({{0, 1}, off(4e-4), {}, {}, {off(3.9e-4)}, 4});
  EXPECT_FALSE(stays.asymptotic);
  EXPECT_FALSE(stays.observed_refinement);
  // Nor is one that grows: the first difference alone is no proof.
  const BudgetRecord grows = Split({{0, 1}, off(4e-4), {}, {}, {off(1e-4), off(8e-4)}, 4});
  EXPECT_NEAR(*grows.discretisation_estimate, 4e-4, 1e-12);
  EXPECT_FALSE(grows.asymptotic);
}

TEST(ErrorBudget, RequiresASampleOfTheReference) {
  EXPECT_THROW(Split({{0.3}, {{At(0, 0, 0)}}, {}, {}, {}, 2}), ModelError);
}

}  // namespace
}  // namespace mbsbench
