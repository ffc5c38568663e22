// A step of the readable equations compared with the timed one, and with itself in 113 bits.
#include "methods/index3_direct/index3_equations.h"

#include <gtest/gtest.h>

#include "methods/index3_direct/index3_direct.h"
#include "methods/interface/time_stepper.h"
#include "problems/catalog/catalog.h"
#include "problems/test_systems/random_trees.h"
#include "tests/support/quad.h"

namespace mbsbench::direct {
namespace {

constexpr double kReadableStep = 0.01;
constexpr int kReadableIterations = 5;

constexpr int kReadableOrder = 3;

template <typename Real>
std::vector<Real> SteppedAsPrinted(const System& system, const std::string& variant,
                                   const std::vector<double>& y) {
  Index3Equations<Real> equations(system);
  const std::vector<Real> begin(y.begin(), y.end());
  std::vector<Real> end = begin;
  const auto solve = [](const auto& K, const auto& b) { return K.partialPivLu().solve(b).eval(); };
  const Real h(kReadableStep);
  if (variant == "hht")
    equations.StepHht(Real(-0.3), h, begin.data(), end.data(), kReadableIterations, solve);
  else
    equations.StepBdf(variant == "si2", kReadableOrder, 6, h, h, begin.data(), end.data(),
                      kReadableIterations, solve);
  return end;
}

TEST(Index3Equations, AgreeWithTheTimedStepsOnRandomTrees) {
  for (JointType type : AllTreeJointTypes()) {
    RandomTreeOptions options{.bodies = 2, .types = {type}, .force_elements = false};
    if (type == JointType::kFixed) options.types = AllTreeJointTypes(), options.bodies = 3;
    const RandomTree tree = MakeRandomTree(310, options);
    for (const std::string variant : {"hht", "i3", "si2"}) {
      MethodOptions spec{variant};
      if (variant != "hht") spec.push_back("order=" + std::to_string(kReadableOrder));
      const auto prepared = Index3DirectEntry().prepare(tree.system, spec);
      TimeStepper& stepper = *prepared->time_stepper();
      ASSERT_TRUE(stepper.Start(0, tree.state, {.step = kReadableStep, .end_time = 1}).ok());
      ASSERT_TRUE(stepper.Step(1).status.ok());  // so that a differs from V'
      const std::vector<double> begin(stepper.y().begin(), stepper.y().end());
      ASSERT_TRUE(stepper.Step(1).status.ok());
      const auto readable = SteppedAsPrinted<double>(tree.system, variant, begin);
      const auto exact = SteppedAsPrinted<Quad>(tree.system, variant, begin);
      // The motion and the data of the step, without the motions before it.
      const std::size_t size = variant == "hht"
                                   ? readable.size()
                                   : readable.size() - 6 * (13 * tree.system.bodies.size() + 1);
      double largest = 0, error = 0, round_off = 0;
      for (std::size_t i = 0; i < size; ++i) {
        largest = std::max(largest, std::abs(readable[i]));
        error = std::max(error, std::abs(readable[i] - stepper.y()[i]));
        round_off =
            std::max(round_off, std::abs(static_cast<double>(Quad(readable[i]) - exact[i])));
      }
      EXPECT_LT(error / largest, 1e-9) << Name(type) << " " << variant;
      EXPECT_LT(round_off / largest, 1e-9) << Name(type) << " " << variant;
    }
  }
}

TEST(Index3Equations, TakeAConstantNumberOfOperationsPerBody) {
  for (const char* variant : {"hht", "i3", "si2"}) {
    const auto count = [variant](const std::string& name) {
      const Problem problem = MakeProblem(name);
      return Index3DirectEntry().count_operations(problem.system, {variant},
                                                  problem.initial.joints);
    };
    const CountedOperations few = count("chainN3d:bodies=20"), many = count("chainN3d:bodies=80");
    ASSERT_TRUE(few.has_value() && many.has_value());
    EXPECT_EQ(many.what, "step of 2 Newton iterations");
    EXPECT_NEAR(
        4. * static_cast<double>(few->multiplications) / static_cast<double>(many->multiplications),
        1, 0.05)
        << variant;
  }
}

}  // namespace
}  // namespace mbsbench::direct
