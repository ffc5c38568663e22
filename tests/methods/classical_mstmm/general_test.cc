// classical-mstmm:general compared with the 113-bit reference formulation, and with its own claims.
#include "harness/support/support.h"
#include "problems/catalog/catalog.h"
#include "tests/methods/classical_mstmm/trees.h"

namespace mbsbench {
namespace {

// Measured: 6e-14.
TEST(ClassicalGeneral, AgreesWithTheReferenceOnRandomTreesWithPathsUpToTenBodies) {
  int trees = 0;
  for (std::uint64_t seed = 1; seed <= 150; ++seed) {
    RandomTreeOptions options;
    options.bodies = 1 + static_cast<int>((seed * 7) % 40);
    const RandomTree tree = MakeRandomTree(seed, options);
    if (LongestPath(tree.system) > 10) continue;
    EXPECT_LT(DistanceToReference(tree.system, tree.state, {"general"}).largest(), 1e-9)
        << "seed " << seed << ", " << options.bodies << " bodies";
    ++trees;
  }
  EXPECT_GE(trees, 50);
}

TEST(ClassicalGeneral, EachJointTypeAloneAgreesWithTheReference) {
  for (JointType type : {JointType::kBall, JointType::kRevolute, JointType::kPrismatic,
                         JointType::kFixed, JointType::kFree}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      const RandomTree tree = MakeRandomTree(1000 + seed, {.bodies = 6, .types = {type}});
      EXPECT_LT(DistanceToReference(tree.system, tree.state, {"general"}).largest(), 1e-11)
          << Name(type) << ", seed " << seed;
    }
  }
}

// Revolutes and fixed joints in one plane are solved in the 7 x 7 form: half the unknowns per tip.
TEST(ClassicalGeneral, PlanarTreesAgreeWithTheReferenceInTheSevenBySevenForm) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    RandomTreeOptions options;
    options.bodies = 1 + static_cast<int>(seed % 15);
    options.types = {JointType::kRevolute, JointType::kRevolute, JointType::kFixed};
    options.planar = true;
    const RandomTree tree = MakeRandomTree(700 + seed, options);
    EXPECT_LT(DistanceToReference(tree.system, tree.state, {"general"}).largest(), 1e-11)
        << "seed " << seed;
  }
  const std::string text = ClassicalMstmmEntry().explain(MakeProblem("chainN").system, {"general"});
  EXPECT_NE(text.find("7 x 7"), std::string::npos);
}

// A block on a rail, a pendulum on the block: a sliding hinge of the plane.
TEST(ClassicalGeneral, PlanarSlidersAgreeWithTheReference) {
  RandomNumbers random(5);
  const Quaternion along_x{M_SQRT1_2, 0, M_SQRT1_2, 0};
  for (const char* variant : {"general", "paper"}) {
    for (int trial = 0; trial < 10; ++trial) {
      System system;
      Joint rail{"rail", JointType::kPrismatic, kGround, 0, {{}, along_x}, {{}, along_x}, 0};
      // the sleeve slides normal to the rod's axis, so that its hinge matrix exists
      const Quaternion along_y{M_SQRT1_2, -M_SQRT1_2, 0, 0};
      Joint sleeve{"sleeve", JointType::kPrismatic, 1, 2, {{-0.2, 0, 0}, along_y}, {{}, along_y},
                   0};
      // off the block's centre, so that its hinge matrix exists
      Joint pin{"pin", JointType::kRevolute, 0, 1, {{0.1, 0.3, 0}, {}}, {{-0.5, 0, 0}, {}}, 0};
      for (int b = 0; b < 3; ++b) {
        Body body;
        body.name = std::to_string(b);
        body.mass = 1 + b;
        body.inertia = Diagonal(0.02, 0.1, 0.1);
        system.bodies.push_back(body);
      }
      system.joints = {rail, pin, sleeve};
      SystemState state;
      for (int i = 0; i < 3; ++i) {
        state.joints.q.push_back(random.Between(-1, 1));
        state.joints.u.push_back(random.Between(-2, 2));
      }
      state.bodies = ForwardKinematics(system, state.joints);
      ASSERT_TRUE(VerdictOf(ClassicalMstmmEntry(), system, {variant}).supported)
          << VerdictOf(ClassicalMstmmEntry(), system, {variant}).reason;
      EXPECT_LT(DistanceToReference(system, state, {variant}).largest(), 1e-12) << variant;
    }
  }
}

TEST(ClassicalGeneral, TheCrossbarOfBranch4StartsWithThreeFifthsOfG) {
  const Problem problem = MakeProblem("branch4");
  for (const char* variant : {"general", "paper"}) {
    const auto formulation = PrepareClassical(problem.system, {variant});
    std::vector<double> y(formulation->state_size());
    const Assembly start = Assemble(problem.system, problem.initial, 1);
    ASSERT_TRUE(formulation->Initialise(0, start.state, y).ok());
    Observation observation;
    ASSERT_TRUE(formulation->Observe(0, y, Detail::kAccelerations, observation).ok());
    EXPECT_NEAR(observation.accelerations[3].angular_acceleration.z, -0.6 * 9.81, 1e-12);
    for (std::size_t b : {0u, 1u, 2u})
      EXPECT_NEAR(observation.accelerations[b].angular_acceleration.z, 0, 1e-12);
  }
}

TEST(ClassicalGeneral, NamesTheTipWithoutInertiaAboutItsJoint) {
  RandomTree tree =
      MakeRandomTree(7, {.bodies = 5, .types = {JointType::kBall}, .chain_likelihood = 1});
  tree.system.bodies[4].inertia = Diagonal(0, 0, 0);
  const auto formulation = PrepareClassical(tree.system, {"general"});
  std::vector<double> y(formulation->state_size()), ydot(y.size());
  ASSERT_TRUE(formulation->Initialise(0, tree.state, y).ok());
  const Status status = formulation->Evaluate(0, y, ydot);
  EXPECT_EQ(status.code, Status::Code::kSingular);
  EXPECT_EQ(status.body, 4);
  for (double v : ydot) EXPECT_TRUE(std::isnan(v));
}

TEST(ClassicalGeneral, ReportsANonFiniteStateAsSuch) {
  const RandomTree tree = MakeRandomTree(11, {.bodies = 6});
  const auto formulation = PrepareClassical(tree.system, {"general"});
  std::vector<double> y(formulation->state_size()), ydot(y.size());
  ASSERT_TRUE(formulation->Initialise(0, tree.state, y).ok());
  for (double& value : y) {
    const double kept = value;
    value = NAN;
    EXPECT_EQ(formulation->Evaluate(0, y, ydot).code, Status::Code::kNotFinite);
    value = kept;
  }
  EXPECT_TRUE(formulation->Evaluate(0, y, ydot).ok());
}

TEST(ClassicalGeneral, RefusesAnOverallMatrixThatDoesNotFitIntoMemory) {
  const Verdict verdict =
      VerdictOf(ClassicalMstmmEntry(), MakeProblem("branchN:bodies=5000").system, {"general"});
  EXPECT_FALSE(verdict.supported);
  EXPECT_NE(verdict.reason.find("dense"), std::string::npos) << verdict.reason;
}

}  // namespace
}  // namespace mbsbench
