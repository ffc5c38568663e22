// The parts of the errors of real methods.
#include <gtest/gtest.h>

#include <cmath>

#include "harness/runner/cell_budget.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"
#include "problems/model/error.h"

namespace mbsbench {
namespace {

CellBudget Budget(const std::string& problem, const std::string& method,
                  const std::string& integrator, double step, double tolerance = 0) {
  Cell cell{problem, method, integrator, {}, {}, {}};
  if (step > 0) cell.step = step;
  if (tolerance > 0) cell.tolerance = tolerance;
  return BudgetOf(PrepareCell(cell, AllMethods()));
}

// The vectors of the parts are the error.
void ExpectIdentity(const ErrorBudget& b) { EXPECT_LE(b.remainder, 1e-3 * b.error + 1e-15); }

TEST(CellBudget, LargeStepsOfRungeKuttaAreDiscretisationOfOrderFour) {
  const CellBudget coarse = Budget("dpend18", "articulated-body", "rk4", 0.05),
                   fine = Budget("dpend18", "articulated-body", "rk4", 0.025);
  for (const CellBudget* b : {&coarse, &fine}) {
    EXPECT_EQ(b->budget.parts[0].name, "discretisation");
    EXPECT_GT(b->budget.parts[0].norm, 1e4 * b->budget.parts[1].norm);
    EXPECT_TRUE(b->budget.is_asymptotic());
    EXPECT_NEAR(std::log2(*b->budget.observed_refinement), 4, 0.3);
    EXPECT_TRUE(b->same_steps);
    EXPECT_EQ(b->budget.NormOf("iteration"), 0);
    ExpectIdentity(b->budget);
  }
  EXPECT_NEAR(
      std::log2(coarse.budget.NormOf("discretisation") / fine.budget.NormOf("discretisation")), 4,
      0.3);
}

// The truncation errors of 100000 steps of order 4 are below 1e-15; the error is the sum of their
// rounding errors.
TEST(CellBudget, VeryShortStepsAreRoundOff) {
  const CellBudget b = Budget("pendulum", "articulated-body", "rk4", 1e-4);
  EXPECT_EQ(b.budget.parts[0].name, "round-off");
  EXPECT_GT(b.budget.NormOf("round-off"), 0.3 * b.budget.error);
  EXPECT_LT(b.budget.NormOf("round-off"), 3 * b.budget.error);
  EXPECT_FALSE(b.budget.is_asymptotic());
  ExpectIdentity(b.budget);
}

TEST(CellBudget, AtTheTightestToleranceRoundOffDominates) {
  const CellBudget b = Budget("dpend18", "articulated-body", "fehlberg8", 0, 1e-14);
  EXPECT_EQ(b.budget.parts[0].name, "round-off");
  EXPECT_LT(b.budget.parts[0].norm, 1e-11);
  EXPECT_GT(b.budget.parts[0].norm, 1e-15);
}

// Nothing holds the loop but its second derivative.
TEST(CellBudget, DriftOfALoopThatNothingStabilisesIsConstraint) {
  const CellBudget drifting = Budget("wishbone", "articulated-body:none", "rk4", 0.002),
                   held = Budget("wishbone", "articulated-body", "rk4", 0.002);
  EXPECT_EQ(drifting.budget.parts[0].name, "constraint");
  ExpectIdentity(drifting.budget);
  EXPECT_LT(held.budget.NormOf("constraint"), 1e-12);
  EXPECT_EQ(held.budget.parts[0].name, "discretisation");
  ExpectIdentity(held.budget);
}

TEST(CellBudget, TreesInJointCoordinatesDoNotDrift) {
  const CellBudget b = Budget("dpend18", "articulated-body", "dopri5", 0, 1e-8);
  EXPECT_EQ(b.budget.parts[0].name, "discretisation");
  EXPECT_LT(b.budget.NormOf("constraint"), 1e-14);
  EXPECT_TRUE(b.budget.is_asymptotic());
}

TEST(CellBudget, IterationsOfSundialsAreSplitOff) {
  for (const auto& [method, integrator] : {std::pair("cartesian-dae:ggl", "ida"),
                                           {"articulated-body", "cvode-bdf"},
                                           {"articulated-body", "cvode-adams"}}) {
    const CellBudget b = Budget("dpend18", method, integrator, 0, 1e-8);
    EXPECT_EQ(b.no_iteration, "") << integrator;
    EXPECT_GT(b.budget.NormOf("iteration"), 1e-3 * b.budget.error) << integrator;
    EXPECT_LT(b.budget.NormOf("iteration"), 10 * b.budget.error) << integrator;
    ExpectIdentity(b.budget);
  }
  const CellBudget own = Budget("dpend18", "variational", "own", 0.01);
  EXPECT_FALSE(own.no_iteration.empty());
  EXPECT_NEAR(std::log2(*own.budget.observed_refinement), 2, 0.1);
}

TEST(CellBudget, ChaosAtTheTightestToleranceLeavesRoundOff) {
  const CellBudget b = Budget("dpend18", "articulated-body", "dopri5", 0, 1e-14);
  EXPECT_EQ(b.budget.parts[0].name, "round-off");
  EXPECT_FALSE(b.budget.is_asymptotic());
  ExpectIdentity(b.budget);
}

// Dependent rows of a loop that is open between the stages of a step do not spoil the order.
TEST(CellBudget, OfARedundantLoopIsDiscretisation) {
  const CellBudget b = Budget("bricard", "articulated-body", "rk4", 0.005);
  EXPECT_EQ(b.budget.parts[0].name, "discretisation");
  EXPECT_TRUE(b.budget.is_asymptotic());
  ExpectIdentity(b.budget);
}

TEST(CellBudget, WithoutAReferenceThereIsNone) {
  EXPECT_THROW(Budget("chainN:bodies=7", "articulated-body", "rk4", 0.01), ModelError);
  EXPECT_THROW(Budget("rocket:R1", "kane-huston", "rk4", 0.01), ModelError) << "it grows";
}

}  // namespace
}  // namespace mbsbench
