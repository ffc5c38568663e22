// Kane's readable equations compared with the timed ones, and with themselves in 113 bits.
#include "methods/kane_huston/printed_equations.h"

#include <gtest/gtest.h>

#include "tests/support/readable_form.h"

namespace mbsbench::kane_huston {
namespace {

// Relative to the largest u', or to 10 if all are smaller because loads may cancel: gravity over a metre. With loads on
// every node and forces on all rates.
FormErrors ErrorsOn(const RandomTree& tree, RandomNumbers& random) {
  const ReducedTree<double> reduced(tree.system);
  const ReducedTree<Quad> exact_reduced(tree.system);
  KaneEquations<double> fast(reduced, tree.system.gravity);
  PrintedEquations<double> readable(reduced, tree.system.gravity);
  PrintedEquations<Quad> exact(exact_reduced, tree.system.gravity);
  for (std::size_t b = 1; b < reduced.nodes.size(); ++b) {
    fast.loads[b] = readable.loads[b] = {Lifted(random.Vector(5)), Lifted(random.Vector(1))};
    exact.loads[b] = {Raise<Quad>(readable.loads[b].force), Raise<Quad>(readable.loads[b].moment)};
  }
  for (std::size_t k = 0; k < readable.joint_forces.size(); ++k)
    exact.joint_forces[k] = fast.joint_forces[k] = readable.joint_forces[k] = random.Between(-2, 2);
  std::vector<double> y = tree.state.joints.q;
  y.insert(y.end(), tree.state.joints.u.begin(), tree.state.joints.u.end());
  std::vector<double> ydot(y.size());
  fast.partial_velocities.SetMotion(y.data(), ydot.data());
  fast.Assemble(y.data());
  EXPECT_EQ(fast.Solve(), -1);
  const std::vector<Quad> exact_y(y.begin(), y.end());
  const auto udot = readable.Accelerations(y.data());
  const auto exact_udot = exact.Accelerations(exact_y.data());
  double largest = 10;
  FormErrors errors;
  for (Eigen::Index k = 0; k < udot.size(); ++k) {
    largest = std::max(largest, std::abs(udot[k]));
    Raise(errors.of_timed, std::abs(udot[k] - fast.accelerations[static_cast<std::size_t>(k)]));
    Raise(errors.round_off, std::abs(static_cast<double>(Quad(udot[k]) - exact_udot[k])));
  }
  return {errors.of_timed / largest, errors.round_off / largest};
}

TEST(PrintedEquations, AgreeWithTheTimedFormOnRandomTrees) {
  HoldOnRandomTrees({.round_off = 1e-12, .times_round_off = 4, .drivers = false}, false, ErrorsOn);
}

}  // namespace
}  // namespace mbsbench::kane_huston
