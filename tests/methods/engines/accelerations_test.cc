// The engines as independent implementations: accelerations and reactions compared with the 113-bit reference.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/support/support.h"
#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "problems/model/error.h"
#include "problems/model/kinematics.h"
#include "problems/test_systems/random_trees.h"
#include "reference/reference.h"
#include "tests/methods/engines/engines.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

struct Differences {
  double acceleration = 0, reaction = 0;  // relative to the largest of the system
  bool with_reactions = false;
};

double Relative(double difference, double scale) {
  return scale > 0 ? difference / scale : difference;
}

Differences Compare(const MethodEntry& method, const System& system, const SystemState& state,
                    const std::string& what) {
  const ReferenceDynamics truth = ReferenceAccelerations(system, state.joints);
  double a = 0, alpha = 0, reaction = 0;
  for (std::size_t b = 0; b < truth.accelerations.size(); ++b) {
    a = std::max(a, Norm(truth.accelerations[b].acceleration));
    alpha = std::max(alpha, Norm(truth.accelerations[b].angular_acceleration));
  }
  for (const auto& r : truth.reactions)
    reaction = std::max({reaction, Norm(r.force), Norm(r.torque)});
  const auto formulation = method.prepare(system, {});
  std::vector<double> y(formulation->state_size());
  Observation observation;
  Differences worst;
  worst.acceleration = worst.reaction = INFINITY;
  EXPECT_TRUE(formulation->Initialise(0, state, y).ok()) << what;
  const Status status = formulation->Observe(0, y, Detail::kReactions, observation);
  EXPECT_TRUE(status.ok()) << what << ": " << status.what;
  if (!status.ok()) return worst;
  EXPECT_EQ(observation.accelerations.size(), truth.accelerations.size()) << what;
  worst = {};
  for (std::size_t b = 0; b < truth.accelerations.size(); ++b) {
    const auto& mine = observation.accelerations[b];
    const auto& exact = truth.accelerations[b];
    Raise(worst.acceleration, Relative(Norm(mine.acceleration - exact.acceleration), a));
    if (system.bodies[b].is_point) continue;  // its rotation has no meaning
    Raise(worst.acceleration,
          Relative(Norm(mine.angular_acceleration - exact.angular_acceleration), alpha));
  }
  worst.with_reactions = !observation.reactions.empty();
  if (!worst.with_reactions) return worst;
  EXPECT_EQ(observation.reactions.size(), truth.reactions.size()) << what;
  for (std::size_t j = 0; j < truth.reactions.size(); ++j) {
    const JointReaction& mine = observation.reactions[j];
    Raise(worst.reaction, {Relative(Norm(mine.force - truth.reactions[j].force), reaction),
                           Relative(Norm(mine.torque - truth.reactions[j].torque), reaction)});
  }
  EXPECT_EQ(observation.drivers.size(), system.drivers.size()) << what;
  for (std::size_t k = 0; k < observation.drivers.size(); ++k) {
    const DriverObservation& mine = observation.drivers[k];
    EXPECT_NEAR(mine.effort, truth.efforts[k], 1e-9 * reaction) << what;
    EXPECT_NEAR(mine.rate, system.drivers[k].motion.rate, 1e-12) << what;
    EXPECT_NEAR(mine.acceleration, 0, 1e-12) << what;
  }
  return worst;
}

using EngineAccelerations = OfEngine;

TEST_P(EngineAccelerations, OfRandomTreesAgreeWithTheReferenceToNineDigits) {
  constexpr int kTrees = 100, kMostBodies = 40;
  Differences worst;
  int with_reactions = 0;
  for (int tree = 0; tree < kTrees; ++tree) {
    RandomTreeOptions options;
    if (tree % 2 == 1) {  // everything that the engine supports
      options.types = AllTreeJointTypes();
      std::erase_if(options.types, [this](JointType type) {
        return !CapabilitiesOf(*method_, {}).tree_joints.Has(type);
      });
    }
    options.bodies = 1 + tree * (kMostBodies - 1) / (kTrees - 1);
    RandomTree random = MakeRandomTree(static_cast<std::uint64_t>(1000 + tree), options);
    if (!CapabilitiesOf(*method_, {}).force_elements.Has(ForceElement::kJointSpringDamper))
      random.system.forces.Of<JointSpringDamper>().clear();
    const Verdict verdict = VerdictOf(*method_, random.system, {});
    ASSERT_TRUE(verdict.supported) << verdict.reason;
    const std::string what = "tree " + std::to_string(tree);
    const Differences d = Compare(*method_, random.system, random.state, what);
    EXPECT_LT(d.acceleration, 1e-9) << what;
    EXPECT_LT(d.reaction, 1e-9) << what;
    Raise(worst.acceleration, d.acceleration);
    Raise(worst.reaction, d.reaction);
    with_reactions += d.with_reactions ? 1 : 0;
  }
  std::printf("  %s: 100 trees, worst accelerations %.1e, reactions %.1e (%d trees)\n",
              GetParam().c_str(), worst.acceleration, worst.reaction, with_reactions);
}

TEST_P(EngineAccelerations, OfTheCataloguesTreesAgreeWithTheReferenceToNineDigits) {
  for (const ProblemFamily& family : AllProblems()) {
    const Problem problem = MakeProblem(family.name);
    if (!problem.system.loop_joints.empty()) continue;
    const Verdict verdict = VerdictOf(*method_, problem.system, {});
    if (!verdict.supported) {
      EXPECT_FALSE(verdict.reason.empty());
      std::printf("  %s does not support %s: %s\n", GetParam().c_str(), problem.name.c_str(),
                  verdict.reason.c_str());
      continue;
    }
    const SystemState state = Assemble(problem.system, problem.initial, problem.length).state;
    const Differences d = Compare(*method_, problem.system, state, problem.name);
    // A mass matrix of a thousand bodies has a condition of 3e9.
    const bool loses_digits = GetParam() == "kdl" && problem.system.bodies.size() >= 1000;
    EXPECT_LT(d.acceleration, loses_digits ? 1e-6 : 1e-9) << problem.name;
    EXPECT_LT(d.reaction, 1e-9) << problem.name;
  }
}

// The body is at the joint itself in two of three trees: no inertia is left about the joint there.
TEST_P(EngineAccelerations, OfATreeWithABodyWithoutInertiaAreRightOrRefused) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    RandomTree tree = MakeRandomTree(seed, {});
    const std::size_t b = seed % tree.system.bodies.size();
    tree.system.bodies[b].inertia = Diagonal(0, 0, 0);
    for (Joint& joint : tree.system.joints)
      if (joint.child == static_cast<int>(b) && seed % 3 != 0) joint.child_frame.position = {};
    tree.state.bodies = ForwardKinematics(tree.system, tree.state.joints);
    if (!VerdictOf(*method_, tree.system, {}).supported) continue;
    std::unique_ptr<Formulation> formulation;
    try {
      formulation = method_->prepare(tree.system, {});
    } catch (const ModelError&) {
      continue;
    }
    std::vector<double> y(formulation->state_size());
    Observation observation;
    ASSERT_TRUE(formulation->Initialise(0, tree.state, y).ok());
    if (!formulation->Observe(0, y, Detail::kAccelerations, observation).ok()) continue;
    try {
      EXPECT_LT(Compare(*method_, tree.system, tree.state, "no inertia").acceleration, 1e-7)
          << "seed " << seed;
    } catch (const ModelError&) {  // the reference says that no accelerations exist
      EXPECT_EQ("simbody", GetParam()) << "the only one that answers there";
    }
  }
}

// Deeper than the usual models of engines.
TEST_P(EngineAccelerations, OfALongChainAgreeWithTheReferenceToSevenDigits) {
  const Problem problem = MakeProblem("chainN3d:bodies=250");
  if (const Verdict verdict = VerdictOf(*method_, problem.system, {}); !verdict.supported)
    GTEST_SKIP() << verdict.reason;
  const SystemState state = Assemble(problem.system, problem.initial, problem.length).state;
  EXPECT_LT(Compare(*method_, problem.system, state, problem.name).acceleration, 1e-7);
}

// A spring that would be unloaded at -0.5 m pulls at every length.
TEST_P(EngineAccelerations, WithANegativeFreeLengthAgreeWithTheReferenceToNineDigits) {
  System system;
  Body body;
  body.name = "a";
  body.mass = 1;
  body.inertia = Diagonal(0.01, 0.1, 0.1);
  system.bodies = {body};
  Joint pin;
  pin.name = "j1";
  pin.type = JointType::kRevolute;
  pin.child_frame.position = {-0.5, 0, 0};
  system.joints = {pin};
  system.forces.Of<SpringDamper>() = {{"s", 0, kGround, {}, {0, 1, 0}, 100, 0, -0.5}};
  ASSERT_TRUE(VerdictOf(*method_, system, {}).supported);
  for (double angle : {0., 0.7}) {
    SystemState state;
    state.joints = {{angle}, {0.3}};
    state.bodies = ForwardKinematics(system, state.joints);
    EXPECT_LT(Compare(*method_, system, state, "negative free length").acceleration, 1e-9);
  }
}

// Siconos itself divides by zero for an axis along -z.
TEST_P(EngineAccelerations, OfASlideAlongMinusZAgreeWithTheReferenceToNineDigits) {
  System system;
  system.gravity = {1, 2, 3};
  Body body;
  body.name = "a";
  body.mass = 2;
  body.inertia = Diagonal(0.1, 0.2, 0.25);
  Joint slide;
  slide.name = "slide";
  slide.type = JointType::kPrismatic;
  slide.child_frame.orientation = {0, 1, 0, 0};
  system.bodies = {body};
  system.joints = {slide};
  SystemState state;
  state.joints = {{0.3}, {0.5}};
  state.bodies = ForwardKinematics(system, state.joints);
  ASSERT_TRUE(VerdictOf(*method_, system, {}).supported);
  EXPECT_LT(Compare(*method_, system, state, "a slide along -z").acceleration, 1e-9);
}

// An arm turned at 2 rad/s, on which a body is driven out at 0.5 m/s along (0.96, 0, 0.28). Motor: gravity on both, 2 kg at 0.5 m
// and 1 kg at 1 m, and the Coriolis force 2 m omega v; slide: the centripetal force.
TEST_P(EngineAccelerations, AndEffortsOfDriversAreThoseOfTheClosedForm) {
  System system;
  system.gravity = {0, -9.81, 0};
  Body arm;
  arm.name = "arm";
  arm.mass = 2;
  arm.inertia = Diagonal(0.01, 0.1, 0.1);
  Body slider = arm;
  slider.name = "slider";
  slider.mass = 1;
  system.bodies = {arm, slider};
  Joint pin;
  pin.name = "pin";
  pin.type = JointType::kRevolute;
  pin.child_frame.position = {-0.5, 0, 0};
  Joint slide;
  slide.name = "slide";
  slide.type = JointType::kPrismatic;
  slide.parent = 0;
  slide.child = 1;
  slide.parent_frame = {{0.5, 0, 0}, {0.8, 0, 0.6, 0}};
  system.joints = {pin, slide};
  system.drivers = {{"motor", 0, {.rate = 2}}, {"jack", 1, {.rate = 0.5}}};
  if (!VerdictOf(*method_, system, {}).supported) GTEST_SKIP() << "no drivers";
  SystemState state;
  state.joints = {{0, 0}, {2, 0.5}};
  state.bodies = ForwardKinematics(system, state.joints);
  const auto formulation = method_->prepare(system, {});
  std::vector<double> y(formulation->state_size());
  ASSERT_TRUE(formulation->Initialise(0, state, y).ok());
  Observation observation;
  ASSERT_TRUE(formulation->Observe(0, y, Detail::kReactions, observation).ok());
  ASSERT_EQ(2u, observation.drivers.size());
  EXPECT_NEAR(2 * 9.81 * 0.5 + 9.81 + 2 * 2 * 0.48, observation.drivers[0].effort, 1e-12);
  EXPECT_NEAR(-4 * 0.96, observation.drivers[1].effort, 1e-12);
  EXPECT_NEAR(2, observation.drivers[0].rate, 1e-12);
  EXPECT_NEAR(0, observation.drivers[1].acceleration, 1e-12);
}

INSTANTIATE_TEST_SUITE_P(Engines, EngineAccelerations, testing::ValuesIn(EngineKeys()),
                         NameOfEngine);

}  // namespace
}  // namespace mbsbench
