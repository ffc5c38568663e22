// Table 7.1 as it is read against the sweep that is timed, and against itself in 113 bits.
#include "methods/articulated_body/featherstone_equations.h"

#include <gtest/gtest.h>

#include "methods/articulated_body/sweep.h"
#include "tests/support/readable_form.h"

namespace mbsbench::articulated_body {
namespace {

// Beside the largest u', with loads on every group, a force or a given acceleration on every joint with one axis.
FormErrors ErrorsOn(const RandomTree& tree, RandomNumbers& random) {
  const GroupTree<double> groups = MakeGroupTree<double>(tree.system);
  Sweep<double> sweep(groups, tree.system.gravity);
  sweep.EnableLoads();
  FeatherstoneEquations<double> readable(groups, tree.system.gravity);
  FeatherstoneEquations<Quad> exact(MakeGroupTree<Quad>(tree.system), tree.system.gravity);
  LoadAlike(groups.groups, random, sweep.loads(), readable, exact,
            [&](std::size_t g, double given) { sweep.joint_forces()[g] = given; });
  std::vector<double> y = tree.state.joints.q;
  const std::size_t rates = y.size();
  y.insert(y.end(), tree.state.joints.u.begin(), tree.state.joints.u.end());
  std::vector<double> fast(y.size()), slow(y.size());
  sweep.PassMotion(y.data(), fast.data());
  EXPECT_EQ(sweep.PassInertia(), 0);
  sweep.PassAcceleration(y.data(), fast.data());
  readable.Evaluate(y.data(), slow.data());
  const std::vector<Quad> exact_ydot = ExactRates(exact, y);
  double largest = 0;
  FormErrors errors;
  for (const SweepGroup<double>& group : groups.groups) {
    for (int k = 0; k < (group.joint < 0 || group.driven ? 0 : RateCount(group.type)); ++k) {
      const auto i = static_cast<std::size_t>(group.u + k);
      EXPECT_GE(i, rates);
      largest = std::max(largest, std::abs(slow[i]));
      Raise(errors.of_timed, std::abs(slow[i] - fast[i]));
      Raise(errors.round_off, std::abs(static_cast<double>(Quad(slow[i]) - exact_ydot[i])));
    }
  }
  if (largest == 0) return {};
  return {errors.of_timed / largest, errors.round_off / largest};
}

TEST(FeatherstoneEquations, HoldTheSweepOnRandomTrees) { HoldOnRandomTrees({}, false, ErrorsOn); }

}  // namespace
}  // namespace mbsbench::articulated_body
