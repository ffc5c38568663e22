// Table 7.1 as it is read against the sweep that is timed, and against itself in 113 bits.
#include "methods/articulated_body/featherstone_equations.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/eigen.hpp>

#include "methods/articulated_body/sweep.h"
#include "problems/test_systems/random_trees.h"
#include "tests/support/worst.h"

namespace mbsbench::articulated_body {
namespace {

using Quad = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<113, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;

struct Errors {
  double of_sweep = 0;   // sweep less readable form, in double
  double round_off = 0;  // readable form in double less that in 113 bits
};

// Beside the largest u', with loads on every group, a force or a given acceleration on every joint with one axis.
Errors ErrorsOn(const RandomTree& tree, RandomNumbers& random) {
  const GroupTree<double> groups = MakeGroupTree<double>(tree.system);
  Sweep<double> sweep(groups, tree.system.gravity);
  sweep.EnableLoads();
  FeatherstoneEquations<double> readable(groups, tree.system.gravity);
  FeatherstoneEquations<Quad> exact(MakeGroupTree<Quad>(tree.system), tree.system.gravity);
  for (std::size_t g = 1; g < groups.groups.size(); ++g) {
    const Vec<double> force = Lifted(random.Vector(5)), moment = Lifted(random.Vector(1));
    sweep.loads()[g] = readable.loads[g] = {force, moment};
    exact.loads[g] = {{force.x, force.y, force.z}, {moment.x, moment.y, moment.z}};
    if (!HasOneAxis(groups.groups[g].type)) continue;
    sweep.joint_forces()[g] = readable.joint_forces[g] = random.Between(-2, 2);
    exact.joint_forces[g] = readable.joint_forces[g];
  }
  std::vector<double> y = tree.state.joints.q;
  const std::size_t rates = y.size();
  y.insert(y.end(), tree.state.joints.u.begin(), tree.state.joints.u.end());
  std::vector<double> fast(y.size()), slow(y.size());
  sweep.PassMotion(y.data(), fast.data());
  EXPECT_EQ(sweep.PassInertia(), 0);
  sweep.PassAcceleration(y.data(), fast.data());
  readable.Evaluate(y.data(), slow.data());
  const std::vector<Quad> exact_y(y.begin(), y.end());
  std::vector<Quad> exact_ydot(y.size());
  exact.Evaluate(exact_y.data(), exact_ydot.data());
  double largest = 0;
  Errors errors;
  for (const SweepGroup<double>& group : groups.groups) {
    for (int k = 0; k < (group.joint < 0 || group.driven ? 0 : RateCount(group.type)); ++k) {
      const auto i = static_cast<std::size_t>(group.u + k);
      EXPECT_GE(i, rates);
      largest = std::max(largest, std::abs(slow[i]));
      Raise(errors.of_sweep, std::abs(slow[i] - fast[i]));
      Raise(errors.round_off, std::abs(static_cast<double>(Quad(slow[i]) - exact_ydot[i])));
    }
  }
  if (largest == 0) return {};
  return {errors.of_sweep / largest, errors.round_off / largest};
}

TEST(FeatherstoneEquations, HoldTheSweepOnRandomTrees) {
  RandomNumbers random(7);
  Errors worst;
  for (JointType type : SimpleJointTypes()) {
    for (int k = 0; k < 12; ++k) {
      RandomTreeOptions options{.bodies = 1 + k, .types = {type}, .force_elements = false};
      if (type == JointType::kFixed) options.types = SimpleJointTypes();
      RandomTree tree = MakeRandomTree(static_cast<std::uint64_t>(100 + k), options);
      for (std::size_t j = 0; k % 2 == 1 && j < tree.system.joints.size(); j += 3) {
        if (CoordinateCount(tree.system.joints[j].type) == 1)
          tree.system.drivers.push_back({"driver " + std::to_string(j), static_cast<int>(j), {}});
      }
      const Errors e = ErrorsOn(tree, random);
      EXPECT_LT(e.of_sweep, 1e-13) << Name(type) << ", tree " << k;
      EXPECT_LT(e.round_off, 1e-13) << Name(type) << ", tree " << k;
      Raise(worst.of_sweep, e.of_sweep);
      Raise(worst.round_off, e.round_off);
    }
  }
  EXPECT_GT(worst.round_off, 0) << "two precisions must differ";
  std::printf("  worst: against the sweep %.1e, round-off %.1e\n", worst.of_sweep, worst.round_off);
}

}  // namespace
}  // namespace mbsbench::articulated_body
