// The exact four-bar against the solution in maximal coordinates and against its own definition.
#include "reference/closed_forms/plane_four_bar.h"

#include <gtest/gtest.h>

#include "problems/catalog/catalog.h"
#include "reference/maximal_coordinates/forces.h"
#include "reference/maximal_coordinates/maximal_coordinates.h"
#include "reference/system/initial_motion.h"
#include "reference/trajectory.h"

namespace mbsbench::extended {
namespace {

double Magnitude(Real x) { return static_cast<double>(Abs(x)); }

TEST(PlaneFourBar, IsRecognisedByItsMechanismOnly) {
  Problem p = MakeProblem("fourbar");
  EXPECT_TRUE(PlaneFourBar::Of(p));
  p.initial.joints.u[1] = 0.1;  // the coupler spins: no longer planar
  EXPECT_FALSE(PlaneFourBar::Of(p));
  p = MakeProblem("fourbar");
  p.initial.joints.u[0] = 1;  // too slow to go round
  EXPECT_FALSE(PlaneFourBar::Of(p));
  p = MakeProblem("fourbar");
  p.system.forces.Of<GroundSpring>() = {{"spring", 0, {}, {0, 1, 0}, 1, 0, 0}};
  EXPECT_FALSE(PlaneFourBar::Of(p));
  EXPECT_FALSE(PlaneFourBar::Of(MakeProblem("pendulum")));
}

TEST(PlaneFourBar, StartsAtTheInitialStateAndReturnsAfterItsPeriod) {
  const Problem p = MakeProblem("fourbar");
  const std::optional<PlaneFourBar> four_bar = PlaneFourBar::Of(p);
  ASSERT_TRUE(four_bar);
  const Motion start = InitialMotion(SystemData(p.system), p);
  const Trajectory begin{{start}, {}, 0};
  for (Real t : {Real(0), four_bar->period(), 3695 * four_bar->period()}) {
    const Distance d = DistanceBetween(p, begin, {{four_bar->At(t)}, {}, 0});
    EXPECT_LT(d.position, 1e-27) << static_cast<double>(t);  // nearly 1000 s at the last
    EXPECT_LT(d.velocity, 1e-26);
  }
  EXPECT_GT(DistanceBetween(p, begin, {{four_bar->At(four_bar->period() / 2)}, {}, 0}).position,
            0.1);
}

// Printed: the period about 0.27059 s, the crank between 17.6 and 35.7 rad/s.
TEST(PlaneFourBar, HasThePrintedPeriodAndRates) {
  const std::optional<PlaneFourBar> four_bar = PlaneFourBar::Of(MakeProblem("fourbar"));
  ASSERT_TRUE(four_bar);
  EXPECT_NEAR(static_cast<double>(four_bar->period()), 0.27059, 5e-6);
  double slowest = 1e9, fastest = 0;
  for (int i = 0; i < 400; ++i) {
    const double rate =
        static_cast<double>(four_bar->At(four_bar->period() * i / 400)[0].angular_velocity.z);
    slowest = std::min(slowest, rate);
    fastest = std::max(fastest, rate);
  }
  std::printf("  period %s s, crank %.4f to %.4f rad/s\n", ToText(four_bar->period(), 30).c_str(),
              slowest, fastest);
  EXPECT_NEAR(slowest, 17.6, 0.05);
  EXPECT_NEAR(fastest, 35.7, 0.05);
}

// An error of the period would appear as a phase error: the crank runs at 20 rad/s and more.
TEST(PlaneFourBar, AgreesWithMaximalCoordinatesOverMoreThanATurn) {
  Problem p = MakeProblem("fourbar");
  p.end_time = 0.3;
  p.sample_times = {0, 0.05, 0.1, 0.15, 0.2, 0.25, 0.3};
  const std::optional<PlaneFourBar> four_bar = PlaneFourBar::Of(p);
  ASSERT_TRUE(four_bar);
  Trajectory exact;
  for (double t : p.sample_times) exact.samples.push_back(four_bar->At(t));
  const Trajectory solved = SolveInMaximalCoordinates(p, {.columns = 10, .tolerance = 1e-24});
  const Distance d = DistanceBetween(p, exact, solved);
  std::printf("  differ by %.1e, velocities %.1e\n", d.position, d.velocity);
  EXPECT_LT(d.position, 1e-21);  // so the period is right to 20 digits at least
  EXPECT_LT(d.velocity, 1e-20);
}

TEST(PlaneFourBar, SatisfiesItsJointsAndConservesEnergy) {
  const Problem p = MakeProblem("fourbar");
  const std::optional<PlaneFourBar> four_bar = PlaneFourBar::Of(p);
  ASSERT_TRUE(four_bar);
  const MaximalCoordinates equations(p.system);
  const Real start = EnergyOf(equations.system(), four_bar->At(0), {});
  for (double t : {0.123, 3.21, 9.99, 777.7}) {
    const Motion m = four_bar->At(t);
    EXPECT_LT(Magnitude(equations.Drift(m)), 1e-30) << t;
    EXPECT_LT(Magnitude(EnergyOf(equations.system(), m, {}) - start), 1e-29) << t;
  }
}

TEST(PlaneFourBar, MayTurnInTheOppositeDirection) {
  Problem p = MakeProblem("fourbar");
  for (double& u : p.initial.joints.u) u = -u;
  p.sample_times = {0, 0.07};
  const std::optional<PlaneFourBar> four_bar = PlaneFourBar::Of(p);
  ASSERT_TRUE(four_bar);
  const Trajectory solved = SolveInMaximalCoordinates(p, {.columns = 9, .tolerance = 1e-22});
  EXPECT_LT(DistanceBetween(p, {{four_bar->At(0), four_bar->At(0.07)}, {}, 0}, solved).position,
            1e-20);
}

}  // namespace
}  // namespace mbsbench::extended
