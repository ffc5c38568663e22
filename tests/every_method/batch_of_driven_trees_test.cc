// Methods that evaluate many states at once, on trees with some driven joints: each lane equals the
// evaluation of one state, and driven joints do not accelerate in any lane.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <string>
#include <vector>

#include "problems/test_systems/random_trees.h"
#include "tests/every_method/batched_method.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

// About half of the joints with one coordinate are driven; springs sit in driven joints and in others.
RandomTree DrivenTree(std::uint64_t seed) {
  RandomTree tree = MakeRandomTree(seed, {.bodies = 25, .force_elements = false});
  RandomNumbers random(seed + 100);
  const JointOffsets at = OffsetsOf(tree.system);
  for (std::size_t j = 0; j < tree.system.joints.size(); ++j) {
    const JointType type = tree.system.joints[j].type;
    if (type != JointType::kRevolute && type != JointType::kPrismatic) continue;
    const int joint = static_cast<int>(j);
    if (random.Below(2) == 0) {
      const auto rate = static_cast<std::size_t>(at.u[j]);
      tree.system.drivers.push_back(
          {"driver " + std::to_string(j), joint, tree.state.joints.u[rate]});
    }
    if (random.Below(2) == 0) {
      tree.system.forces.Of<JointSpringDamper>().push_back(
          {"spring " + std::to_string(j), joint, 100, 3, 0.2});
    }
  }
  return tree;
}

class BatchOfDrivenTrees : public BatchedMethod {};

TEST_P(BatchOfDrivenTrees, EachLaneEqualsTheEvaluationOfItsState) {
  int drivers = 0;
  double held_back = 0;  // acceleration that drivers suppress, in units of the largest rate
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    const RandomTree tree = DrivenTree(seed);
    drivers += static_cast<int>(tree.system.drivers.size());
    System undriven = tree.system;
    undriven.drivers.clear();
    const auto single = Single(tree.system), free = Single(undriven);
    const auto batch = Many(tree.system);
    const std::size_t size = single->state_size();
    ASSERT_EQ(batch->state_size(), size);

    std::vector<double> start(size);
    ASSERT_TRUE(single->Initialise(0, tree.state, start).ok());
    RandomNumbers random(seed);
    std::vector<std::vector<double>> states(kBatchStates, start);
    std::vector<LaneValues> y(size), rates(size);
    for (std::size_t l = 0; l < kBatchStates; ++l) {
      for (std::size_t i = 0; i < size; ++i) {
        states[l][i] += random.Between(-0.1, 0.1);
        y[i].lane[l] = states[l][i];
      }
    }
    std::vector<Status> status(kBatchStates);
    ASSERT_TRUE(batch->EvaluateBatch(0, y, rates, status));

    const JointOffsets at = OffsetsOf(tree.system);
    for (std::size_t l = 0; l < kBatchStates; ++l) {
      std::vector<double> ydot(size), without(size);
      ASSERT_TRUE(single->Evaluate(0, states[l], ydot).ok());
      ASSERT_TRUE(free->Evaluate(0, states[l], without).ok());
      EXPECT_LT(Difference(LaneOf(rates, l), ydot), 1e-10) << "lane " << l;
      held_back = std::max(held_back, Difference(without, ydot));
      for (const Driver& driver : tree.system.drivers) {
        const auto j = static_cast<std::size_t>(driver.joint);
        const auto q = static_cast<std::size_t>(at.q[j]);
        const auto u = static_cast<std::size_t>(at.q.back() + at.u[j]);
        EXPECT_EQ(rates[u].lane[l], 0) << driver.name << ", lane " << l;
        EXPECT_EQ(rates[q].lane[l], states[l][u]) << driver.name << ", lane " << l;
      }
    }
  }
  EXPECT_GT(drivers, 40);
  EXPECT_GT(held_back, 0.1) << "drivers that hold nothing prove nothing";
}

INSTANTIATE_TEST_SUITE_P(EachMethod, BatchOfDrivenTrees, BatchedMethods(), NameOfSpec);

}  // namespace
}  // namespace mbsbench
