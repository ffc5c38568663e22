// Kane's equations as they are read against those that are timed, and against themselves in 113 bits.
#include "methods/kane_huston/printed_equations.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/eigen.hpp>

#include "problems/test_systems/random_trees.h"
#include "tests/support/worst.h"

namespace mbsbench::kane_huston {
namespace {

using Quad = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<113, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;

struct Errors {
  double of_fast_form = 0;  // fast form less readable form, in double
  double round_off = 0;     // readable form in double less that in 113 bits
};

// Beside the largest u', or 10 where all are smaller, as loads may cancel: gravity over a metre. With loads on every node
// and forces on all rates.
Errors ErrorsOn(const RandomTree& tree, RandomNumbers& random) {
  const ReducedTree reduced = Reduce(tree.system);
  KaneEquations<double> fast(reduced, tree.system.gravity);
  PrintedEquations<double> readable(reduced, tree.system.gravity);
  PrintedEquations<Quad> exact(reduced, tree.system.gravity);
  for (std::size_t b = 0; b < reduced.nodes.size(); ++b) {
    fast.loads[b] = readable.loads[b] = {ToEigen(random.Vector(5)), ToEigen(random.Vector(1))};
    exact.loads[b] = {readable.loads[b].force.cast<Quad>(), readable.loads[b].moment.cast<Quad>()};
  }
  for (std::size_t k = 0; k < readable.joint_forces.size(); ++k)
    exact.joint_forces[k] = fast.joint_forces[k] = readable.joint_forces[k] = random.Between(-2, 2);
  const JointState& state = tree.state.joints;
  fast.partial_velocities.SetMotion(state.q.data(), state.u.data());
  fast.Assemble(state.u.data());
  EXPECT_EQ(fast.Solve(), -1);
  const std::vector<Quad> q(state.q.begin(), state.q.end()), u(state.u.begin(), state.u.end());
  const auto udot = readable.Accelerations(state.q.data(), state.u.data());
  const auto exact_udot = exact.Accelerations(q.data(), u.data());
  double largest = 10;
  Errors errors;
  for (Eigen::Index k = 0; k < udot.size(); ++k) {
    largest = std::max(largest, std::abs(udot[k]));
    Raise(errors.of_fast_form, std::abs(udot[k] - fast.accelerations[static_cast<std::size_t>(k)]));
    Raise(errors.round_off, std::abs(static_cast<double>(Quad(udot[k]) - exact_udot[k])));
  }
  return {errors.of_fast_form / largest, errors.round_off / largest};
}

// Both solve the same ill-conditioned matrix: where the readable form itself is off by more than 1e-13 / 4, the two
// may differ by as much as four times that.
TEST(PrintedEquations, HoldTheFastFormOnRandomTrees) {
  RandomNumbers random(7);
  Errors worst;
  for (JointType type : SimpleJointTypes()) {
    for (int k = 0; k < 12; ++k) {
      RandomTreeOptions options{.bodies = 1 + k, .types = {type}, .force_elements = false};
      if (type == JointType::kFixed) options.types = SimpleJointTypes();
      const RandomTree tree = MakeRandomTree(static_cast<std::uint64_t>(100 + k), options);
      const Errors e = ErrorsOn(tree, random);
      EXPECT_LT(e.of_fast_form, std::max(1e-13, 4 * e.round_off)) << Name(type) << ", tree " << k;
      EXPECT_LT(e.round_off, 1e-12) << Name(type) << ", tree " << k;
      Raise(worst.of_fast_form, e.of_fast_form);
      Raise(worst.round_off, e.round_off);
    }
  }
  EXPECT_GT(worst.round_off, 0) << "two precisions must differ";
  std::printf("  worst: against the fast form %.1e, round-off %.1e\n", worst.of_fast_form,
              worst.round_off);
}

}  // namespace
}  // namespace mbsbench::kane_huston
