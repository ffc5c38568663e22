// Evaluations of accelerations together with reactions, in addition to the promises of harness/conform about
// observations.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/runner/cells/random_states.h"
#include "problems/catalog/catalog.h"
#include "problems/test_systems/random_trees.h"
#include "reference/reference.h"
#include "tests/every_method/batched_method.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

// Every second tree has no fixed joints, which form rigid groups. Every second of these has driven joints.
RandomTree TreeOf(std::uint64_t seed) {
  if (seed % 2 == 0) return MakeRandomTree(seed, {.bodies = 25, .types = AllTreeJointTypes()});
  RandomTree tree = MakeRandomTree(
      seed, {.bodies = 25,
             .types = {JointType::kBall, JointType::kRevolute, JointType::kPrismatic,
                       JointType::kFree, JointType::kUniversal, JointType::kPlanar}});
  const JointOffsets at = OffsetsOf(tree.system);
  for (std::size_t j = 0; seed % 4 == 1 && j < tree.system.joints.size(); ++j) {
    const JointType type = tree.system.joints[j].type;
    if (RateCount(type) != 1 || j % 2 == 0) continue;
    const double rate = tree.state.joints.u[static_cast<std::size_t>(at.u[j])];
    tree.system.drivers.push_back({"driver", static_cast<int>(j), {.rate = rate}});
  }
  return tree;
}

class EvaluatedReactions : public BatchedMethod {
 protected:
  struct Evaluated {
    std::vector<double> ydot;
    std::vector<JointReaction> reactions;
  };
  static Evaluated Evaluate(Formulation& formulation, const System& system,
                            const std::vector<double>& y) {
    Evaluated evaluated{
        std::vector<double>(y.size()),
        std::vector<JointReaction>(system.joints.size() + system.loop_joints.size())};
    auto& with_reactions = *formulation.reactions();
    EXPECT_TRUE(
        with_reactions.EvaluateWithReactions(0, y, evaluated.ydot, evaluated.reactions).ok());
    return evaluated;
  }
  static std::vector<double> StartOf(Formulation& formulation, const SystemState& state) {
    std::vector<double> y(formulation.state_size());
    EXPECT_TRUE(formulation.Initialise(0, state, y).ok());
    return y;
  }
};

// Largest difference of forces and torques, in units of the largest.
double DifferenceOfReactions(const std::vector<JointReaction>& a,
                             const std::vector<JointReaction>& b) {
  double difference = 0, size = 0;
  for (std::size_t j = 0; j < a.size(); ++j) {
    Raise(difference, Norm(a[j].force - b[j].force));
    Raise(difference, Norm(a[j].torque - b[j].torque));
    size = std::max({size, Norm(b[j].force), Norm(b[j].torque)});
  }
  return difference / size;
}

TEST_P(EvaluatedReactions, DoNotChangeTheAccelerations) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomTree tree = TreeOf(seed);
    const auto formulation = Single(tree.system);
    const std::vector<double> y = StartOf(*formulation, tree.state);
    std::vector<double> ydot(y.size());
    ASSERT_TRUE(formulation->Evaluate(0, y, ydot).ok());
    EXPECT_LT(Difference(Evaluate(*formulation, tree.system, y).ydot, ydot), 1e-12);
    ASSERT_TRUE(formulation->Evaluate(0, y, ydot).ok());
    EXPECT_LT(Difference(Evaluate(*formulation, tree.system, y).ydot, ydot), 1e-12) << "again";
  }
}

TEST_P(EvaluatedReactions, AgreeWithTheReferenceIn113Bits) {
  int known = 0;
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomTree tree = TreeOf(seed);
    const auto formulation = Single(tree.system);
    known += formulation->reactions()->equations_contain_reactions() ? 1 : 0;
    const std::vector<double> y = StartOf(*formulation, tree.state);
    std::vector<JointReaction> truth;
    for (const ReferenceReaction& r :
         ReferenceAccelerations(tree.system, tree.state.joints).reactions)
      truth.push_back({r.force, r.torque});
    EXPECT_LT(DifferenceOfReactions(Evaluate(*formulation, tree.system, y).reactions, truth),
              1e-11);
  }
  EXPECT_GT(known, 10) << "else the sweeps are not tried";
}

TEST_P(EvaluatedReactions, OfTheCeilingBalanceWeightAndInertiaOfAllBodies) {
  const Problem chain = MakeProblem("chainN3d:bodies=10");
  const System& system = chain.system;
  const auto formulation = Single(system);
  const std::vector<double> y = StartOf(*formulation, InitialState(chain));
  const auto evaluated = Evaluate(*formulation, system, y);
  Vector3 inertia_forces;  // sum of m (a - g)
  Observation observation;
  ASSERT_TRUE(formulation->Observe(0, y, Detail::kAccelerations, observation).ok());
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    inertia_forces =
        inertia_forces +
        system.bodies[b].mass * (observation.accelerations[b].acceleration - system.gravity);
  }
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    if (system.joints[j].parent != kGround) continue;
    EXPECT_LT(Norm(evaluated.reactions[j].force - inertia_forces), 1e-12 * Norm(inertia_forces));
    EXPECT_EQ(Norm(evaluated.reactions[j].torque), 0);
  }
}

TEST_P(EvaluatedReactions, OfLoopsEqualThoseOfAnObservation) {
  const Problem fourbar = MakeProblem("fourbar");
  const auto formulation = Single(fourbar.system);
  const std::vector<double> y = StartOf(*formulation, InitialState(fourbar));
  Observation observation;
  ASSERT_TRUE(formulation->Observe(0, y, Detail::kReactions, observation).ok());
  EXPECT_EQ(DifferenceOfReactions(Evaluate(*formulation, fourbar.system, y).reactions,
                                  observation.reactions),
            0);
}

INSTANTIATE_TEST_SUITE_P(EachMethod, EvaluatedReactions, BatchedMethods(), NameOfSpec);

}  // namespace
}  // namespace mbsbench
