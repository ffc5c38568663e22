// classical-mstmm on closed loops: supplement equations, compared with the 113-bit reference formulation.
#include "harness/support/support.h"
#include "problems/test_systems/random_loops.h"
#include "tests/methods/classical_mstmm/trees.h"

namespace mbsbench {
namespace {

// Measured: 3e-14.
TEST(ClassicalLoops, GeneralAgreesWithTheReferenceOnRandomSystemsOfOneToThreeLoops) {
  int systems = 0;
  for (int k = 0; k < 50; ++k) {
    RandomLoopOptions options;
    options.loops = 1 + k % 3;
    options.tree.bodies = 4 + (k * 7) % 37;
    const RandomTree random = MakeRandomLoops(static_cast<std::uint64_t>(5000 + k), options);
    if (LongestPath(random.system) > 10) continue;
    EXPECT_LT(DistanceToReference(random.system, random.state, {"general"}).largest(), 1e-9)
        << "system " << k << ", " << options.tree.bodies << " bodies";
    ++systems;
  }
  EXPECT_GE(systems, 25);
}

TEST(ClassicalLoops, EveryTypeOfCutJointAgreesWithTheReference) {
  for (JointType type : {JointType::kBall, JointType::kRevolute, JointType::kPrismatic,
                         JointType::kFixed, JointType::kDistance, JointType::kUniversal}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      RandomLoopOptions options;
      options.tree.bodies = 7;
      options.tree.types = {JointType::kBall, JointType::kRevolute};
      options.loop_types = {type};
      const RandomTree random = MakeRandomLoops(9000 + seed, options);
      EXPECT_LT(DistanceToReference(random.system, random.state, {"general"}).largest(), 1e-10)
          << Name(type) << ", seed " << seed;
    }
  }
}

// Hinges with transfer matrices, and cut joints. Bodies with a nearly singular u_32 cost digits.
TEST(ClassicalLoops, PaperAgreesWithTheReferenceOnBallJointedLoops) {
  std::vector<double> distances;
  for (int k = 0; k < 30; ++k) {
    RandomLoopOptions options;
    options.loops = 1 + k % 2;
    options.tree.bodies = 4 + k % 9;
    options.tree.types = {JointType::kBall};
    const RandomTree random = MakeRandomLoops(static_cast<std::uint64_t>(6000 + k), options);
    if (LongestPath(random.system) > 8) continue;
    ASSERT_TRUE(VerdictOf(ClassicalMstmmEntry(), random.system, {"paper"}).supported);
    distances.push_back(DistanceToReference(random.system, random.state, {"paper"}).largest());
  }
  ASSERT_GE(distances.size(), 20u);
  std::sort(distances.begin(), distances.end());
  EXPECT_LT(distances[distances.size() / 2], 1e-11);
  EXPECT_LT(distances.back(), 1e-6);
}

// A four-bar of four parallel pins: it is redundant out of the plane, where its reactions are not unique.
TEST(ClassicalLoops, PlanarFourBarAgreesWithTheReferenceThoughItIsRedundantInSpace) {
  System system;
  const double lengths[] = {0.3, 0.8, 0.7};
  for (int k = 0; k < 3; ++k) {
    Body rod;
    rod.name = std::to_string(k);
    rod.mass = lengths[k];
    const double J = rod.mass * lengths[k] * lengths[k] / 12;
    rod.inertia = Diagonal(0.01 * J, J, J);
    system.bodies.push_back(rod);
  }
  const auto pin = [](const char* name, int parent, double x_p, int child, double x_c) {
    return Joint{name, JointType::kRevolute, parent, child, {{x_p, 0, 0}, {}}, {{x_c, 0, 0}, {}},
                 0};
  };
  system.joints = {pin("crank", kGround, 0, 0, -0.15), pin("coupler", 0, 0.15, 1, -0.4),
                   pin("rocker", kGround, 1, 2, -0.35)};
  system.loop_joints = {pin("cut", 1, 0.4, 2, 0.35)};
  InitialCondition initial;
  // crank at 0.4 rad; coupler and rocker above the line from its end to the ground pin
  const double x = 1 - 0.3 * std::cos(0.4), y_end = -0.3 * std::sin(0.4),
               span = std::hypot(x, y_end);
  const double line = std::atan2(y_end, x);
  const double coupler = line + std::acos((0.64 + span * span - 0.49) / (2 * 0.8 * span));
  const double rocker = line + M_PI - std::acos((0.49 + span * span - 0.64) / (2 * 0.7 * span));
  initial.joints = {{0.4, coupler - 0.4, rocker}, {20, 0, 0}};
  initial.dependent_joints = {1, 2};
  const SystemState state = Assemble(system, initial, 1).state;
  for (const char* variant : {"general", "paper"}) {
    ASSERT_TRUE(VerdictOf(ClassicalMstmmEntry(), system, {variant}).supported);
    EXPECT_LT(DistanceToReference(system, state, {variant}).acceleration, 1e-11) << variant;
    const auto formulation = PrepareClassical(system, {variant});
    std::vector<double> y(formulation->state_size());
    ASSERT_TRUE(formulation->Initialise(0, state, y).ok());
    Observation ours;
    ASSERT_TRUE(formulation->Observe(0, y, Detail::kReactions, ours).ok());
    EXPECT_EQ(ours.reactions.back().unique,
              (UniqueComponents{{true, true, false, false, false, true}}))
        << "in the plane alone";
  }
}

TEST(ClassicalLoops, ProjectionIsTheDefaultAndStabilisationAppliesToLoopsOnly) {
  const RandomTree loops = MakeRandomLoops(3);
  EXPECT_TRUE(PrepareClassical(loops.system, {"general", "projected"})->projection());
  EXPECT_TRUE(VerdictOf(ClassicalMstmmEntry(), loops.system, {"general", "baumgarte"}).supported);
  const RandomTree tree = MakeRandomTree(3);
  EXPECT_FALSE(VerdictOf(ClassicalMstmmEntry(), tree.system, {"general", "baumgarte"}).supported);
}

}  // namespace
}  // namespace mbsbench
