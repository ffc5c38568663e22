// Printed equations: compared with the timed ones, and with themselves in 113 bits.
#pragma once

#include <gtest/gtest.h>

#include <cstdio>

#include "methods/tree_motion/group_tree.h"
#include "problems/test_systems/random_trees.h"
#include "tests/support/quad.h"
#include "tests/support/worst.h"

namespace mbsbench {

// Relative to the largest number of their kind.
struct FormErrors {
  double of_timed = 0;   // timed form less readable form, in double
  double round_off = 0;  // readable form in double less that in 113 bits
};

struct FormBounds {
  double of_timed = 1e-13, round_off = 1e-13;
  // If both solve one ill-conditioned matrix, they may differ by this many times the printed form's own round-off.
  double times_round_off = 0;
  bool drivers = true;
};

// Calls errors_on(tree, random) for 60 trees of up to 12 bodies, of one type of joint and of all. On every second tree every third
// joint with one axis is driven.
template <class ErrorsOn>
void HoldOnRandomTrees(const FormBounds& bounds, bool force_elements, ErrorsOn errors_on) {
  RandomNumbers random(7);
  FormErrors worst;
  for (JointType type : SimpleJointTypes()) {
    for (int k = 0; k < 12; ++k) {
      RandomTreeOptions options{.bodies = 1 + k, .types = {type}, .force_elements = force_elements};
      if (type == JointType::kFixed) options.types = SimpleJointTypes();
      RandomTree tree = MakeRandomTree(static_cast<std::uint64_t>(100 + k), options);
      std::vector<Joint>& joints = tree.system.joints;
      for (std::size_t j = 0; bounds.drivers && k % 2 == 1 && j < joints.size(); j += 3) {
        if (CoordinateCount(joints[j].type) == 1)
          tree.system.drivers.push_back({"driver " + std::to_string(j), static_cast<int>(j), {}});
      }
      const FormErrors e = errors_on(tree, random);
      EXPECT_LT(e.of_timed, std::max(bounds.of_timed, bounds.times_round_off * e.round_off))
          << Name(type) << ", tree " << k;
      EXPECT_LT(e.round_off, bounds.round_off) << Name(type) << ", tree " << k;
      Raise(worst.of_timed, e.of_timed);
      Raise(worst.round_off, e.round_off);
    }
  }
  EXPECT_GT(worst.round_off, 0) << "two precisions must differ";
  std::printf("  worst: against the timed form %.1e, round-off %.1e\n", worst.of_timed,
              worst.round_off);
}

// Random loads on every group, a force or a given acceleration on every joint with one axis: the same on the timed form, whose
// joints take them by put(group, number), and on the readable one in two precisions.
template <class Groups, class Loads, class Readable, class Exact, class Put>
void LoadAlike(const Groups& groups, RandomNumbers& random, Loads&& timed_loads, Readable& readable,
               Exact& exact, Put put) {
  for (std::size_t g = 1; g < groups.size(); ++g) {
    const Vector3 force = random.Vector(5), moment = random.Vector(1);
    timed_loads[g] =
        readable.loads[g] = {{force.x, force.y, force.z}, {moment.x, moment.y, moment.z}};
    exact.loads[g] = {{force.x, force.y, force.z}, {moment.x, moment.y, moment.z}};
    if (RateCount(groups[g].type) != 1) continue;
    const double given = random.Between(-2, 2);
    exact.joint_forces[g] = readable.joint_forces[g] = given;
    put(g, given);
  }
}

// y' in 113 bits.
template <class Exact>
std::vector<Quad> ExactRates(Exact& exact, const std::vector<double>& y) {
  const std::vector<Quad> exact_y(y.begin(), y.end());
  std::vector<Quad> exact_ydot(y.size());
  exact.Evaluate(exact_y.data(), exact_ydot.data());
  return exact_ydot;
}

// For a tree sweep and equations that give y', relative to the largest u', with loads on every group, a force or a given acceleration on
// every joint with one axis.
template <class Sweep, class Readable, class Exact>
FormErrors SweepErrors(const RandomTree& tree, RandomNumbers& random) {
  const GroupTree<double> groups = MakeGroupTree<double>(tree.system);
  Sweep sweep(groups, tree.system.gravity);
  sweep.EnableLoads();
  Readable readable(groups, tree.system.gravity);
  Exact exact(MakeGroupTree<Quad>(tree.system), tree.system.gravity);
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

}  // namespace mbsbench
