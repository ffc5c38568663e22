// Accelerations and reactions of random trees compared with Newton's and Euler's equations with
// multipliers.
#include <gtest/gtest.h>

#include <cstdio>

#include "problems/test_systems/random_trees.h"
#include "tests/methods/articulated_body/solver.h"
#include "tests/support/newton_euler_truth.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

struct Differences {
  double acceleration = 0, angular = 0, force = 0, torque = 0;
  double worst() const { return std::max({acceleration, angular, force, torque}); }
};

Differences Compare(const Observation& ours, const NewtonEulerTruth& truth) {
  return {
      RelativeDifference(ours.accelerations, truth.accelerations,
                         [](const BodyAcceleration& a) { return a.acceleration; }),
      RelativeDifference(ours.accelerations, truth.accelerations,
                         [](const BodyAcceleration& a) { return a.angular_acceleration; }),
      RelativeDifference(ours.reactions, truth.reactions,
                         [](const JointReaction& r) { return r.force; }),
      RelativeDifference(ours.reactions, truth.reactions,
                         [](const JointReaction& r) { return r.torque; }),
  };
}

Differences CompareOn(const RandomTree& tree) {
  const auto method = Prepare(tree.system);
  return Compare(ObserveAll(*method, tree.state), SolveNewtonEuler(tree.system, tree.state));
}

TEST(RandomTrees, AccelerationsAndReactionsObeyNewtonAndEuler) {
  double worst = 0;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const RandomTree tree = MakeRandomTree(seed, {.bodies = 1 + static_cast<int>(seed % 40)});
    const Differences d = CompareOn(tree);
    EXPECT_LT(d.worst(), 1e-10) << "seed " << seed << ": " << d.acceleration << " " << d.angular
                                << " " << d.force << " " << d.torque;
    Raise(worst, d.worst());
  }
  std::printf("worst of 100 random trees: %.2g of the largest value\n", worst);
}

TEST(RandomTrees, OfOneJointTypeObeyNewtonAndEuler) {
  for (JointType type : {JointType::kBall, JointType::kRevolute, JointType::kPrismatic,
                         JointType::kFixed, JointType::kFree}) {
    for (std::uint64_t seed = 200; seed < 210; ++seed) {
      const RandomTree tree = MakeRandomTree(seed, {.bodies = 8, .types = {type}});
      EXPECT_LT(CompareOn(tree).worst(), 1e-10) << Name(type) << ", seed " << seed;
    }
  }
}

// Aligned frames and diagonal inertias have separate kernels.
TEST(RandomTrees, WithAlignedFramesObeyNewtonAndEuler) {
  for (std::uint64_t seed = 300; seed < 320; ++seed) {
    RandomTree tree = MakeRandomTree(seed, {.bodies = 12,
                                            .types = {JointType::kBall, JointType::kRevolute,
                                                      JointType::kPrismatic, JointType::kFree}});
    RandomNumbers random(seed);
    for (Joint& joint : tree.system.joints) {
      joint.parent_frame.orientation = joint.child_frame.orientation = {};
      // On a principal axis of the body, so that the inertia about the joint stays diagonal.
      joint.child_frame.position = {random.Between(-1, 1), 0, 0};
    }
    for (Body& body : tree.system.bodies) body.inertia = Diagonal(0.03, 0.05, 0.07);
    tree.state = StateOf(tree.system, tree.state.joints);
    EXPECT_LT(CompareOn(tree).worst(), 1e-10) << "seed " << seed;
  }
}

// Every second body carries no mass and no inertia; revolutes and prismatics transmit the inertia
// outboard of them.
TEST(RandomTrees, WithMasslessLinksObeyNewtonAndEuler) {
  for (std::uint64_t seed = 400; seed < 420; ++seed) {
    RandomTree tree = MakeRandomTree(seed, {.bodies = 13,
                                            .types = {JointType::kRevolute, JointType::kPrismatic},
                                            .chain_likelihood = 1});
    for (std::size_t b = 1; b < 12; b += 2) {
      tree.system.bodies[b].mass = 0;
      tree.system.bodies[b].inertia = Diagonal(0, 0, 0);
    }
    for (Joint& joint : tree.system.joints) joint.parent = joint.child - 1;
    tree.state = StateOf(tree.system, tree.state.joints);
    EXPECT_LT(CompareOn(tree).worst(), 1e-10) << "seed " << seed;
  }
}

// Control: the comparison fails for a wrong sign anywhere in the truth.
TEST(RandomTrees, DisagreeWithATruthOfFlippedSigns) {
  const RandomTree tree = MakeRandomTree(41, {.bodies = 12,
                                              .types = {JointType::kBall, JointType::kRevolute,
                                                        JointType::kPrismatic, JointType::kFixed}});
  ASSERT_FALSE(tree.system.forces.Of<JointSpringDamper>().empty());
  const auto method = Prepare(tree.system);
  const Observation ours = ObserveAll(*method, tree.state);
  const auto off = [&](auto change) {
    RandomTree other = tree;
    change(other);
    other.state = StateOf(other.system, other.state.joints);
    return Compare(ours, SolveNewtonEuler(other.system, other.state)).worst();
  };
  EXPECT_LT(off([](RandomTree&) {}), 1e-10);
  EXPECT_GT(off([](RandomTree& t) { t.system.gravity = -t.system.gravity; }), 1e-3);
  EXPECT_GT(off([](RandomTree& t) {
              for (SpringDamper& e : t.system.forces.Of<SpringDamper>()) e.stiffness = -e.stiffness;
            }),
            1e-3);
  EXPECT_GT(off([](RandomTree& t) {
              for (SpringDamper& e : t.system.forces.Of<SpringDamper>()) e.damping = -e.damping;
            }),
            1e-3);
  EXPECT_GT(off([](RandomTree& t) {
              for (JointSpringDamper& e : t.system.forces.Of<JointSpringDamper>()) {
                e.stiffness = -e.stiffness;
              }
            }),
            1e-3);
  EXPECT_GT(off([](RandomTree& t) {
              for (AppliedForce& e : t.system.forces.Of<AppliedForce>()) e.moment = -e.moment;
            }),
            1e-3);
  EXPECT_GT(off([](RandomTree& t) {
              for (GroundSpring& e : t.system.forces.Of<GroundSpring>()) e.stiffness = -e.stiffness;
            }),
            1e-3);
  EXPECT_GT(off([](RandomTree& t) {
              for (GroundSpring& e : t.system.forces.Of<GroundSpring>()) e.damping = -e.damping;
            }),
            1e-3);
  EXPECT_GT(off([](RandomTree& t) {
              for (double& u : t.state.joints.u) u = -u;  // this affects dampers only
              for (SpringDamper& e : t.system.forces.Of<SpringDamper>()) e.damping = -e.damping;
              for (JointSpringDamper& e : t.system.forces.Of<JointSpringDamper>())
                e.damping = -e.damping;
              t.state.joints.u[0] = -t.state.joints.u[0];  // and this affects products of rates
            }),
            1e-4);
}

}  // namespace
}  // namespace mbsbench
