// riccati-mstmm:paper agrees with Newton and Euler where its hinges exist, and names the cause of each
// refusal.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "harness/support/support.h"
#include "methods/riccati_mstmm/riccati_mstmm.h"
#include "problems/catalog/catalog.h"
#include "problems/model/error.h"
#include "problems/test_systems/random_trees.h"
#include "tests/support/newton_euler_truth.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

std::unique_ptr<OdeFormulation> Prepare(const System& system, const char* variant) {
  std::unique_ptr<Formulation> formulation = RiccatiMstmmEntry().prepare(system, {variant});
  return std::unique_ptr<OdeFormulation>(static_cast<OdeFormulation*>(formulation.release()));
}

std::string Refusal(const System& system) {
  const Verdict verdict = VerdictOf(RiccatiMstmmEntry(), system, {"paper"});
  EXPECT_EQ(verdict.supported, verdict.reason.empty());
  return verdict.reason;
}

// Largest difference of accelerations and of reactions from Newton and Euler, relative to the
// largest of their kind.
double DifferenceFromTruth(const System& system, const SystemState& state) {
  const auto formulation = Prepare(system, "paper");
  std::vector<double> y(formulation->state_size());
  EXPECT_TRUE(formulation->Initialise(0, state, y).ok());
  Observation ours;
  const Status status = formulation->Observe(0, y, Detail::kReactions, ours);
  EXPECT_TRUE(status.ok()) << status.what;
  if (!status.ok()) return INFINITY;
  const NewtonEulerTruth truth = SolveNewtonEuler(system, state);
  double acceleration = 0, acceleration_scale = 1, reaction = 0, reaction_scale = 1;
  for (std::size_t b = 0; b < truth.accelerations.size(); ++b) {
    const BodyAcceleration &x = ours.accelerations[b], &t = truth.accelerations[b];
    Raise(acceleration, {Norm(x.acceleration - t.acceleration),
                         Norm(x.angular_acceleration - t.angular_acceleration)});
    acceleration_scale =
        std::max({acceleration_scale, Norm(t.acceleration), Norm(t.angular_acceleration)});
  }
  for (std::size_t j = 0; j < truth.reactions.size(); ++j) {
    const JointReaction &x = ours.reactions[j], &t = truth.reactions[j];
    Raise(reaction, {Norm(x.force - t.force), Norm(x.torque - t.torque)});
    reaction_scale = std::max({reaction_scale, Norm(t.force), Norm(t.torque)});
  }
  return std::max(acceleration / acceleration_scale, reaction / reaction_scale);
}

// A state of a system of ball joints; in the plane z = 0 or anywhere.
SystemState BallState(const System& system, std::uint64_t seed, bool planar, double size) {
  RandomNumbers random(seed);
  SystemState state;
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const Quaternion q =
        planar ? AxisAngle({0, 0, 1}, random.Between(-size, size)) : random.Rotation();
    state.joints.q.insert(state.joints.q.end(), {q.w, q.x, q.y, q.z});
    for (int i = 0; i < 3; ++i)
      state.joints.u.push_back(planar && i < 2 ? 0 : random.Between(-2, 2));
  }
  state.bodies = ForwardKinematics(system, state.joints);
  return state;
}

// Digits are lost near a vanishing pivot, and a random state may lie near one: most must be exact
// to round-off (measured median 1e-13), the worst still right (measured up to 5e-8, depending on
// the compiler's rounding).
constexpr double kTypical = 1e-12, kNearPole = 1e-6;

void ExpectTypicallyExact(std::vector<double> differences, const char* name) {
  std::sort(differences.begin(), differences.end());
  EXPECT_LT(differences[differences.size() / 2], kTypical) << name;
  EXPECT_LT(differences.back(), kNearPole) << name;
}

TEST(RiccatiPaper, ObeysNewtonAndEulerOnBranch4InSpace) {
  const Problem problem = MakeProblem("branch4");
  std::vector<double> differences;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    differences.push_back(
        DifferenceFromTruth(problem.system, BallState(problem.system, seed, false, 0)));
  }
  ExpectTypicallyExact(differences, "branch4");
}

TEST(RiccatiPaper, ObeysNewtonAndEulerOnSmallBranchNInThePlane) {
  for (const char* name : {"branchN:bodies=6", "branchN:bodies=12"}) {
    const Problem problem = MakeProblem(name);
    EXPECT_LT(
        DifferenceFromTruth(problem.system, Assemble(problem.system, problem.initial, 1).state),
        1e-13)
        << name;
    std::vector<double> differences;
    for (std::uint64_t seed = 1; seed <= 30; ++seed) {
      differences.push_back(
          DifferenceFromTruth(problem.system, BallState(problem.system, seed, true, 0.8)));
    }
    ExpectTypicallyExact(differences, name);
  }
}

// Any number of branchings, further inputs, springs and loads; pins and balls of the plane.
TEST(RiccatiPaper, ObeysNewtonAndEulerOnRandomPlanarTrees) {
  std::vector<double> differences;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomTreeOptions options;
    options.bodies = 2 + static_cast<int>(seed % 15);
    options.types = {seed % 2 == 0 ? JointType::kBall : JointType::kRevolute};
    options.planar = true;
    RandomTree tree = MakeRandomTree(400 + seed, options);
    tree.system.forces.Of<JointSpringDamper>().clear();  // hinges are smooth
    ASSERT_EQ(Refusal(tree.system), "") << "seed " << seed;
    differences.push_back(DifferenceFromTruth(tree.system, tree.state));
  }
  ExpectTypicallyExact(differences, "planar trees");
}

// After the first hinge of a chain T21 S + T22 is singular in space, so these trees have chains of
// two bodies.
TEST(RiccatiPaper, ObeysNewtonAndEulerOnSpatialTreesOfShortChains) {
  std::vector<double> differences;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    RandomTree tree = MakeRandomTree(500 + seed, {.bodies = 9, .types = {JointType::kBall}});
    // 0 on the ground, 1 on it; 2, 3, 4 on 1; 5 on 2; 6, 7 on 3; 8 on 4
    constexpr int kParent[] = {kGround, 0, 1, 1, 1, 2, 3, 3, 4};
    for (Joint& joint : tree.system.joints) joint.parent = kParent[joint.child];
    tree.state.bodies = ForwardKinematics(tree.system, tree.state.joints);
    ASSERT_EQ(Refusal(tree.system), "");
    differences.push_back(DifferenceFromTruth(tree.system, tree.state));
  }
  ExpectTypicallyExact(differences, "short chains");
}

TEST(RiccatiPaper, SolvesThePendulum) {
  const Problem problem = MakeProblem("pendulum");
  EXPECT_LT(DifferenceFromTruth(problem.system, Assemble(problem.system, problem.initial, 1).state),
            1e-14);
}

TEST(RiccatiPaper, AgreesWithTheGeneralVariantOnRates) {
  const auto difference = [](const System& system, const SystemState& state) {
    const auto paper = Prepare(system, "paper"), general = Prepare(system, "general");
    std::vector<double> y(paper->state_size()), a(y.size()), b(y.size());
    EXPECT_TRUE(paper->Initialise(0, state, y).ok());
    EXPECT_TRUE(paper->Evaluate(0, y, a).ok());
    EXPECT_TRUE(general->Evaluate(0, y, b).ok());
    double worst = 0, scale = 0;
    for (std::size_t i = 0; i < y.size(); ++i) {
      Raise(worst, std::abs(a[i] - b[i]));
      scale = std::max(scale, std::abs(b[i]));
    }
    return worst / scale;
  };
  for (const char* name : {"branch4", "branchN:bodies=6", "branchN:bodies=12", "branchN:bodies=100",
                           "branchN:bodies=500"}) {
    const Problem problem = MakeProblem(name);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      EXPECT_LT(difference(problem.system, BallState(problem.system, seed, true, 0.3)), kNearPole)
          << name << ", seed " << seed;
    }
  }
  const Problem spatial = MakeProblem("branch4");
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    EXPECT_LT(difference(spatial.system, BallState(spatial.system, seed, false, 0)), kNearPole)
        << "seed " << seed;
  }
}

TEST(RiccatiPaper, IsSingularWhereThePivotOfHinge4VanishesAndNamesTheHinge) {
  const Problem problem = MakeProblem("branch4");
  const auto status_at = [&](double from_zero) {
    SystemState state;
    const double bent = std::acos(-2.0 / 3) + from_zero;  // D = 3 cos(theta_3 - theta_5) + 2
    for (double angle : {0.3, bent, 0.5, -0.2}) {
      const Quaternion q = AxisAngle({0, 0, 1}, angle);
      state.joints.q.insert(state.joints.q.end(), {q.w, q.x, q.y, q.z});
      state.joints.u.insert(state.joints.u.end(), {0, 0, 0});
    }
    state.bodies = ForwardKinematics(problem.system, state.joints);
    const auto formulation = Prepare(problem.system, "paper");
    std::vector<double> y(formulation->state_size()), ydot(y.size());
    EXPECT_TRUE(formulation->Initialise(0, state, y).ok());
    return formulation->Evaluate(0, y, ydot);
  };
  const Status at_pole = status_at(0);
  EXPECT_EQ(at_pole.code, Status::Code::kSingular);
  EXPECT_EQ(problem.system.joints[static_cast<std::size_t>(at_pole.joint)].name, "hinge_4");
  EXPECT_TRUE(status_at(1e-3).ok());
  EXPECT_TRUE(status_at(-1e-3).ok());
}

TEST(RiccatiPaper, RefusesAndNamesHingesWithoutATransferMatrix) {
  const auto expect_named = [](const System& system, const char* name, const char* why) {
    const std::string reason = Refusal(system);
    EXPECT_NE(reason.find(name), std::string::npos) << reason;
    EXPECT_NE(reason.find(why), std::string::npos) << reason;
  };
  // the inner rod of the double pendulum
  expect_named(MakeProblem("dpend18").system, "body '1'", "singular u_32");

  // a body whose output end is the centre of percussion of its input end: r_IO = J_I / (m |r_IC|)
  // along r_IC
  const System chain = [] {
    RandomTree tree = MakeRandomTree(21, {.bodies = 3,
                                          .types = {JointType::kRevolute},
                                          .force_elements = false,
                                          .chain_likelihood = 1,
                                          .ground_likelihood = 0,
                                          .planar = true});
    return tree.system;
  }();
  ASSERT_EQ(Refusal(chain), "");
  System percussion = chain;
  Body& middle = percussion.bodies[1];
  middle.mass = 1;
  middle.inertia = Diagonal(0.04, 0.04, 0.08);
  for (Joint& joint : percussion.joints) {
    if (joint.child == 2) joint.parent_frame.position = {-0.4, 0, 0};  // input end, |r_IC| = 0.4
    if (joint.child == 1)
      joint.child_frame.position = {0.08 / 0.4, 0, 0};  // r_CO = J_C / (m |r_IC|)
  }
  expect_named(percussion, "body 'body_1'", "centre of percussion");
  for (Joint& joint : percussion.joints) {
    if (joint.child == 1) joint.child_frame.position.x += 1e-3;
  }
  EXPECT_EQ(Refusal(percussion), "");

  System massless = chain;
  massless.bodies[1].mass = 0;
  massless.bodies[1].inertia = Diagonal(0, 0, 0);
  expect_named(massless, "body 'body_1'", "singular u_32");

  // other joints, mixed ones, and hinges that are not smooth
  System slider = chain;
  for (Joint& joint : slider.joints) {
    if (joint.child == 1) joint.type = JointType::kPrismatic;
  }
  expect_named(slider, "joint 'joint_1'", "prismatic");
  System mixed = chain;
  for (Joint& joint : mixed.joints) {
    if (joint.child == 1) joint.type = JointType::kBall;
  }
  expect_named(mixed, "joint 'joint_1'", "ball");
  System sprung = chain;
  sprung.forces.Of<JointSpringDamper>().push_back({"coil", 0, 1, 0, 0});
  expect_named(sprung, "'coil' is a joint spring", "smooth");

  // out of the plane
  System skew = chain;
  for (Joint& joint : skew.joints) {
    if (joint.child == 2) joint.parent_frame.orientation = AxisAngle({1, 0, 0}, 0.1);
  }
  expect_named(skew, "joint 'joint_2'", "parallel");
  System leaning = chain;
  leaning.gravity.z = 1;
  expect_named(leaning, "gravity", "plane");
  leaning.gravity = 1e-13 * leaning.gravity;
  expect_named(leaning, "gravity", "plane");  // in any units
  System offset = chain;
  for (Joint& joint : offset.joints) {
    if (joint.child == 1) joint.child_frame.position.z = 0.1;
  }
  expect_named(offset, "body 'body_1'", "plane");
  System pushed = chain;
  pushed.forces.Of<AppliedForce>().push_back({"push", 2, {}, {0, 0, 1}, {}, false});
  expect_named(pushed, "force 'push'", "plane");

  // in space: a rod without inertia about its axis, and three bodies in a chain
  System thin = MakeProblem("branch4").system;
  for (Body& body : thin.bodies) body.inertia(0, 0) = 0;
  EXPECT_NE(Refusal(thin), "");
  const RandomTree deep = MakeRandomTree(22, {.bodies = 3,
                                              .types = {JointType::kBall},
                                              .force_elements = false,
                                              .chain_likelihood = 1,
                                              .ground_likelihood = 0});
  expect_named(deep.system, "body 'body_0'", "second ball hinge");
}

TEST(RiccatiPaper, IsSingularWhenALongChainLeavesThePlane) {
  const Problem problem = MakeProblem("branchN:bodies=6");
  const auto formulation = Prepare(problem.system, "paper");
  std::vector<double> y(formulation->state_size()), ydot(y.size());
  ASSERT_TRUE(formulation->Initialise(0, BallState(problem.system, 1, false, 0), y).ok());
  EXPECT_EQ(formulation->Evaluate(0, y, ydot).code, Status::Code::kSingular);
  for (double v : ydot) EXPECT_TRUE(std::isnan(v));
}

}  // namespace
}  // namespace mbsbench
