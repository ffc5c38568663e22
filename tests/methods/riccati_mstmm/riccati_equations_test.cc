// The Riccati sweeps as they are read against those that are timed, and against themselves in 113 bits.
#include "methods/riccati_mstmm/riccati_equations.h"

#include <gtest/gtest.h>

#include "methods/kinematics/joint_springs.h"
#include "methods/riccati_mstmm/general_sweep.h"
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

// u' of the sweep that is timed, at the same forces and driven accelerations.
std::vector<double> TimedRates(const System& system, const JointTree& elements,
                               const std::vector<double>& y,
                               const std::vector<ExternalForce<double>>& forces) {
  const GroupTree<double> groups = MakeGroupTree<double>(system);
  const std::vector<int> group_of_joint = groups.GroupOfJoint(system);
  RiccatiSweep<double> sweep(groups, system.gravity);
  sweep.EnableLoads();
  std::vector<double> ydot(y.size());
  sweep.PassMotion(y.data(), ydot.data());
  for (std::size_t k = 1; k < forces.size(); ++k) {
    const TreeElement& element = elements.elements[k - 1];
    if (element.driven) {
      const int group = group_of_joint[static_cast<std::size_t>(element.joint)];
      sweep.joint_forces()[static_cast<std::size_t>(group)] = static_cast<double>(k);
    }
    const BodyInGroup<double>& seat = groups.seats[static_cast<std::size_t>(element.body)];
    const Vec<double> arm = sweep.motion(seat.group).R * seat.centre;
    Load<double>& load = sweep.loads()[static_cast<std::size_t>(seat.group)];
    load.force = load.force + forces[k].f_C;
    load.moment = load.moment + forces[k].m_C + Cross(arm, forces[k].f_C);
  }
  JointSprings(system, group_of_joint).Put(y.data(), sweep.joint_forces());
  EXPECT_EQ(sweep.PassInertia(), 0);
  sweep.PassAcceleration(y.data(), ydot.data());
  return ydot;
}

// Beside the largest u', with forces on every body and springs in the joints.
FormErrors ErrorsOn(const RandomTree& random_tree, RandomNumbers& random) {
  const JointTree tree = MakeJointTree(random_tree.system);
  std::vector<ExternalForce<double>> forces(tree.elements.size() + 1);
  for (std::size_t k = 1; k < forces.size(); ++k)
    forces[k] = {Lifted(random.Vector(5)), Lifted(random.Vector(1))};
  std::vector<double> y = random_tree.state.joints.q;
  y.insert(y.end(), random_tree.state.joints.u.begin(), random_tree.state.joints.u.end());
  const std::vector<double> fast = TimedRates(random_tree.system, tree, y, forces);
  const std::vector<double> readable = Rates<double>(tree, y, forces);
  const std::vector<Quad> exact = Rates<Quad>(tree, y, forces);
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
