// A step of the readable equations compared with the timed one, and with itself in 113 bits.
#include "methods/half_explicit/half_explicit_equations.h"

#include <gtest/gtest.h>

#include "methods/half_explicit/half_explicit.h"
#include "methods/half_explicit/operations.h"
#include "methods/interface/time_stepper.h"
#include "problems/catalog/catalog.h"
#include "problems/test_systems/random_trees.h"
#include "tests/support/quad.h"

namespace mbsbench::half_explicit {
namespace {

constexpr double kHalfExplicitStep = 0.02;

template <typename Real>
std::vector<Real> SteppedByEquations(const System& system, int order,
                                     const std::vector<double>& y) {
  HalfExplicitEquations<Real> equations(system, order);
  const std::vector<Real> begin(y.begin(), y.end());
  std::vector<Real> end(y.size());
  equations.Step(Real(kHalfExplicitStep), begin.data(), end.data(),
                 [](const auto& K, const auto& b) { return K.partialPivLu().solve(b).eval(); });
  return end;
}

TEST(HalfExplicitEquations, AgreeWithTheTimedStepsOnRandomTrees) {
  double worst = 0, worst_round_off = 0;
  for (JointType type : AllTreeJointTypes()) {
    for (const int order : {2, 3, 4}) {
      RandomTreeOptions options{.bodies = order - 1, .types = {type}, .force_elements = false};
      if (type == JointType::kFixed) options.types = AllTreeJointTypes();
      const RandomTree tree = MakeRandomTree(static_cast<std::uint64_t>(300 + order), options);
      const auto prepared =
          HalfExplicitEntry().prepare(tree.system, {"order=" + std::to_string(order)});
      TimeStepper& stepper = *prepared->time_stepper();
      ASSERT_TRUE(stepper.Start(0, tree.state, {.step = kHalfExplicitStep, .end_time = 1}).ok());
      const std::vector<double> begin(stepper.y().begin(), stepper.y().end());
      ASSERT_TRUE(stepper.Step(1).status.ok());
      const auto readable = SteppedByEquations<double>(tree.system, order, begin);
      const auto exact = SteppedByEquations<Quad>(tree.system, order, begin);
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
      EXPECT_LT(error / largest, 1e-12) << Name(type) << ", order " << order;
      EXPECT_LT(round_off / largest, 1e-12) << Name(type) << ", order " << order;
      worst = std::max(worst, error / largest);
      worst_round_off = std::max(worst_round_off, round_off / largest);
      double multiplier = 0, multiplier_error = 0;  // velocities over the step
      for (std::size_t i = motions; i < readable.size(); ++i) {
        multiplier = std::max(multiplier, std::abs(readable[i]));
        multiplier_error = std::max(multiplier_error, std::abs(readable[i] - stepper.y()[i]));
      }
      EXPECT_LE(multiplier_error, 1e-9 * multiplier) << Name(type) << ", order " << order;
    }
  }
  std::printf("  worst: against the steps %.1e, round-off %.1e\n", worst, worst_round_off);
}

TEST(HalfExplicitEquations, TakeAConstantNumberOfOperationsPerBodyAndStage) {
  const auto count = [](const std::string& name, const char* order) {
    const Problem problem = MakeProblem(name);
    return HalfExplicitEntry().count_operations(problem.system, {order}, problem.initial.joints);
  };
  for (const char* order : {"order=2", "order=4"}) {
    const CountedOperations few = count("chainN3d:bodies=20", order),
                            many = count("chainN3d:bodies=80", order);
    ASSERT_TRUE(few.has_value() && many.has_value());
    EXPECT_EQ(many.what, std::string("step of ") + (order[6] == '2' ? "2" : "5") + " stages");
    EXPECT_NEAR(
        4. * static_cast<double>(few->multiplications) / static_cast<double>(many->multiplications),
        1, 0.05);
    std::printf("  %s, per body and step: %.1f multiplications\n", order,
                static_cast<double>(many->multiplications) / 80);
  }
  const System system = MakeRandomTree(1, {.bodies = 6}).system;  // with force elements
  EXPECT_FALSE(HalfExplicitEntry().count_operations(system, {}, {}).has_value());
}

}  // namespace
}  // namespace mbsbench::half_explicit
