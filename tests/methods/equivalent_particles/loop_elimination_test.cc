// Cut joints by elimination where loops meet, compared with columns of all rows.
#include "methods/loops/loop_elimination.h"

#include <gtest/gtest.h>

#include <optional>

#include "methods/equivalent_particles/body_motion.h"
#include "methods/equivalent_particles/loops.h"
#include "problems/catalog/catalog.h"
#include "problems/model/eigen.h"
#include "problems/model/kinematics.h"
#include "tests/support/loop_elimination.h"

namespace mbsbench::equivalent_particles {
namespace {

using Use = LoopElimination::Use;

// With the accelerations of all slots.
struct Closed : ClosedLoops {
  double left = 0;  // of the rows' second derivatives
};

std::optional<Closed> CloseBy(Use use, const System& system, const SystemState& state) {
  const ParticleTree tree = MakeParticleTree(system);
  MomentSums sums(tree, ToEigen(system.gravity), true);
  std::vector<double> positions(3 * static_cast<std::size_t>(tree.particles)),
      velocities(positions.size());
  BodyMotion(tree).ParticlesOf(state.bodies, positions.data(), velocities.data());
  SpreadOverSlots(tree, positions.data(), sums.positions());
  SpreadOverSlots(tree, velocities.data(), sums.velocities());
  Loops loops(system, tree, use);
  loops.Start(0, state.joints);
  loops.SetStarting(true);
  EXPECT_TRUE(sums.Solve().ok());
  if (!loops.Close(sums).ok()) return std::nullopt;
  Closed closed;
  for (int i = 0; i < tree.slots; ++i) {
    for (double a : sums.accelerations()[i]) closed.accelerations.push_back(a);
  }
  closed.multipliers.assign(loops.multipliers().begin(), loops.multipliers().end());
  for (const CutRow& row : loops.cuts().rows())
    Raise(closed.left, std::abs(loops.cuts().Acceleration(row, sums.positions(), sums.velocities(),
                                                          sums.accelerations())));
  return closed;
}

bool ExpectAlike(const System& system, const SystemState& state, double tolerance) {
  const std::optional<Closed> columns = CloseBy(Use::kNever, system, state),
                              elimination = CloseBy(Use::kAlways, system, state);
  const bool differs = mbsbench::ExpectAlike(columns, elimination, tolerance);
  if (!elimination) return false;
  double size = 1;
  for (double a : elimination->accelerations) size = std::max(size, std::abs(a));
  EXPECT_LT(elimination->left, 1e-10 * size);
  return differs;
}

TEST(ParticlesWithLoops, AgreeWithColumnsOnRandomSystemsOfOneToThirtyLoops) {
  int systems = 0;
  for (int k = 0; k < 50; ++k) {
    RandomLoopOptions options = OneToThirtyLoops(k, 1e-4);
    options.loop_types = options.loops > 8 ? std::vector{JointType::kDistance, JointType::kBall}
                                           : std::vector{JointType::kBall, JointType::kRevolute,
                                                         JointType::kPrismatic, JointType::kFixed,
                                                         JointType::kDistance};
    const RandomTree random = MakeRandomLoops(static_cast<std::uint64_t>(43'000 + k), options);
    SCOPED_TRACE("system " + std::to_string(k));
    if (ExpectAlike(random.system, random.state, 1e-7)) ++systems;
  }
  EXPECT_GE(systems, 40);
}

TEST(ParticlesWithLoops, AgreeWithColumnsForEveryTypeOfJointInTreeAndLoop) {
  int systems = 0;
  for (JointType in_tree :
       {JointType::kBall, JointType::kRevolute, JointType::kPrismatic, JointType::kFree}) {
    for (JointType in_loop : {JointType::kBall, JointType::kRevolute, JointType::kPrismatic,
                              JointType::kFixed, JointType::kDistance}) {
      const RandomTree random = MakeRandomLoops(44'000 + static_cast<std::uint64_t>(in_loop),
                                                TwoLoopsWith(in_tree, in_loop));
      SCOPED_TRACE(std::string(Name(in_tree)) + " and " + std::string(Name(in_loop)));
      if (ExpectAlike(random.system, random.state, 1e-10)) ++systems;
    }
  }
  EXPECT_GE(systems, 18);
}

TEST(ParticlesWithLoops, LeaveMechanismsWithRedundantRowsToColumns) {
  for (const RedundantMechanism& mechanism : RedundantMechanisms()) {
    SCOPED_TRACE(mechanism.name);
    if (!mechanism.system.drivers.empty()) continue;
    ExpectSame(CloseBy(Use::kNever, mechanism.system, mechanism.state),
               CloseBy(Use::kAlways, mechanism.system, mechanism.state));
  }
}

// Rods without thickness: their spin is undetermined.
TEST(ParticlesWithLoops, AgreeWithColumnsForRodsOfTwoParticles) {
  Problem ladder = MakeProblem("ladder:bodies=60,loops=15");
  for (Body& body : ladder.system.bodies) body.inertia(0, 0) = 0;
  for (double& u : ladder.initial.joints.u) u = 0;
  const SystemState state{ladder.initial.joints,
                          ForwardKinematics(ladder.system, ladder.initial.joints)};
  EXPECT_TRUE(ExpectAlike(ladder.system, state, 1e-10));
}

}  // namespace
}  // namespace mbsbench::equivalent_particles
