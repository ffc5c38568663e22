// riccati-mstmm:general compared with Newton's and Euler's equations of each body, and with
// its own claims.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "harness/support/support.h"
#include "methods/all_methods.h"
#include "methods/riccati_mstmm/general_sweep.h"
#include "problems/catalog/catalog.h"
#include "problems/model/error.h"
#include "problems/model/validation.h"
#include "problems/test_systems/random_trees.h"
#include "tests/support/newton_euler_truth.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

const MethodEntry& Entry() {
  for (const MethodEntry& entry : AllMethods()) {
    if (entry.key == "riccati-mstmm") return entry;
  }
  throw ModelError("riccati-mstmm is not in the list of methods");
}

std::unique_ptr<OdeFormulation> Prepare(const System& system) {
  std::unique_ptr<Formulation> formulation = Entry().prepare(system, {"general"});
  return std::unique_ptr<OdeFormulation>(static_cast<OdeFormulation*>(formulation.release()));
}

std::vector<double> StateOf(OdeFormulation& formulation, const SystemState& state) {
  std::vector<double> y(formulation.state_size());
  EXPECT_TRUE(formulation.Initialise(0, state, y).ok());
  return y;
}

// Accelerations and reactions relative to the largest of their kind, or to one unit where nothing
// is larger.
struct Difference {
  double acceleration = 0, reaction = 0;
};
Difference Compare(const Observation& ours, const NewtonEulerTruth& truth) {
  const auto worse = [](double& worst, double& scale, const Vector3& a, const Vector3& b) {
    Raise(worst, Norm(a - b));
    scale = std::max(scale, Norm(b));
  };
  double acceleration = 0, acceleration_scale = 1, reaction = 0, reaction_scale = 1;
  for (std::size_t b = 0; b < truth.accelerations.size(); ++b) {
    worse(acceleration, acceleration_scale, ours.accelerations[b].acceleration,
          truth.accelerations[b].acceleration);
    worse(acceleration, acceleration_scale, ours.accelerations[b].angular_acceleration,
          truth.accelerations[b].angular_acceleration);
  }
  for (std::size_t j = 0; j < truth.reactions.size(); ++j) {
    worse(reaction, reaction_scale, ours.reactions[j].force, truth.reactions[j].force);
    worse(reaction, reaction_scale, ours.reactions[j].torque, truth.reactions[j].torque);
  }
  return {acceleration / acceleration_scale, reaction / reaction_scale};
}

TEST(RiccatiGeneral, AccelerationsAndReactionsObeyNewtonAndEulerOnRandomTrees) {
  Difference worst;
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    RandomTreeOptions options;
    options.bodies = 1 + static_cast<int>((seed * 7) % 40);
    const RandomTree tree = MakeRandomTree(seed, options);
    ASSERT_NO_THROW(Validate(tree.system));
    const auto formulation = Prepare(tree.system);
    const std::vector<double> y = StateOf(*formulation, tree.state);
    Observation observation;
    ASSERT_TRUE(formulation->Observe(0, y, Detail::kReactions, observation).ok())
        << "seed " << seed;
    const Difference d = Compare(observation, SolveNewtonEuler(tree.system, tree.state));
    EXPECT_LT(d.acceleration, 1e-10) << "seed " << seed << ", " << options.bodies << " bodies";
    EXPECT_LT(d.reaction, 1e-10) << "seed " << seed << ", " << options.bodies << " bodies";
    Raise(worst.acceleration, d.acceleration);
    Raise(worst.reaction, d.reaction);
  }
  RecordProperty("worst_acceleration", std::to_string(worst.acceleration * 1e15) + "e-15");
  RecordProperty("worst_reaction", std::to_string(worst.reaction * 1e15) + "e-15");
}

TEST(RiccatiGeneral, EachJointTypeAloneObeysNewtonAndEuler) {
  for (JointType type : {JointType::kBall, JointType::kRevolute, JointType::kPrismatic,
                         JointType::kFixed, JointType::kFree}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      RandomTreeOptions options;
      options.types = {type};
      options.bodies = 6;
      const RandomTree tree = MakeRandomTree(1000 + seed, options);
      const auto formulation = Prepare(tree.system);
      const std::vector<double> y = StateOf(*formulation, tree.state);
      Observation observation;
      ASSERT_TRUE(formulation->Observe(0, y, Detail::kReactions, observation).ok());
      if (type ==
          JointType::kFixed) {  // nothing moves; every reaction is a load transmitted to the ground
        for (const BodyAcceleration& a : observation.accelerations) {
          EXPECT_EQ(Norm(a.acceleration), 0);
          EXPECT_EQ(Norm(a.angular_acceleration), 0);
        }
        EXPECT_EQ(y.size(), 0u);
        const NewtonEulerTruth truth = SolveNewtonEuler(tree.system, tree.state);
        for (std::size_t j = 0; j < truth.reactions.size(); ++j) {
          EXPECT_LT(Norm(observation.reactions[j].force - truth.reactions[j].force), 1e-10);
          EXPECT_LT(Norm(observation.reactions[j].torque - truth.reactions[j].torque), 1e-10);
        }
        continue;
      }
      const Difference d = Compare(observation, SolveNewtonEuler(tree.system, tree.state));
      EXPECT_LT(d.acceleration, 1e-10) << Name(type) << ", seed " << seed;
      EXPECT_LT(d.reaction, 1e-10) << Name(type) << ", seed " << seed;
    }
  }
}

TEST(RiccatiGeneral, AbsoluteMotionAgreesWithTheModel) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RandomTree tree = MakeRandomTree(200 + seed, {.bodies = 12});
    const auto formulation = Prepare(tree.system);
    const std::vector<double> y = StateOf(*formulation, tree.state);
    Observation observation;
    ASSERT_TRUE(formulation->Observe(0, y, Detail::kMotion, observation).ok());
    EXPECT_TRUE(observation.accelerations.empty());
    for (std::size_t b = 0; b < tree.system.bodies.size(); ++b) {
      const BodyState &ours = observation.bodies[b], &model = tree.state.bodies[b];
      EXPECT_LT(Norm(ours.position - model.position), 1e-13);
      EXPECT_LT(AngleBetween(ours.orientation, model.orientation), 1e-13);
      EXPECT_LT(Norm(ours.velocity - model.velocity), 1e-12);
      EXPECT_LT(Norm(ours.angular_velocity - model.angular_velocity), 1e-12);
    }
  }
}

// The rates of the joint coordinates are right, too: moving along y' changes the model's own velocities
// by the accelerations of the bodies. The differences are central, so the
// bound is h^2 times a third derivative.
TEST(RiccatiGeneral, RatesOfTheStateAgreeWithTheAccelerationsOfTheBodies) {
  constexpr double kStep = 1e-5;
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const RandomTree tree = MakeRandomTree(300 + seed, {.bodies = 8});
    const auto formulation = Prepare(tree.system);
    const std::vector<double> y = StateOf(*formulation, tree.state);
    std::vector<double> ydot(y.size());
    ASSERT_TRUE(formulation->Evaluate(0, y, ydot).ok());
    Observation observation;
    ASSERT_TRUE(formulation->Observe(0, y, Detail::kAccelerations, observation).ok());
    const auto moved = [&](double h) {
      JointState joints = tree.state.joints;
      for (std::size_t i = 0; i < joints.q.size(); ++i) joints.q[i] += h * ydot[i];
      for (std::size_t i = 0; i < joints.u.size(); ++i)
        joints.u[i] += h * ydot[joints.q.size() + i];
      return ForwardKinematics(tree.system, joints);
    };
    const std::vector<BodyState> after = moved(kStep), before = moved(-kStep);
    double scale = 1;
    for (const BodyAcceleration& a : observation.accelerations) {
      scale = std::max({scale, Norm(a.acceleration), Norm(a.angular_acceleration)});
    }
    for (std::size_t b = 0; b < after.size(); ++b) {
      const double r = 1 / (2 * kStep);
      // positions move by velocities ...
      EXPECT_LT(Norm(r * (after[b].position - before[b].position) - tree.state.bodies[b].velocity),
                1e-7 * scale);
      // ... and velocities by accelerations
      EXPECT_LT(Norm(r * (after[b].velocity - before[b].velocity) -
                     observation.accelerations[b].acceleration),
                1e-7 * scale);
      EXPECT_LT(Norm(r * (after[b].angular_velocity - before[b].angular_velocity) -
                     observation.accelerations[b].angular_acceleration),
                1e-7 * scale);
    }
  }
}

TEST(RiccatiGeneral, TheCrossbarOfBranch4StartsWithThreeFifthsOfG) {
  const Problem problem = MakeProblem("branch4");
  const auto formulation = Prepare(problem.system);
  const std::vector<double> y =
      StateOf(*formulation, Assemble(problem.system, problem.initial, 1).state);
  Observation observation;
  ASSERT_TRUE(formulation->Observe(0, y, Detail::kAccelerations, observation).ok());
  EXPECT_NEAR(observation.accelerations[3].angular_acceleration.z, -0.6 * 9.81, 1e-14 * 9.81);
  for (std::size_t b : {0u, 1u, 2u})
    EXPECT_NEAR(observation.accelerations[b].angular_acceleration.z, 0, 1e-13);
}

TEST(RiccatiGeneral, SolvesMasslessRodsWithPointMasses) {
  for (const char* name : {"pendulum", "dpend18"}) {
    const Problem problem = MakeProblem(name);
    const Assembly assembly = Assemble(problem.system, problem.initial, 1);
    const auto formulation = Prepare(problem.system);
    const std::vector<double> y = StateOf(*formulation, assembly.state);
    Observation observation;
    ASSERT_TRUE(formulation->Observe(0, y, Detail::kReactions, observation).ok());
    const Difference d = Compare(observation, SolveNewtonEuler(problem.system, assembly.state));
    EXPECT_LT(d.acceleration, 1e-14) << name;
    EXPECT_LT(d.reaction, 1e-14) << name;
  }
}

// Round-off does not accumulate along a chain: the same sweep with eleven more bits measures the
// loss. Measured: 2e-13 relative to the largest rate at 1000 bodies.
TEST(RiccatiGeneral, LosesNoDigitsAlongAChainOfAThousandBodies) {
  const RandomTree tree = MakeRandomTree(14, {.bodies = 1000,
                                              .types = {JointType::kBall, JointType::kRevolute},
                                              .force_elements = false,
                                              .chain_likelihood = 1,
                                              .ground_likelihood = 0});
  const auto formulation = Prepare(tree.system);
  const std::vector<double> y = StateOf(*formulation, tree.state);
  std::vector<double> ydot(y.size());
  ASSERT_TRUE(formulation->Evaluate(0, y, ydot).ok());
  const std::vector<long double> precise_y(y.begin(), y.end());
  std::vector<long double> precise(y.size());
  RiccatiSweep<long double> sweep(MakeGroupTree<long double>(tree.system), tree.system.gravity);
  sweep.PassMotion(precise_y.data(), precise.data());
  ASSERT_EQ(sweep.PassInertia(), 0);
  sweep.PassAcceleration(precise_y.data(), precise.data());
  double worst = 0, scale = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    Raise(worst, std::abs(ydot[i] - static_cast<double>(precise[i])));
    scale = std::max(scale, std::abs(ydot[i]));
  }
  EXPECT_LT(worst / scale, 1e-11);
  RecordProperty("worst", std::to_string(worst / scale * 1e15) + "e-15");
}

// Work memory determines the speed of systems larger than the caches. A sweep writes only motion and hinge of each body.
TEST(RiccatiGeneral, WritesAtMost300BytesPerBody) {
  EXPECT_LE(RiccatiSweep<double>::kWorkBytes, 300u);
}

TEST(RiccatiGeneral, NamesTheJointWithoutOutboardInertia) {
  const auto status_of = [](const System& system, const JointState& joints) {
    const auto formulation = Prepare(system);
    std::vector<double> y(joints.q);
    y.insert(y.end(), joints.u.begin(), joints.u.end());
    std::vector<double> ydot(y.size(), 0.0);
    const Status status = formulation->Evaluate(0, y, ydot);
    if (!status.ok()) {
      for (double v : ydot) EXPECT_TRUE(std::isnan(v));
    }
    return status;
  };
  // A point mass at the end of a ball-jointed rod leaves the spin of the rod about its axis undetermined.
  RandomTree tree =
      MakeRandomTree(7, {.bodies = 5, .types = {JointType::kBall}, .chain_likelihood = 1});
  std::size_t tip_joint = 0;
  for (std::size_t j = 0; j < tree.system.joints.size(); ++j) {
    if (tree.system.joints[j].child == 4) tip_joint = j;
  }
  ASSERT_TRUE(status_of(tree.system, tree.state.joints).ok());
  tree.system.bodies[4].inertia = Diagonal(0, 0, 0);
  const Status ball = status_of(tree.system, tree.state.joints);
  EXPECT_EQ(ball.code, Status::Code::kSingular);
  EXPECT_EQ(ball.joint, static_cast<int>(tip_joint));
  EXPECT_EQ(ball.body, 4);

  // A massless slider at the tip, and a revolute whose axis passes through its point mass.
  tree = MakeRandomTree(8, {.bodies = 3,
                            .types = {JointType::kPrismatic},
                            .force_elements = false,
                            .chain_likelihood = 1});
  for (Body& body : tree.system.bodies) body.mass = 0, body.inertia = Diagonal(0, 0, 0);
  EXPECT_EQ(status_of(tree.system, tree.state.joints).code, Status::Code::kSingular);
  tree = MakeRandomTree(9, {.bodies = 1, .types = {JointType::kRevolute}});
  tree.system.bodies[0].inertia = Diagonal(0, 0, 0);
  tree.system.joints[0].child_frame.position = {0, 0, 0};
  EXPECT_EQ(status_of(tree.system, tree.state.joints).joint, 0);
}

TEST(RiccatiGeneral, ReportsANonFiniteStateAsSuch) {
  const RandomTree tree = MakeRandomTree(11, {.bodies = 6});
  const auto formulation = Prepare(tree.system);
  std::vector<double> y = StateOf(*formulation, tree.state), ydot(y.size());
  for (double& value : y) {
    const double kept = value;
    value = NAN;
    EXPECT_EQ(formulation->Evaluate(0, y, ydot).code, Status::Code::kNotFinite);
    value = kept;
  }
  EXPECT_TRUE(formulation->Evaluate(0, y, ydot).ok());
}

TEST(RiccatiGeneral, DoesNotDependOnTheNormOfItsQuaternions) {
  const RandomTree tree =
      MakeRandomTree(13, {.bodies = 10, .types = {JointType::kBall, JointType::kFree}});
  const auto formulation = Prepare(tree.system);
  std::vector<double> y = StateOf(*formulation, tree.state), unit(y.size()), ydot(y.size());
  ASSERT_TRUE(formulation->Evaluate(0, y, unit).ok());
  const std::vector<double> y_unit = y;
  const JointOffsets at = OffsetsOf(tree.system);
  for (std::size_t j = 0; j < tree.system.joints.size(); ++j) {
    const int skip = tree.system.joints[j].type == JointType::kFree ? 3 : 0;
    for (int i = 0; i < 4; ++i) y[static_cast<std::size_t>(at.q[j] + skip + i)] *= 1.5;
  }
  ASSERT_TRUE(formulation->Evaluate(0, y, ydot).ok());
  for (std::size_t i = tree.state.joints.q.size(); i < y.size(); ++i)
    EXPECT_NEAR(ydot[i], unit[i], 1e-10 * (1 + std::abs(unit[i])));
  ASSERT_TRUE(formulation->projection());
  ASSERT_TRUE(formulation->projection()->Project(0, y).ok());
  for (std::size_t i = 0; i < y.size(); ++i)
    EXPECT_NEAR(y[i], y_unit[i], 1e-15 * (1 + std::abs(y[i])));
}

TEST(RiccatiPaper, RefusesClosedLoopsByName) {
  System system = MakeProblem("branch4").system;
  Joint loop;
  loop.name = "cut";
  loop.parent = 0;
  loop.child = 1;
  system.loop_joints.push_back(loop);
  EXPECT_TRUE(VerdictOf(Entry(), system, {"general"}).supported);
  const Verdict verdict = VerdictOf(Entry(), system, {"paper"});
  EXPECT_FALSE(verdict.supported);
  EXPECT_NE(verdict.reason.find("joint 'cut' closes a loop"), std::string::npos) << verdict.reason;
}

}  // namespace
}  // namespace mbsbench
