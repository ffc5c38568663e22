// The readable equations of absolute coordinates compared with the timed sparse ones, and with
// themselves in 113 bits.
#include <gtest/gtest.h>

#include "methods/cartesian_dae/cartesian_dae.h"
#include "methods/cartesian_dae/cartesian_equations.h"
#include "problems/catalog/catalog.h"
#include "problems/test_systems/random_trees.h"
#include "tests/support/quad.h"

namespace mbsbench::cartesian {
namespace {

template <typename Real>
std::vector<Real> Rates(const System& system, const std::vector<double>& y) {
  CartesianEquations<Real> equations(system);
  const std::vector<Real> at(y.begin(), y.end());
  std::vector<Real> ydot(y.size());
  equations.Evaluate(at.data(), ydot.data(), [](auto& e) { e.SolveFull(); });
  return ydot;
}

TEST(CartesianEquations, AgreeWithTheSparseOnesOnRandomTrees) {
  double worst = 0, worst_round_off = 0;
  for (JointType type : AllTreeJointTypes()) {
    for (int k = 0; k < 8; ++k) {
      RandomTreeOptions options{.bodies = 1 + k, .types = {type}, .force_elements = false};
      if (type == JointType::kFixed) options.types = AllTreeJointTypes();
      const RandomTree tree = MakeRandomTree(static_cast<std::uint64_t>(200 + k), options);
      const auto prepared = CartesianDaeEntry().prepare(tree.system, {"index1"});
      auto& ode = static_cast<OdeFormulation&>(*prepared);
      std::vector<double> y(ode.state_size()), ydot(y.size());
      ASSERT_TRUE(ode.Initialise(0, tree.state, y).ok());
      ASSERT_TRUE(ode.Evaluate(0, y, ydot).ok());
      const std::vector<double> readable = Rates<double>(tree.system, y);
      const std::vector<Quad> exact = Rates<Quad>(tree.system, y);
      double largest = 0, error = 0, round_off = 0;
      for (std::size_t i = 0; i < y.size(); ++i) {
        largest = std::max(largest, std::abs(readable[i]));
        error = std::max(error, std::abs(readable[i] - ydot[i]));
        round_off =
            std::max(round_off, std::abs(static_cast<double>(Quad(readable[i]) - exact[i])));
      }
      EXPECT_LT(error / largest, 1e-13) << Name(type) << ", tree " << k;
      EXPECT_LT(round_off / largest, 1e-13) << Name(type) << ", tree " << k;
      worst = std::max(worst, error / largest);
      worst_round_off = std::max(worst_round_off, round_off / largest);
    }
  }
  std::printf("  worst: against the sparse ones %.1e, round-off %.1e\n", worst, worst_round_off);
}

TEST(CartesianEquations, OfAChainTakeAConstantNumberOfOperationsPerBody) {
  for (const char* family : {"chainN3d", "revoluteN"}) {
    const auto of = [&](int n) {
      const Problem problem = MakeProblem(std::string(family) + ":bodies=" + std::to_string(n));
      const auto count =
          CartesianDaeEntry().count_operations(problem.system, {"index1"}, problem.initial.joints);
      EXPECT_TRUE(count.has_value());
      return count.value_or(OperationCount{});
    };
    const OperationCount few = of(100), many = of(1000);
    const auto per_body = [](std::int64_t n, int bodies) {
      return static_cast<double>(n) / bodies;
    };
    std::printf("  %s per body: %.1f multiplications, %.1f additions, %.1f divisions\n", family,
                per_body(many.multiplications, 1000), per_body(many.additions, 1000),
                per_body(many.divisions, 1000));
    EXPECT_NEAR(per_body(few.multiplications, 100) / per_body(many.multiplications, 1000), 1, 0.05);
    EXPECT_NEAR(per_body(few.additions, 100) / per_body(many.additions, 1000), 1, 0.05);
    EXPECT_GT(per_body(many.multiplications, 1000),
              300);                      // a count of nothing would be constant too
    EXPECT_EQ(many.square_roots, 1000);  // of a quaternion
  }
}

TEST(CartesianEquations, AreNotCountedForSystemsThatUseOtherKernels) {
  const System system = MakeRandomTree(1, {.bodies = 6}).system;
  EXPECT_FALSE(CartesianDaeEntry().count_operations(system, {"index1"}, {}).has_value());
  const Problem problem = MakeProblem("chainN3d:bodies=2");
  EXPECT_FALSE(
      CartesianDaeEntry().count_operations(problem.system, {"ggl"}, problem.initial.joints));
}

}  // namespace
}  // namespace mbsbench::cartesian
