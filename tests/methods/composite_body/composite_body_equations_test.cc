// The readable joint-space equations compared with the timed ones, and with themselves in 113 bits.
#include "methods/composite_body/composite_body_equations.h"

#include <gtest/gtest.h>

#include "methods/composite_body/joint_space_equations.h"
#include "tests/support/readable_form.h"

namespace mbsbench::composite_body {
namespace {

// H and tau - C of the timed form less those of the printed one, relative to the largest of each, and round-off
// of the printed form relative to its largest u'.
FormErrors ErrorsOn(const RandomTree& tree, RandomNumbers& random) {
  const GroupTree<double> groups = MakeGroupTree<double>(tree.system);
  JointSpaceEquations<double> fast(groups, tree.system.gravity);
  CompositeBodyEquations<double> readable(groups, tree.system.gravity);
  CompositeBodyEquations<Quad> exact(MakeGroupTree<Quad>(tree.system), tree.system.gravity);
  LoadAlike(groups.groups, random, fast.loads(), readable, exact, [&](std::size_t g, double given) {
    if (groups.groups[g].driven) {
      fast.driven_accelerations()[g] = given;
    } else {
      const int rate = fast.first_rate(static_cast<int>(g));
      fast.joint_forces()[static_cast<std::size_t>(rate)] = given;
    }
  });
  std::vector<double> y = tree.state.joints.q;
  y.insert(y.end(), tree.state.joints.u.begin(), tree.state.joints.u.end());
  std::vector<double> ydot(y.size());
  fast.PassMotion(y.data(), ydot.data());
  fast.Assemble(y.data());
  readable.Evaluate(y.data(), ydot.data());
  const std::vector<Quad> exact_ydot = ExactRates(exact, y);

  FormErrors errors;
  double largest_H = 0, largest_right = 0;
  for (int k = 0; k < static_cast<int>(readable.C.size()); ++k) {
    const auto at = static_cast<std::size_t>(k);
    const double right = readable.tau[k] - readable.C[k];
    largest_right = std::max(largest_right, std::abs(right));
    Raise(errors.of_timed, std::abs(right - fast.right_side()[at]));
  }
  if (largest_right > 0) errors.of_timed /= largest_right;
  double of_H = 0;
  for (int k = 0; k < static_cast<int>(readable.C.size()); ++k) {
    int place = fast.inertia().position(k);
    for (int i = k; i >= 0; i = fast.rates().before[static_cast<std::size_t>(i)]) {
      largest_H = std::max(largest_H, std::abs(readable.H(k, i)));
      Raise(of_H, std::abs(readable.H(k, i) - fast.inertia().Row(k)[place--]));
    }
  }
  if (largest_H > 0) Raise(errors.of_timed, of_H / largest_H);
  double largest = 0, round_off = 0;
  for (std::size_t i = tree.state.joints.q.size(); i < y.size(); ++i) {
    largest = std::max(largest, std::abs(ydot[i]));
    Raise(round_off, std::abs(static_cast<double>(Quad(ydot[i]) - exact_ydot[i])));
  }
  if (largest > 0) errors.round_off = round_off / largest;
  return errors;
}

TEST(CompositeBodyEquations, AgreeWithTheTimedFormOnRandomTrees) {
  HoldOnRandomTrees({.round_off = 1e-12}, false, ErrorsOn);
}

}  // namespace
}  // namespace mbsbench::composite_body
