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
constexpr int kReadableIterations = 12;

template <typename Real>
std::vector<Real> SteppedAsPrinted(const System& system, const std::vector<double>& y) {
  Index3Equations<Real> equations(system);
  const std::vector<Real> begin(y.begin(), y.end());
  std::vector<Real> end(y.size());
  equations.StepHht(Real(-0.3), Real(kReadableStep), begin.data(), end.data(), kReadableIterations,
                    [](const auto& K, const auto& b) { return K.partialPivLu().solve(b).eval(); });
  return end;
}

TEST(Index3Equations, AgreeWithTheTimedStepsOnRandomTrees) {
  for (JointType type : AllTreeJointTypes()) {
    RandomTreeOptions options{.bodies = 2, .types = {type}, .force_elements = false};
    if (type == JointType::kFixed) options.types = AllTreeJointTypes(), options.bodies = 3;
    const RandomTree tree = MakeRandomTree(310, options);
    const auto prepared = Index3DirectEntry().prepare(tree.system, {"hht"});
    TimeStepper& stepper = *prepared->time_stepper();
    ASSERT_TRUE(stepper.Start(0, tree.state, {.step = kReadableStep, .end_time = 1}).ok());
    ASSERT_TRUE(stepper.Step(1).status.ok());  // so that a differs from V'
    const std::vector<double> begin(stepper.y().begin(), stepper.y().end());
    ASSERT_TRUE(stepper.Step(1).status.ok());
    const auto readable = SteppedAsPrinted<double>(tree.system, begin);
    const auto exact = SteppedAsPrinted<Quad>(tree.system, begin);
    double largest = 0, error = 0, round_off = 0;
    for (std::size_t i = 0; i < readable.size(); ++i) {
      largest = std::max(largest, std::abs(readable[i]));
      error = std::max(error, std::abs(readable[i] - stepper.y()[i]));
      round_off = std::max(round_off, std::abs(static_cast<double>(Quad(readable[i]) - exact[i])));
    }
    std::printf("  %s: against the steps %.1e, round-off %.1e\n", std::string(Name(type)).c_str(),
                error / largest, round_off / largest);
    EXPECT_LT(error / largest, 1e-8) << Name(type);  // a and lambda go as 1e-12/h^2
    EXPECT_LT(round_off / largest, 1e-8) << Name(type);
  }
}

TEST(Index3Equations, TakeAConstantNumberOfOperationsPerBody) {
  const auto count = [](const std::string& name) {
    const Problem problem = MakeProblem(name);
    return Index3DirectEntry().count_operations(problem.system, {"hht"}, problem.initial.joints);
  };
  const CountedOperations few = count("chainN3d:bodies=20"), many = count("chainN3d:bodies=80");
  ASSERT_TRUE(few.has_value() && many.has_value());
  EXPECT_EQ(many.what, "step of 2 Newton iterations");
  EXPECT_NEAR(
      4. * static_cast<double>(few->multiplications) / static_cast<double>(many->multiplications),
      1, 0.05);
}

}  // namespace
}  // namespace mbsbench::direct
