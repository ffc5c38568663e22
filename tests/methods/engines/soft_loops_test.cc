// MuJoCo's loops are equality constraints that give way: their errors against the 113-bit reference.
#include <gtest/gtest.h>

#include <algorithm>

#include "harness/records/untried_limits.h"
#include "harness/runner/cells/method_choice.h"
#include "harness/support/support.h"
#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "problems/model/kinematics.h"
#include "problems/test_systems/redundant_mechanisms.h"
#include "reference/reference.h"
#include "tests/methods/engines/engine_motion.h"
#include "tests/methods/engines/engines.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

class SoftLoops : public WithEngine {
 protected:
  SoftLoops() : WithEngine("mujoco") {}

  // The largest error of the accelerations, in units of gravity or of the largest one.
  double ErrorAt(const System& system, const SystemState& state, const std::string& variant) const {
    const ReferenceDynamics truth = ReferenceAccelerations(system, state.joints);
    const auto formulation = method_->prepare(system, {variant});
    std::vector<double> y(formulation->state_size());
    EXPECT_TRUE(formulation->Initialise(0, state, y).ok());
    Observation seen;
    EXPECT_TRUE(formulation->Observe(0, y, Detail::kReactions, seen).ok());
    EXPECT_TRUE(seen.reactions.empty());
    double scale = Norm(system.gravity), worst = 0;
    for (std::size_t b = 0; b < truth.accelerations.size(); ++b) {
      const auto& exact = truth.accelerations[b];
      scale = std::max({scale, Norm(exact.acceleration), Norm(exact.angular_acceleration)});
      Raise(worst, {Norm(seen.accelerations[b].acceleration - exact.acceleration),
                    Norm(seen.accelerations[b].angular_acceleration - exact.angular_acceleration)});
    }
    return worst / scale;
  }
};

// At rest, since MuJoCo's constraints leave out the accelerations at constant rates.
TEST_F(SoftLoops, OfMechanismsAtRestAreNearTheReferenceAndTheHardOnesAreNearer) {
  int mechanisms = 0;
  for (const RedundantMechanism& mechanism : RedundantMechanisms()) {
    if (!VerdictOf(*method_, mechanism.system, {"hard"}).supported) continue;
    const double soft = ErrorAt(mechanism.system, mechanism.state, "soft");
    const double hard = ErrorAt(mechanism.system, mechanism.state, "hard");
    std::printf("  %-16s soft %.1e, hard %.1e\n", mechanism.name.c_str(), soft, hard);
    EXPECT_LT(hard, 1e-2) << mechanism.name;
    EXPECT_LE(hard, soft) << mechanism.name;
    ++mechanisms;
  }
  EXPECT_GE(mechanisms, 5);
}

// Two bars on one axis, welded to each other at an angle: they fall as one body.
TEST_F(SoftLoops, HoldAFixedJointByAWeld) {
  System system;
  system.gravity = {0, -9.81, 0};
  for (const char* name : {"a", "b"}) {
    Body bar;
    bar.name = name;
    bar.mass = 1;
    bar.inertia = Diagonal(0.01, 0.1, 0.1);
    Joint pin;
    pin.name = std::string("pin ") + name;
    pin.type = JointType::kRevolute;
    pin.child = static_cast<int>(system.bodies.size());
    pin.child_frame.position = {-0.5, 0, 0};
    system.bodies.push_back(bar);
    system.joints.push_back(pin);
  }
  SystemState state;
  state.joints = {{0.2, 1.1}, {0, 0}};
  state.bodies = ForwardKinematics(system, state.joints);
  Joint weld;
  weld.name = "weld";
  weld.type = JointType::kFixed;
  weld.parent = 0;
  weld.child = 1;
  weld.child_frame.position = {-0.5, 0, 0};
  weld.parent_frame = {{-0.5, 0, 0}, AxisAngle({0, 0, 1}, 0.9)};
  system.loop_joints = {weld};
  const double soft = ErrorAt(system, state, "soft"), hard = ErrorAt(system, state, "hard");
  std::printf("  weld: soft %.1e, hard %.1e\n", soft, hard);
  EXPECT_LT(hard, 1e-2);
  EXPECT_LT(hard, soft);
}

// From rest. In the plane a ball at the top moves the bars as the universal joint of the problem does.
TEST_F(SoftLoops, MoveAFourBarAwayFromTheReferenceByMoreThanAMillionthAndLessThanATenth) {
  Problem problem = MakeProblem("fourbar");
  std::ranges::fill(problem.initial.joints.u, 0);
  problem.end_time = 0.5;
  std::erase_if(problem.sample_times, [&](double t) { return t > problem.end_time; });
  const SystemState start = Assemble(problem.system, problem.initial, problem.length).state;
  const Reference reference = SolveUncertified(problem);
  EXPECT_FALSE(VerdictOf(*method_, problem.system, {"soft"}).supported) << "a universal joint";
  System system = problem.system;
  system.loop_joints[0].type = JointType::kBall;
  for (const char* variant : {"soft", "hard"}) {
    const auto formulation = method_->prepare(system, {variant});
    const auto [report, accuracy] =
        MotionBy(*formulation, problem, &reference, start,
                 {.integrator = "dopri5", .end_time = problem.end_time, .tolerance = 1e-8});
    ASSERT_EQ(IntegrationReport::Outcome::kOk, report.outcome) << report.reason;
    std::printf("  four-bar, %s: error %.1e, constraints %.1e\n", variant, accuracy.error->max,
                accuracy.position_drift_max);
    EXPECT_GT(accuracy.error->max, 1e-6) << variant;
    EXPECT_LT(accuracy.error->max, 1e-1) << variant;
  }
}

TEST_F(SoftLoops, PromiseNothingAndAreVariantsForLoopsAlone) {
  const std::vector<MethodChoice> variants = VariantsOf(*method_);
  ASSERT_EQ(3u, variants.size());
  EXPECT_EQ("mujoco", variants[0].spec);
  const System tree = MakeProblem("branch4").system, loop = MakeProblem("bricard").system;
  for (const MethodChoice& variant : variants) {
    const bool is_soft = &variant != &variants.front();
    EXPECT_EQ(!is_soft, Keeps(kTimes, LimitsOf(variant))) << variant.spec;
    EXPECT_EQ(!is_soft, Keeps(kEquations, LimitsOf(variant))) << variant.spec;
    EXPECT_EQ(!is_soft, VerdictOf(*method_, tree, variant.options).supported) << variant.spec;
    EXPECT_EQ(is_soft, VerdictOf(*method_, loop, variant.options).supported) << variant.spec;
  }
}

}  // namespace
}  // namespace mbsbench
