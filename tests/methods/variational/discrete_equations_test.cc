// A step of the readable discrete equations compared with the timed one, and with itself in
// 113 bits.
#include "methods/variational/discrete_equations.h"

#include <gtest/gtest.h>

#include "methods/interface/time_stepper.h"
#include "methods/variational/operations.h"
#include "methods/variational/variational.h"
#include "problems/catalog/catalog.h"
#include "problems/model/kinematics.h"
#include "problems/test_systems/random_trees.h"
#include "tests/support/quad.h"

namespace mbsbench::variational {
namespace {

constexpr double kStep = 0.02;

template <typename Real>
std::vector<Real> Stepped(const System& system, const std::vector<double>& y) {
  constexpr int kIterations = 10;  // quadratic: 113 bits need no more
  DiscreteEquations<Real> equations(system);
  const std::vector<Real> begin(y.begin(), y.end());
  std::vector<Real> end(y.size());
  equations.Step(Real(kStep), begin.data(), end.data(), kIterations,
                 [](const auto& K, const auto& b) { return K.partialPivLu().solve(b).eval(); });
  return end;
}

TEST(DiscreteEquations, AgreeWithTheTimedStepsOnRandomTrees) {
  double worst = 0, worst_round_off = 0;
  for (JointType type : AllTreeJointTypes()) {
    for (int k = 0; k < 6; ++k) {
      RandomTreeOptions options{.bodies = 1 + k, .types = {type}, .force_elements = false};
      if (type == JointType::kFixed) options.types = AllTreeJointTypes();
      const RandomTree tree = MakeRandomTree(static_cast<std::uint64_t>(300 + k), options);
      const auto prepared = VariationalEntry().prepare(tree.system, {});
      TimeStepper& stepper = *prepared->time_stepper();
      ASSERT_TRUE(stepper.Start(0, tree.state, {.step = kStep, .end_time = 1}).ok());
      const std::vector<double> begin(stepper.y().begin(), stepper.y().end());
      ASSERT_TRUE(stepper.Step(1).status.ok());
      const std::vector<double> readable = Stepped<double>(tree.system, begin);
      const std::vector<Quad> exact = Stepped<Quad>(tree.system, begin);
      double largest = 0, error = 0, round_off = 0, moved = 0;
      for (std::size_t i = 0; i < begin.size(); ++i) {
        largest = std::max(largest, std::abs(readable[i]));
        moved = std::max(moved, std::abs(readable[i] - begin[i]));
        error = std::max(error, std::abs(readable[i] - stepper.y()[i]));
        round_off =
            std::max(round_off, std::abs(static_cast<double>(Quad(readable[i]) - exact[i])));
      }
      EXPECT_GT(moved, 1e-3);
      EXPECT_LT(error / largest, 1e-13) << Name(type) << ", tree " << k;
      EXPECT_LT(round_off / largest, 1e-13) << Name(type) << ", tree " << k;
      worst = std::max(worst, error / largest);
      worst_round_off = std::max(worst_round_off, round_off / largest);
    }
  }
  std::printf("  worst: against the steps %.1e, round-off %.1e\n", worst, worst_round_off);
}

OperationCount AssemblyOf(const std::string& name, int iterations) {
  const Problem problem = MakeProblem(name);
  const auto f = VariationalEntry().prepare(problem.system, {});
  std::vector<double> y(f->state_size());
  const SystemState state{problem.initial.joints,
                          ForwardKinematics(problem.system, problem.initial.joints)};
  EXPECT_TRUE(f->Initialise(0, state, y).ok());
  return CountAssembly(problem.system, y, kStep, iterations);
}

// Operations of the assembly in an iteration of Newton's method, and a square root of each spin.
TEST(DiscreteEquations, TakeAConstantNumberOfOperationsPerBodyAndIteration) {
  for (const char* family : {"chainN3d", "revoluteN"}) {
    const auto per_body = [&](auto member) {
      const auto iteration = [&](int n) {
        const std::string name = family + (":bodies=" + std::to_string(n));
        return AssemblyOf(name, 2).*member - AssemblyOf(name, 1).*member;
      };
      const auto few = iteration(30) - iteration(20), many = iteration(60) - iteration(40);
      EXPECT_EQ(2 * few, many);
      return static_cast<double>(many) / 20;
    };
    const double multiplications = per_body(&OperationCount::multiplications);
    std::printf(
        "  %s per body and iteration: %.1f multiplications, %.1f additions, %.1f divisions\n",
        family, multiplications, per_body(&OperationCount::additions),
        per_body(&OperationCount::divisions));
    EXPECT_GT(multiplications, 100);  // a count of nothing would be constant too
    EXPECT_EQ(per_body(&OperationCount::square_roots), 3);
  }
}

TEST(DiscreteEquations, CountTheFactorsOfAllIterationsOfTheFirstStep) {
  const auto of = [](int n) {
    const Problem problem = MakeProblem("chainN3d:bodies=" + std::to_string(n));
    return VariationalEntry().count_operations(problem.system, {}, problem.initial.joints);
  };
  const CountedOperations few = of(50), many = of(200);
  ASSERT_TRUE(few.has_value() && many.has_value());
  EXPECT_EQ(many.what, "step of 3 Newton iterations");
  EXPECT_EQ(few.what, many.what);
  EXPECT_NEAR(
      4. * static_cast<double>(few->multiplications) / static_cast<double>(many->multiplications),
      1, 0.05);
  // Five factorisations of a symmetric pattern with three rows per joint, in addition to the
  // assembly.
  const auto assembled = AssemblyOf("chainN3d:bodies=200", 3);
  std::printf("  per body and step: %.1f multiplications, %.1f of them assemble\n",
              static_cast<double>(many->multiplications) / 200,
              static_cast<double>(assembled.multiplications) / 200);
  EXPECT_GT(many->multiplications - assembled.multiplications, 5 * 200 * 100);
}

TEST(DiscreteEquations, AreNotCountedForSystemsThatUseOtherKernels) {
  const System system = MakeRandomTree(1, {.bodies = 6}).system;
  const CountedOperations count = VariationalEntry().count_operations(system, {}, {});
  EXPECT_FALSE(count.has_value());
  EXPECT_FALSE(count.why_not.empty());
}

}  // namespace
}  // namespace mbsbench::variational
