// Subtrees on two threads.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "methods/tree_sweeps/partition.h"
#include "methods/articulated_body/sweep.h"
#include "problems/catalog/catalog.h"
#include "problems/test_systems/random_trees.h"
#include "tests/methods/articulated_body/solver.h"

namespace mbsbench {
namespace {

std::unique_ptr<OdeFormulation> PrepareOnTwoThreads(const System& system) {
  auto formulation = ArticulatedBodyEntry().prepare(system, {"projected", "two-threads"});
  return std::unique_ptr<OdeFormulation>(static_cast<OdeFormulation*>(formulation.release()));
}

// Groups per part; empty if the tree is not divided.
std::vector<int> SizesOfParts(const System& system) {
  const auto tree = MakeGroupTree<double>(system);
  std::vector<int> sizes;
  for (int part : PartsOf(tree.groups, 2)) {
    if (part == 0) continue;
    sizes.resize(2);
    ++sizes[static_cast<std::size_t>(part - 1)];
  }
  return sizes;
}

TEST(Threads, DivideATreeIntoPartsOfSimilarSize) {
  const std::vector<int> sizes = SizesOfParts(MakeProblem("treeN:bodies=1023").system);
  ASSERT_EQ(sizes.size(), 2u);
  EXPECT_GT(sizes[0] + sizes[1], 900);
  EXPECT_LT(std::abs(sizes[0] - sizes[1]), 100);
}

TEST(Threads, DoNotDivideAChain) {
  EXPECT_TRUE(SizesOfParts(MakeProblem("chainN3d:bodies=1000").system).empty());
}

// Many repetitions: a data race would show only now and then.
TEST(Threads, GiveTheSameResultsToTheLastBit) {
  std::vector<RandomTree> trees;
  for (const char* name : {"treeN:bodies=1023", "treeN:bodies=63"}) {  // the latter is not divided
    const Problem tree = MakeProblem(name);
    trees.push_back({tree.system, {tree.initial.joints, {}}});
  }
  for (std::uint64_t seed = 1; seed <= 3; ++seed) {
    RandomTree random = MakeRandomTree(
        seed, {.bodies = 600,
               .types = {JointType::kBall, JointType::kRevolute, JointType::kPrismatic},
               .force_elements = false,
               .chain_likelihood = 0.2});
    ASSERT_EQ(SizesOfParts(random.system).size(), 2u) << "seed " << seed;
    trees.push_back(std::move(random));
  }
  for (const RandomTree& random : trees) {
    articulated_body::Sweep<double> alone(MakeGroupTree<double>(random.system),
                                          random.system.gravity);
    const auto together = PrepareOnTwoThreads(random.system);
    std::vector<double> y(random.state.joints.q);
    y.insert(y.end(), random.state.joints.u.begin(), random.state.joints.u.end());
    std::vector<double> truth(y.size()), found(y.size());
    for (int i = 0; i < 50; ++i) {
      y[static_cast<std::size_t>(i)] += 0.01;
      alone.PassMotion(y.data(), truth.data());
      ASSERT_EQ(alone.PassInertia(), 0);
      alone.PassAcceleration(y.data(), truth.data());
      ASSERT_TRUE(together->Evaluate(0, y, found).ok());
      ASSERT_EQ(found, truth);
    }
  }
}

TEST(Threads, ReportAFailureAsOneThreadDoes) {
  const Problem problem = MakeProblem("treeN:bodies=1023");
  const auto together = PrepareOnTwoThreads(problem.system);
  std::vector<double> y(problem.initial.joints.q), ydot(together->state_size());
  y.insert(y.end(), problem.initial.joints.u.begin(), problem.initial.joints.u.end());
  ASSERT_TRUE(together->Evaluate(0, y, ydot).ok());
  y.back() = NAN;
  EXPECT_EQ(together->Evaluate(0, y, ydot).code, Status::Code::kNotFinite);
  EXPECT_TRUE(std::all_of(ydot.begin(), ydot.end(), [](double v) { return std::isnan(v); }));
}

}  // namespace
}  // namespace mbsbench
