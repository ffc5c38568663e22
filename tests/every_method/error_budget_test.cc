// The parts of the errors of real methods.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/runner/trials/cell_budget.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"
#include "problems/model/error.h"

namespace mbsbench {
namespace {

BudgetRecord Budget(const std::string& problem, const std::string& method,
                    const std::string& integrator, double step, double tolerance = 0) {
  Cell cell{problem, method, integrator, {}, {}, {}};
  if (step > 0) cell.step = step;
  if (tolerance > 0) cell.tolerance = tolerance;
  return BudgetOf(PrepareCell(cell, AllMethods()));
}

std::string HowOf(const BudgetRecord& budget, const std::string& part) {
  return std::ranges::find(budget.parts, part, &BudgetPartRecord::part)->how;
}

// The vectors of the parts are the error.
void ExpectIdentity(const BudgetRecord& b) { EXPECT_LE(b.remainder, 1e-3 * b.error + 1e-15); }

TEST(CellBudget, ErrorOfLargeRungeKuttaStepsIsDiscretisationOfOrderFour) {
  const BudgetRecord coarse = Budget("dpend18", "articulated-body", "rk4", 0.05),
                     fine = Budget("dpend18", "articulated-body", "rk4", 0.025);
  for (const BudgetRecord* b : {&coarse, &fine}) {
    EXPECT_EQ(b->parts[0].part, "discretisation");
    EXPECT_GT(b->parts[0].norm, 1e4 * b->parts[1].norm);
    EXPECT_TRUE(b->asymptotic);
    EXPECT_NEAR(std::log2(*b->observed_refinement), 4, 0.3);
    EXPECT_EQ(HowOf(*b, "round-off"), "estimated from starts 1e-11 to either side")
        << "the same steps";
    EXPECT_EQ(b->NormOf("iteration"), 0);
    ExpectIdentity(*b);
  }
  EXPECT_NEAR(std::log2(coarse.NormOf("discretisation") / fine.NormOf("discretisation")), 4, 0.3);
}

// The truncation errors of 100000 steps of order 4 are below 1e-15; the error is the sum of their
// rounding errors.
TEST(CellBudget, ErrorOfVeryShortStepsIsRoundOff) {
  const BudgetRecord b = Budget("pendulum", "articulated-body", "rk4", 1e-4);
  EXPECT_EQ(b.parts[0].part, "round-off");
  EXPECT_GT(b.NormOf("round-off"), 0.3 * b.error);
  EXPECT_LT(b.NormOf("round-off"), 3 * b.error);
  EXPECT_FALSE(b.asymptotic);
  ExpectIdentity(b);
}

TEST(CellBudget, AtTheTightestToleranceRoundOffDominates) {
  const BudgetRecord b = Budget("dpend18", "articulated-body", "fehlberg8", 0, 1e-14);
  EXPECT_EQ(b.parts[0].part, "round-off");
  EXPECT_LT(b.parts[0].norm, 1e-11);
  EXPECT_GT(b.parts[0].norm, 1e-15);
}

// Only the second derivative of the loop constraint is imposed.
TEST(CellBudget, DriftOfAnUnstabilisedLoopIsConstraintError) {
  const BudgetRecord drifting = Budget("wishbone", "articulated-body:none", "rk4", 0.002),
                     held = Budget("wishbone", "articulated-body", "rk4", 0.002);
  EXPECT_EQ(drifting.parts[0].part, "constraint");
  ExpectIdentity(drifting);
  EXPECT_LT(held.NormOf("constraint"), 1e-12);
  EXPECT_EQ(held.parts[0].part, "discretisation");
  ExpectIdentity(held);
}

TEST(CellBudget, TreesInJointCoordinatesDoNotDrift) {
  const BudgetRecord b = Budget("dpend18", "articulated-body", "dopri5", 0, 1e-8);
  EXPECT_EQ(b.parts[0].part, "discretisation");
  EXPECT_LT(b.NormOf("constraint"), 1e-14);
  EXPECT_TRUE(b.asymptotic);
}

TEST(CellBudget, ErrorOfSundialsIterationsIsASeparatePart) {
  for (const auto& [method, integrator] : {std::pair("cartesian-dae:ggl", "ida"),
                                           {"articulated-body", "cvode-bdf"},
                                           {"articulated-body", "cvode-adams"}}) {
    const BudgetRecord b = Budget("dpend18", method, integrator, 0, 1e-8);
    EXPECT_GT(b.NormOf("iteration"), 1e-3 * b.error) << integrator;
    EXPECT_LT(b.NormOf("iteration"), 10 * b.error) << integrator;
    ExpectIdentity(b);
  }
  const BudgetRecord own = Budget("dpend18", "variational", "own", 0.01);
  EXPECT_EQ(own.NormOf("iteration"), 0);
  EXPECT_NEAR(std::log2(*own.observed_refinement), 2, 0.1);
}

TEST(CellBudget, ErrorOfAChaoticMotionAtTheTightestToleranceIsMostlyRoundOff) {
  const BudgetRecord b = Budget("dpend18", "articulated-body", "dopri5", 0, 1e-14);
  EXPECT_EQ(b.parts[0].part, "round-off");
  EXPECT_FALSE(b.asymptotic);
  ExpectIdentity(b);
}

// Dependent rows of a loop that is open between the stages of a step do not reduce the order.
TEST(CellBudget, ErrorOfARedundantLoopIsDiscretisation) {
  const BudgetRecord b = Budget("bricard", "articulated-body", "rk4", 0.005);
  EXPECT_EQ(b.parts[0].part, "discretisation");
  EXPECT_TRUE(b.asymptotic);
  ExpectIdentity(b);
}

TEST(CellBudget, IsAbsentWithoutAReference) {
  EXPECT_THROW(Budget("chainN:bodies=7", "articulated-body", "rk4", 0.01), ModelError);
  EXPECT_THROW(Budget("rocket:R1", "kane-huston", "rk4", 0.01), ModelError) << "it grows";
}

}  // namespace
}  // namespace mbsbench
