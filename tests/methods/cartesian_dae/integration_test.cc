// The method in IDA compared with exact and printed motions and with conserved quantities.
#include <gtest/gtest.h>

#include "harness/integrate/integrate.h"
#include "problems/catalog/catalog.h"
#include "problems/model/kinematics.h"
#include "tests/methods/cartesian_dae/formulation_under_test.h"
#include "tests/methods/cartesian_dae/random_system.h"
#include "tests/support/parameter_name.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

struct Result {
  IntegrationReport report;
  double error =
      0;  // largest difference to the printed values, less half a unit of their last digit
  double drift = 0;         // of constraints, position and velocity
  double energy_drift = 0;  // |E - E(0) - W| [J]
  int compared = 0;
};

Result Integrated(const System& system, const SystemState& state, const std::string& variant,
                  double tolerance, double end, const Problem* problem = nullptr) {
  const auto f = CartesianDae(system, variant);
  Result result;
  Sampling sampling;
  sampling.integrate_power = true;
  for (int k = 0; k <= 100; ++k) sampling.times.push_back(end * k / 100);
  const double initial_energy = EnergyOf(system, state.bodies).total();
  sampling.sink = [&](double t, std::span<const double> y, double work) {
    Observation o;
    ASSERT_TRUE(f->Observe(t, y, Detail::kMotion, o).ok());
    const ConstraintResidual c = ConstraintResiduals(system, o.bodies, 1, 0.3);
    Raise(result.drift, {c.position, c.velocity});
    Raise(result.energy_drift,
          std::abs(EnergyOf(system, o.bodies).total() - initial_energy - work));
    if (problem == nullptr) return;
    for (const PublishedValue& value : problem->published) {
      if (std::abs(value.time - t) > 1e-9) continue;
      const Observable& observable =
          problem->observables[static_cast<std::size_t>(value.observable)];
      const double difference =
          std::abs(Difference(observable, Evaluate(observable, o.bodies), value.value));
      Raise(result.error, difference - 0.5 * value.last_digit);
      ++result.compared;
    }
  };
  IntegrationSettings settings;
  settings.integrator = "ida";
  settings.end_time = end;
  settings.tolerance = tolerance;
  result.report = Integrate(*f, state, settings, sampling);
  return result;
}

Result RunProblem(const std::string& name, const std::string& variant, double tolerance) {
  const Problem problem = MakeProblem(name);
  const Assembly assembly = Assemble(problem.system, problem.initial, problem.length);
  return Integrated(problem.system, assembly.state, variant, tolerance, problem.end_time, &problem);
}

void ExpectAccurate(const Result& result, double bound) {
  EXPECT_EQ(result.report.outcome, IntegrationReport::Outcome::kOk) << result.report.reason;
  EXPECT_GT(result.compared, 0);
  EXPECT_LT(result.error, bound);
}

class StabilisedVariants : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(CartesianDae, StabilisedVariants, testing::Values("ggl", "baumgarte"),
                         NameOfParameter);

// The comment of each line states the measured errors of ggl and baumgarte.
TEST_P(StabilisedVariants, PendulumOfAPointMassFollowsItsExactSolution) {
  ExpectAccurate(RunProblem("pendulum", GetParam(), 1e-13), 1e-8);  // 2e-10, 2e-10
}
TEST_P(StabilisedVariants, DoublePendulumOfPointMassesReachesThePrintedAngles) {
  ExpectAccurate(RunProblem("dpend18", GetParam(), 1e-12), 1e-8);  // 2e-9, 2e-9
}
TEST_P(StabilisedVariants, BranchOfFourRodsReachesThePrintedAngles) {
  ExpectAccurate(RunProblem("branch4", GetParam(), 1e-10), 2e-7);  // 3e-8, 4e-8
  ExpectAccurate(RunProblem("branch4", GetParam(), 1e-13), 1e-9);  // 3e-11, 1e-10
}
TEST_P(StabilisedVariants, BranchOfTwelveRodsReachesThePrintedAngles) {
  ExpectAccurate(RunProblem("branchN:bodies=12", GetParam(), 1e-12), 1e-8);  // 9e-11, 7e-11
}

TEST(CartesianDae, GglKeepsConstraintsAtTheToleranceOfItsNewtonIteration) {
  const Result result = RunProblem("branch4", "ggl", 1e-10);
  EXPECT_LT(result.drift, 2e-9);         // 7e-11
  EXPECT_LT(result.energy_drift, 1e-6);  // 6e-8
}

TEST(CartesianDae, Index3FailsAtATightToleranceWithAReason) {
  const Result result = RunProblem("branch4", "index3", 1e-8);
  EXPECT_NE(result.report.outcome, IntegrationReport::Outcome::kOk);
  EXPECT_NE(result.report.reason.find("t = "), std::string::npos) << result.report.reason;
  EXPECT_LT(result.report.time_reached, 5);
}

TEST_P(StabilisedVariants, TreeOfAllJointsAndForcesBalancesItsEnergy) {
  RandomSystem random(31);
  const System system = random.Tree();
  const SystemState state = random.MakeState(system);
  const Result loose = Integrated(system, state, GetParam(), 1e-8, 0.5),
               tight = Integrated(system, state, GetParam(), 1e-11, 0.5);
  ASSERT_EQ(tight.report.outcome, IntegrationReport::Outcome::kOk) << tight.report.reason;
  EXPECT_GT(std::abs(tight.report.work), 1)
      << "dampers and loads have to work, or this sees nothing";
  EXPECT_LT(tight.energy_drift, 1e-6);  // 1e-8, 2e-8
  EXPECT_LT(tight.energy_drift, 0.1 * loose.energy_drift);
  EXPECT_LT(tight.drift, 1e-8);  // 3e-11, 4e-10
}

TEST_P(StabilisedVariants, SpatialLoopOfBallAndDistanceJointsKeepsEnergyAndClosure) {
  // Crank on the ground, coupler on a ball, the coupler's end at constant distance from a point of
  // the ground.
  RandomSystem random(32);
  System system;
  system.bodies = {random.MakeBody("crank"), random.MakeBody("coupler")};
  Joint crank;
  crank.name = "crank pin";
  crank.type = JointType::kRevolute;
  crank.child_frame.position = {-0.5, 0, 0};
  Joint ball;
  ball.name = "ball";
  ball.parent = 0;
  ball.child = 1;
  ball.parent_frame.position = {0.5, 0, 0};
  ball.child_frame.position = {-0.7, 0.1, 0};
  Joint rocker;
  rocker.name = "rocker";
  rocker.type = JointType::kDistance;
  rocker.child = 1;
  rocker.parent_frame.position = {2, 0.3, 0.4};
  rocker.child_frame.position = {0.7, 0, 0.2};
  system.joints = {crank, ball};
  InitialCondition initial;
  initial.joints = {{0.4, 1, 0, 0, 0}, {3, 0, 0, 0}};
  const std::vector<BodyState> open = ForwardKinematics(system, initial.joints);
  rocker.length = Norm(open[1].position + Rotate(open[1].orientation, rocker.child_frame.position) -
                       rocker.parent_frame.position);
  system.loop_joints = {rocker};
  initial.dependent_joints = {1};
  const SystemState state = Assemble(system, initial, 1).state;
  const Result result = Integrated(system, state, GetParam(), 1e-10, 1);
  ASSERT_EQ(result.report.outcome, IntegrationReport::Outcome::kOk) << result.report.reason;
  EXPECT_LT(result.energy_drift, 2e-6);  // 2e-8, 9e-8
  EXPECT_LT(result.drift, 1e-7);         // 2e-10, 4e-9
}

}  // namespace
}  // namespace mbsbench
