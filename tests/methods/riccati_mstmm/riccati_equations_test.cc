// The Riccati sweeps as they are read against those that are timed, and against themselves in 113 bits.
#include "methods/riccati_mstmm/riccati_equations.h"

#include <gtest/gtest.h>

#include "tests/support/readable_form.h"

namespace mbsbench {
namespace {

template <class T>
std::vector<T> Rates(const JointTree& tree, const std::vector<double>& state,
                     const std::vector<ExternalForce<double>>& forces) {
  RiccatiEquations<T> equations(tree);
  const std::vector<T> y(state.begin(), state.end());
  std::vector<T> ydot(y.size());
  CalcMotion(tree, y.data(), equations.motions.data());
  for (std::size_t k = 1; k < forces.size(); ++k) {
    equations.forces[k] = {Raise<T>(forces[k].f_C), Raise<T>(forces[k].m_C)};
    if (tree.elements[k - 1].driven)
      DriveJoint(tree.elements[k - 1], static_cast<double>(k), equations.motions[k]);
  }
  equations.Evaluate(y.data(), ydot.data());
  return ydot;
}

// Beside the largest u', with forces on every body and springs in the joints.
FormErrors ErrorsOn(const RandomTree& random_tree, RandomNumbers& random) {
  const JointTree tree = MakeJointTree(random_tree.system);
  SweepSpace<double> space(tree);
  for (std::size_t k = 1; k < space.forces.size(); ++k)
    space.forces[k] = {Lifted(random.Vector(5)), Lifted(random.Vector(1))};
  std::vector<double> y = random_tree.state.joints.q;
  y.insert(y.end(), random_tree.state.joints.u.begin(), random_tree.state.joints.u.end());
  std::vector<double> fast(y.size());
  CalcMotion(tree, y.data(), space.motions.data());
  for (std::size_t k = 1; k < space.motions.size(); ++k) {
    if (tree.elements[k - 1].driven)
      DriveJoint(tree.elements[k - 1], static_cast<double>(k), space.motions[k]);
  }
  EXPECT_EQ(SweepToRoot(tree, true, space), 0);
  SweepToTips(tree, space, fast.data());
  const std::vector<double> readable = Rates<double>(tree, y, space.forces);
  const std::vector<Quad> exact = Rates<Quad>(tree, y, space.forces);
  double largest = 0;
  FormErrors errors;
  for (const TreeElement& e : tree.elements) {
    for (int i = e.u; !e.driven && i < e.u + RateCount(e.type); ++i) {
      const auto at = static_cast<std::size_t>(i);
      largest = std::max(largest, std::abs(readable[at]));
      Raise(errors.of_timed, std::abs(readable[at] - fast[at]));
      Raise(errors.round_off, std::abs(static_cast<double>(Quad(readable[at]) - exact[at])));
    }
  }
  if (largest == 0) return {};
  return {errors.of_timed / largest, errors.round_off / largest};
}

TEST(RiccatiEquations, HoldTheSweepsOnRandomTrees) { HoldOnRandomTrees({}, true, ErrorsOn); }

}  // namespace
}  // namespace mbsbench
