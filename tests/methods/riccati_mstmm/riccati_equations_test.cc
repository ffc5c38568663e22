// The Riccati sweeps as they are read against those that are timed, and against themselves in 113 bits.
#include "methods/riccati_mstmm/riccati_equations.h"

#include <gtest/gtest.h>

#include <boost/multiprecision/cpp_bin_float.hpp>
#include <boost/multiprecision/eigen.hpp>

#include "problems/test_systems/random_trees.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

using Quad = boost::multiprecision::number<
    boost::multiprecision::cpp_bin_float<113, boost::multiprecision::digit_base_2>,
    boost::multiprecision::et_off>;

struct Errors {
  double of_sweeps = 0;  // sweeps less readable form, in double
  double round_off = 0;  // readable form in double less that in 113 bits
};

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
Errors ErrorsOn(const RandomTree& random_tree, RandomNumbers& random) {
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
  Errors errors;
  for (const TreeElement& e : tree.elements) {
    for (int i = e.u; !e.driven && i < e.u + RateCount(e.type); ++i) {
      const auto at = static_cast<std::size_t>(i);
      largest = std::max(largest, std::abs(readable[at]));
      Raise(errors.of_sweeps, std::abs(readable[at] - fast[at]));
      Raise(errors.round_off, std::abs(static_cast<double>(Quad(readable[at]) - exact[at])));
    }
  }
  if (largest == 0) return {};
  return {errors.of_sweeps / largest, errors.round_off / largest};
}

TEST(RiccatiEquations, HoldTheSweepsOnRandomTrees) {
  RandomNumbers random(7);
  Errors worst;
  for (JointType type : SimpleJointTypes()) {
    for (int k = 0; k < 12; ++k) {
      RandomTreeOptions options{.bodies = 1 + k, .types = {type}};
      if (type == JointType::kFixed) options.types = SimpleJointTypes();
      RandomTree tree = MakeRandomTree(static_cast<std::uint64_t>(100 + k), options);
      for (std::size_t j = 0; k % 2 == 1 && j < tree.system.joints.size(); j += 3) {
        if (CoordinateCount(tree.system.joints[j].type) == 1)
          tree.system.drivers.push_back({"driver " + std::to_string(j), static_cast<int>(j), {}});
      }
      const Errors e = ErrorsOn(tree, random);
      EXPECT_LT(e.of_sweeps, 1e-13) << Name(type) << ", tree " << k;
      EXPECT_LT(e.round_off, 1e-13) << Name(type) << ", tree " << k;
      Raise(worst.of_sweeps, e.of_sweeps);
      Raise(worst.round_off, e.round_off);
    }
  }
  EXPECT_GT(worst.round_off, 0) << "two precisions must differ";
  std::printf("  worst: against the sweeps %.1e, round-off %.1e\n", worst.of_sweeps,
              worst.round_off);
}

}  // namespace
}  // namespace mbsbench
