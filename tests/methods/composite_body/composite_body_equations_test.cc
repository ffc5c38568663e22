// The joint-space equations as they are read against those that are timed, and against themselves in 113 bits.
#include "methods/composite_body/composite_body_equations.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/eigen.hpp>

#include "methods/composite_body/joint_space_equations.h"
#include "problems/test_systems/random_trees.h"
#include "tests/support/worst.h"

namespace mbsbench::composite_body {
namespace {

using Quad = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<113, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;

// H and tau - C of the fast form less those of the readable one, beside the largest of each; and round-off of the
// readable form beside its largest u'.
struct Errors {
  double of_fast_form = 0, round_off = 0;
};

Errors ErrorsOn(const RandomTree& tree, RandomNumbers& random) {
  const GroupTree<double> groups = MakeGroupTree<double>(tree.system);
  JointSpaceEquations<double> fast(groups, tree.system.gravity);
  CompositeBodyEquations<double> readable(groups, tree.system.gravity);
  CompositeBodyEquations<Quad> exact(MakeGroupTree<Quad>(tree.system), tree.system.gravity);
  for (std::size_t g = 1; g < groups.groups.size(); ++g) {
    const Vec<double> force = Lifted(random.Vector(5)), moment = Lifted(random.Vector(1));
    fast.loads()[g] = readable.loads[g] = {force, moment};
    exact.loads[g] = {{force.x, force.y, force.z}, {moment.x, moment.y, moment.z}};
    if (!HasOneAxis(groups.groups[g].type)) continue;
    const double given = random.Between(-2, 2);
    exact.joint_forces[g] = readable.joint_forces[g] = given;
    if (groups.groups[g].driven) {
      fast.driven_accelerations()[g] = given;
    } else {
      fast.joint_forces()[static_cast<std::size_t>(fast.first_rate(static_cast<int>(g)))] = given;
    }
  }
  std::vector<double> y = tree.state.joints.q;
  y.insert(y.end(), tree.state.joints.u.begin(), tree.state.joints.u.end());
  std::vector<double> ydot(y.size());
  fast.PassMotion(y.data(), ydot.data());
  fast.Assemble(y.data());
  readable.Evaluate(y.data(), ydot.data());
  const std::vector<Quad> exact_y(y.begin(), y.end());
  std::vector<Quad> exact_ydot(y.size());
  exact.Evaluate(exact_y.data(), exact_ydot.data());

  Errors errors;
  double largest_H = 0, largest_right = 0;
  for (int k = 0; k < static_cast<int>(readable.C.size()); ++k) {
    const auto at = static_cast<std::size_t>(k);
    const double right = readable.tau[k] - readable.C[k];
    largest_right = std::max(largest_right, std::abs(right));
    Raise(errors.of_fast_form, std::abs(right - fast.right_side()[at]));
  }
  if (largest_right > 0) errors.of_fast_form /= largest_right;
  double of_H = 0;
  for (int k = 0; k < static_cast<int>(readable.C.size()); ++k) {
    int place = fast.inertia().position(k);
    for (int i = k; i >= 0; i = fast.rates().before[static_cast<std::size_t>(i)]) {
      largest_H = std::max(largest_H, std::abs(readable.H(k, i)));
      Raise(of_H, std::abs(readable.H(k, i) - fast.inertia().Row(k)[place--]));
    }
  }
  if (largest_H > 0) Raise(errors.of_fast_form, of_H / largest_H);
  double largest = 0, round_off = 0;
  for (std::size_t i = tree.state.joints.q.size(); i < y.size(); ++i) {
    largest = std::max(largest, std::abs(ydot[i]));
    Raise(round_off, std::abs(static_cast<double>(Quad(ydot[i]) - exact_ydot[i])));
  }
  if (largest > 0) errors.round_off = round_off / largest;
  return errors;
}

TEST(CompositeBodyEquations, HoldTheFastFormOnRandomTrees) {
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
      EXPECT_LT(e.of_fast_form, 1e-13) << Name(type) << ", tree " << k;
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
}  // namespace mbsbench::composite_body
