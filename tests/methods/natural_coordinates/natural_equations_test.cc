// A step of the readable equations compared with the timed one, and with itself in 113 bits.
#include "methods/natural_coordinates/natural_equations.h"

#include <gtest/gtest.h>

#include "methods/interface/time_stepper.h"
#include "methods/natural_coordinates/natural_coordinates.h"
#include "methods/natural_coordinates/operations.h"
#include "problems/catalog/catalog.h"
#include "problems/test_systems/random_trees.h"
#include "tests/support/quad.h"

namespace mbsbench::natural {
namespace {

constexpr double kNaturalStep = 0.01, kWeight = 1e4;
constexpr int kTwoPasses = 2;

template <typename Real>
std::vector<Real> SteppedByEquations(const System& system, const std::vector<double>& y) {
  constexpr int kIterations = 20;
  NaturalEquations<Real> equations(system, kWeight, kTwoPasses);
  const std::vector<Real> begin(y.begin(), y.end());
  std::vector<Real> end(y.size());
  equations.Step(Real(kNaturalStep), begin.data(), end.data(), kIterations,
                 [](const auto& W, const auto& b) { return W.partialPivLu().solve(b).eval(); });
  return end;
}

TEST(NaturalEquations, AgreeWithTheTimedStepsOnRandomTrees) {
  double worst = 0, worst_round_off = 0;
  for (JointType type : AllTreeJointTypes()) {
    for (int k = 0; k < 2; ++k) {
      RandomTreeOptions options{.bodies = 1 + k, .types = {type}, .force_elements = false};
      if (type == JointType::kFixed) options.types = AllTreeJointTypes();
      const RandomTree tree = MakeRandomTree(static_cast<std::uint64_t>(300 + k), options);
      const NaturalModel model(tree.system);
      if (model.unknowns().empty()) continue;
      const auto prepared =
          NaturalCoordinatesEntry().prepare(tree.system, {"ali3p", "penalty=10000", "passes=2"});
      TimeStepper& stepper = *prepared->time_stepper();
      ASSERT_TRUE(stepper.Start(0, tree.state, {.step = kNaturalStep, .end_time = 1}).ok());
      const auto motions = static_cast<std::ptrdiff_t>(13 * tree.system.bodies.size());
      const std::vector<double> begin(stepper.y().begin() + motions, stepper.y().end());
      ASSERT_TRUE(stepper.Step(1).status.ok());
      const std::vector<double> timed(stepper.y().begin() + motions, stepper.y().end());
      const auto readable = SteppedByEquations<double>(tree.system, begin);
      const auto exact = SteppedByEquations<Quad>(tree.system, begin);
      // Points and their rates, which have the last change of the timed steps times 2/h; the other data have round-off that grows as the step becomes shorter.
      const std::size_t compared = 6 * model.unknowns().size();
      double largest = 0, error = 0, round_off = 0, moved = 0;
      for (std::size_t i = 0; i < compared; ++i) {
        largest = std::max(largest, std::abs(readable[i]));
        moved = std::max(moved, std::abs(readable[i] - begin[i]));
        error = std::max(error, std::abs(readable[i] - timed[i]));
        round_off =
            std::max(round_off, std::abs(static_cast<double>(Quad(readable[i]) - exact[i])));
      }
      EXPECT_GT(moved, 1e-3);
      EXPECT_LT(error / largest, 1e-9) << Name(type) << ", tree " << k;
      EXPECT_LT(round_off / largest, 1e-11) << Name(type) << ", tree " << k;
      worst = std::max(worst, error / largest);
      worst_round_off = std::max(worst_round_off, round_off / largest);
    }
  }
  std::printf("  worst: against the steps %.1e, round-off %.1e\n", worst, worst_round_off);
}

TEST(NaturalEquations, FactorsAndAssemblyOfAChainGrowWithItsBodies) {
  const auto of = [](int n) {
    const Problem problem = MakeProblem("chainN3d:bodies=" + std::to_string(n));
    return NaturalCoordinatesEntry().count_operations(problem.system, {}, problem.initial.joints);
  };
  const CountedOperations few = of(20), many = of(80);
  ASSERT_TRUE(few.has_value() && many.has_value());
  EXPECT_EQ(many.what, "step of 3 Newton iterations");
  EXPECT_NEAR(
      4. * static_cast<double>(few->multiplications) / static_cast<double>(many->multiplications),
      1, 0.05);
}

}  // namespace
}  // namespace mbsbench::natural
