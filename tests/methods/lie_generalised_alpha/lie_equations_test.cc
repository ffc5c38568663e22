// A step of the readable equations compared with the timed one, and with itself in 113 bits.
#include "methods/lie_generalised_alpha/lie_equations.h"

#include <gtest/gtest.h>

#include "methods/interface/time_stepper.h"
#include "methods/lie_generalised_alpha/lie_generalised_alpha.h"
#include "methods/lie_generalised_alpha/operations.h"
#include "problems/catalog/catalog.h"
#include "problems/model/kinematics.h"
#include "problems/test_systems/random_trees.h"
#include "tests/support/quad.h"

namespace mbsbench::lie {
namespace {

constexpr double kLieStep = 0.02, kRhoOfTest = 0.6;

template <typename Real>
std::vector<Real> SteppedByEquations(const System& system, bool keeps_velocities,
                                     const std::vector<double>& y) {
  constexpr int kIterations = 6;  // quadratic: 113 bits need no more
  LieEquations<Real> equations(system, keeps_velocities, kRhoOfTest);
  const std::vector<Real> begin(y.begin(), y.end());
  std::vector<Real> end(y.size());
  equations.Step(Real(kLieStep), begin.data(), end.data(), kIterations,
                 [](const auto& K, const auto& b) { return K.partialPivLu().solve(b).eval(); });
  return end;
}

TEST(LieEquations, AgreeWithTheTimedStepsOnRandomTrees) {
  double worst = 0, worst_round_off = 0;
  for (JointType type : AllTreeJointTypes()) {
    for (int k = 0; k < 2; ++k) {
      RandomTreeOptions options{.bodies = 1 + k, .types = {type}, .force_elements = false};
      if (type == JointType::kFixed) options.types = AllTreeJointTypes();
      const RandomTree tree = MakeRandomTree(static_cast<std::uint64_t>(300 + k), options);
      const bool keeps_velocities = k == 1;
      const auto prepared = LieGeneralisedAlphaEntry().prepare(
          tree.system, {keeps_velocities ? "index2" : "index3", "rho=0.6"});
      TimeStepper& stepper = *prepared->time_stepper();
      ASSERT_TRUE(stepper.Start(0, tree.state, {.step = kLieStep, .end_time = 1}).ok());
      const std::vector<double> begin(stepper.y().begin(), stepper.y().end());
      ASSERT_TRUE(stepper.Step(1).status.ok());
      const auto readable = SteppedByEquations<double>(tree.system, keeps_velocities, begin);
      const auto exact = SteppedByEquations<Quad>(tree.system, keeps_velocities, begin);
      // Motions; the other data have round-off that grows as the step becomes shorter.
      const std::size_t motions = 13 * tree.system.bodies.size();
      double largest = 0, error = 0, round_off = 0, moved = 0;
      for (std::size_t i = 0; i < motions; ++i) {
        largest = std::max(largest, std::abs(readable[i]));
        moved = std::max(moved, std::abs(readable[i] - begin[i]));
        error = std::max(error, std::abs(readable[i] - stepper.y()[i]));
        round_off =
            std::max(round_off, std::abs(static_cast<double>(Quad(readable[i]) - exact[i])));
      }
      EXPECT_GT(moved, 1e-3);
      EXPECT_LT(error / largest, 1e-12) << Name(type) << ", tree " << k;
      EXPECT_LT(round_off / largest, 1e-12) << Name(type) << ", tree " << k;
      worst = std::max(worst, error / largest);
      worst_round_off = std::max(worst_round_off, round_off / largest);
      double memory = 0, memory_error = 0;
      for (std::size_t i = motions; i < begin.size(); ++i) {
        memory = std::max(memory, std::abs(readable[i]));
        memory_error = std::max(memory_error, std::abs(readable[i] - stepper.y()[i]));
      }
      EXPECT_LT(memory_error / memory, 1e-9) << Name(type) << ", tree " << k;
    }
  }
  std::printf("  worst: against the steps %.1e, round-off %.1e\n", worst, worst_round_off);
}

OperationCount AssemblyOf(const std::string& name, int iterations) {
  const Problem problem = MakeProblem(name);
  const auto f = LieGeneralisedAlphaEntry().prepare(problem.system, {});
  std::vector<double> y(f->state_size());
  const SystemState state{problem.initial.joints,
                          ForwardKinematics(problem.system, problem.initial.joints)};
  EXPECT_TRUE(f->Initialise(0, state, y).ok());
  return CountAssembly(problem.system, true, kRhoOfTest, y, kLieStep, iterations);
}

TEST(LieEquations, TakeAConstantNumberOfOperationsPerBodyAndIteration) {
  for (const char* family : {"chainN3d", "revoluteN"}) {
    const auto per_body = [&](auto member) {
      const auto iteration = [&](int n) {
        const std::string name = family + (":bodies=" + std::to_string(n));
        return AssemblyOf(name, 2).*member - AssemblyOf(name, 1).*member;
      };
      const auto few = iteration(15) - iteration(10), many = iteration(30) - iteration(20);
      EXPECT_EQ(2 * few, many);
      return static_cast<double>(many) / 10;
    };
    const double multiplications = per_body(&OperationCount::multiplications);
    std::printf("  %s per body and iteration: %.1f multiplications, %.1f additions\n", family,
                multiplications, per_body(&OperationCount::additions));
    EXPECT_GT(multiplications, 100);  // a count of nothing would be constant too
  }
}

TEST(LieEquations, FactorsOfAChainGrowWithItsBodies) {
  const auto of = [](int n) {
    const Problem problem = MakeProblem("chainN3d:bodies=" + std::to_string(n));
    return LieGeneralisedAlphaEntry().count_operations(problem.system, {}, problem.initial.joints);
  };
  const CountedOperations few = of(20), many = of(80);
  ASSERT_TRUE(few.has_value() && many.has_value());
  EXPECT_EQ(many.what, "step of 2 Newton iterations");
  EXPECT_NEAR(
      4. * static_cast<double>(few->multiplications) / static_cast<double>(many->multiplications),
      1, 0.05);
  std::printf("  per body and step: %.1f multiplications\n",
              static_cast<double>(many->multiplications) / 80);
}

TEST(LieEquations, AreNotCountedForSystemsThatUseOtherKernels) {
  const System system = MakeRandomTree(1, {.bodies = 6}).system;
  const CountedOperations count = LieGeneralisedAlphaEntry().count_operations(system, {}, {});
  EXPECT_FALSE(count.has_value());
  EXPECT_FALSE(count.why_not.empty());
}

}  // namespace
}  // namespace mbsbench::lie
