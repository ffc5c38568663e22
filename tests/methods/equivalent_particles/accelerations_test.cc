// Accelerations, reactions and states of random trees and loops compared with the 113-bit reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "methods/equivalent_particles/equivalent_particles.h"
#include "problems/model/kinematics.h"
#include "problems/test_systems/random_loops.h"
#include "reference/reference.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

struct Errors {
  double state = 0, acceleration = 0, reaction = 0;
};

Errors ErrorsOn(const RandomTree& random) {
  const ReferenceDynamics truth = ReferenceAccelerations(random.system, random.state.joints);
  const auto formulation = EquivalentParticlesEntry().prepare(random.system, {"index1"});
  std::vector<double> y(formulation->state_size());
  EXPECT_TRUE(formulation->Initialise(0, random.state, y).ok());
  Observation seen;
  EXPECT_TRUE(formulation->Observe(0, y, Detail::kReactions, seen).ok());
  Errors errors;
  double a = 0, alpha = 0, force = 0, torque = 0;
  for (const auto& b : truth.accelerations) {
    a = std::max(a, Norm(b.acceleration)), alpha = std::max(alpha, Norm(b.angular_acceleration));
  }
  for (const auto& r : truth.reactions) {
    force = std::max(force, Norm(r.force)), torque = std::max(torque, Norm(r.torque));
  }
  // Trees of prismatic joints do not rotate, so their angular scale is round-off.
  const auto relative = [](double error, double scale) {
    return scale > 1e-9 ? error / scale : error;
  };
  for (std::size_t b = 0; b < truth.bodies.size(); ++b) {
    const BodyState &mine = seen.bodies[b], &exact = truth.bodies[b];
    Raise(errors.state,
          {Norm(mine.position - exact.position), AngleBetween(mine.orientation, exact.orientation),
           Norm(mine.velocity - exact.velocity),
           Norm(mine.angular_velocity - exact.angular_velocity)});
    const auto& a_mine = seen.accelerations[b];
    const auto& a_exact = truth.accelerations[b];
    Raise(errors.acceleration,
          {relative(Norm(a_mine.acceleration - a_exact.acceleration), a),
           relative(Norm(a_mine.angular_acceleration - a_exact.angular_acceleration), alpha)});
  }
  for (std::size_t j = 0; j < truth.reactions.size(); ++j) {
    Raise(errors.reaction,
          {relative(Norm(seen.reactions[j].force - truth.reactions[j].force), force),
           relative(Norm(seen.reactions[j].torque - truth.reactions[j].torque), torque)});
  }
  return errors;
}

class EquivalentParticlesOnTrees : public testing::TestWithParam<JointType> {};

// One joint type at a time, so that a failure names the type. The last case has all types.
INSTANTIATE_TEST_SUITE_P(Joints, EquivalentParticlesOnTrees,
                         testing::Values(JointType::kBall, JointType::kRevolute,
                                         JointType::kPrismatic, JointType::kFree,
                                         JointType::kFixed),
                         [](const auto& type) { return std::string(Name(type.param)); });

TEST_P(EquivalentParticlesOnTrees, AgreeWithTheReference) {
  Errors worst;
  for (int k = 0; k < 12; ++k) {
    RandomTreeOptions options;
    options.bodies = 1 + k;
    options.types = {GetParam()};
    if (GetParam() == JointType::kFixed) options.types.push_back(JointType::kBall);
    const Errors e = ErrorsOn(MakeRandomTree(static_cast<std::uint64_t>(100 + k), options));
    Raise(worst.state, e.state);
    Raise(worst.acceleration, e.acceleration);
    Raise(worst.reaction, e.reaction);
    EXPECT_LT(e.state, 1e-12) << "tree " << k;
    EXPECT_LT(e.acceleration, 1e-10) << "tree " << k;
    EXPECT_LT(e.reaction, 1e-10) << "tree " << k;
  }
  std::printf("  worst states %.1e, accelerations %.1e, reactions %.1e\n", worst.state,
              worst.acceleration, worst.reaction);
}

// A particle on the far hinge of the long body would lie nearly in one plane
// with the other particles of the small one.
TEST(EquivalentParticles, ASmallBodyCarryingAVeryLongOneAgreesWithTheReference) {
  Errors worst;
  for (int k = 0; k < 12; ++k) {
    RandomTreeOptions options;
    options.bodies = 3;
    options.types = {JointType::kRevolute};
    RandomTree tree = MakeRandomTree(static_cast<std::uint64_t>(300 + k), options);
    System& system = tree.system;
    constexpr double kScale = 1e-5;
    for (double& entry : system.bodies[0].inertia.entries) entry *= kScale * kScale;
    for (Joint& joint : system.joints) {
      if (joint.child == 0) joint.child_frame.position = kScale * joint.child_frame.position;
      if (joint.parent == 0) joint.parent_frame.position = kScale * joint.parent_frame.position;
    }
    tree.state.bodies = ForwardKinematics(system, tree.state.joints);
    ASSERT_TRUE(EquivalentParticlesEntry().supports(system, {"index1"}).supported);
    const Errors e = ErrorsOn(tree);
    Raise(worst.state, e.state);
    Raise(worst.acceleration, e.acceleration);
  }
  std::printf("  worst states %.1e, accelerations %.1e\n", worst.state, worst.acceleration);
  // The distance of the far hinge is 1e5 times that of the small body's particles, which costs five digits. Measured
  // 3.5e-11 and 2e-9.
  EXPECT_LT(worst.state, 1e-9);
  EXPECT_LT(worst.acceleration, 1e-8);
}

// Three particles in its plane carry a lamina, and the third direction is their vector product.
TEST(EquivalentParticles, LaminasThatTurnInSpaceAgreeWithTheReference) {
  for (int k = 0; k < 12; ++k) {
    RandomTreeOptions options;
    options.bodies = 1 + k % 3;
    options.types = {JointType::kBall};
    options.force_elements = false;
    RandomTree tree = MakeRandomTree(static_cast<std::uint64_t>(400 + k), options);
    System& system = tree.system;
    for (Body& body : system.bodies) body.inertia = Diagonal(0.02, 0.03, 0.05);
    for (Joint& joint : system.joints) {
      joint.child_frame.position.z = 0;
      if (joint.parent >= 0) joint.parent_frame.position.z = 0;
    }
    tree.state.bodies = ForwardKinematics(system, tree.state.joints);
    const Errors e = ErrorsOn(tree);
    EXPECT_LT(e.state, 1e-12) << "tree " << k;
    EXPECT_LT(e.acceleration, 1e-10) << "tree " << k;
    EXPECT_LT(e.reaction, 1e-10) << "tree " << k;
  }
}

// Two particles carry a point on a massless rod, a pendulum of 0.8 m in a plane: l phi'' = -g sin phi.
TEST(EquivalentParticles, ARodOfTwoParticlesMovesAsAPendulum) {
  constexpr double kLength = 0.8, kAngle = 0.7, kRate = 1.3, kGravity = 9.81;
  System system;
  system.gravity = {0, -kGravity, 0};
  Body body;
  body.name = "bob";
  body.mass = 2;
  body.is_point = true;
  system.bodies = {body};
  Joint joint;
  joint.name = "pivot";
  joint.child = 0;
  joint.child_frame.position = {0, kLength, 0};
  system.joints = {joint};
  SystemState state;
  state.joints = {{std::cos(kAngle / 2), 0, 0, std::sin(kAngle / 2)}, {0, 0, kRate}};
  state.bodies = ForwardKinematics(system, state.joints);
  const auto formulation = EquivalentParticlesEntry().prepare(system, {"index1"});
  std::vector<double> y(formulation->state_size());
  ASSERT_TRUE(formulation->Initialise(0, state, y).ok());
  Observation seen;
  ASSERT_TRUE(formulation->Observe(0, y, Detail::kAccelerations, seen).ok());
  EXPECT_NEAR(seen.bodies[0].angular_velocity.z, kRate, 1e-14);
  EXPECT_NEAR(seen.accelerations[0].angular_acceleration.z, -kGravity / kLength * std::sin(kAngle),
              1e-12);
}

TEST(EquivalentParticles, AgreeWithTheReferenceOnLoopsOfEveryType) {
  for (JointType type : {JointType::kBall, JointType::kRevolute, JointType::kPrismatic,
                         JointType::kFixed, JointType::kDistance}) {
    Errors worst;
    for (int k = 0; k < 8; ++k) {
      RandomLoopOptions options;
      options.loops = 1 + k % 3;
      options.loop_types = {type};
      options.tree.bodies = 5 + 2 * k;
      const Errors e = ErrorsOn(MakeRandomLoops(static_cast<std::uint64_t>(50 + k), options));
      Raise(worst.state, e.state);
      Raise(worst.acceleration, e.acceleration);
      Raise(worst.reaction, e.reaction);
    }
    std::printf("  %-10s worst states %.1e, accelerations %.1e, reactions %.1e\n",
                std::string(Name(type)).c_str(), worst.state, worst.acceleration, worst.reaction);
    EXPECT_LT(worst.state, 1e-12) << Name(type);
    EXPECT_LT(worst.acceleration, 1e-9) << Name(type);
    EXPECT_LT(worst.reaction, 1e-9) << Name(type);
  }
}

}  // namespace
}  // namespace mbsbench
