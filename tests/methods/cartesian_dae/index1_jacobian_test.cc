// The exact Jacobian of cartesian-dae:index1 compared with differences of its f.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "methods/cartesian_dae/cartesian_dae.h"
#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "problems/model/problem.h"
#include "problems/test_systems/random_loops.h"

namespace mbsbench {
namespace {

struct Differentiated {
  std::unique_ptr<Formulation> formulation;
  std::vector<double> y;

  Differentiated(const System& system, const SystemState& state)
      : formulation(CartesianDaeEntry().prepare(system, {"index1"})) {
    y.resize(formulation->state_size());
    EXPECT_TRUE(formulation->Initialise(0, state, y).ok());
  }
  OdeFormulation& ode() { return static_cast<OdeFormulation&>(*formulation); }
  std::vector<double> F(double t, const std::vector<double>& at) {
    std::vector<double> ydot(at.size());
    EXPECT_TRUE(ode().Evaluate(t, at, ydot).ok());
    return ydot;
  }
};

SystemState InitialState(const Problem& problem) {
  return Assemble(problem.system, problem.initial, problem.length).state;
}

// At open joints and quaternions that are not unit, as in an iteration: the largest error of a column relative to the largest
// entry of the column, and to 1e-3 of the largest of all.
double ErrorOfJacobian(const System& system, const SystemState& state, double t) {
  Differentiated d(system, state);
  const std::size_t n = d.y.size();
  for (std::size_t i = 0; i < n; ++i) d.y[i] += 1e-4 * std::sin(1. + 7. * static_cast<double>(i));
  std::vector<double> exact(n * n);
  auto* const jacobian = d.formulation->jacobian();
  EXPECT_TRUE(jacobian);
  EXPECT_TRUE(jacobian->Jacobian(t, d.y, exact).ok());
  double scale = 0, worst = 0;
  for (double value : exact) scale = std::max(scale, std::abs(value));
  for (std::size_t j = 0; j < n; ++j) {
    // The error of the central difference is of the order h^2.
    const auto slope = [&](double h) {
      std::vector<double> ahead = d.y, behind = d.y;
      ahead[j] += h, behind[j] -= h;
      std::vector<double> slopes = d.F(t, ahead);
      const std::vector<double> other = d.F(t, behind);
      for (std::size_t i = 0; i < n; ++i) slopes[i] = (slopes[i] - other[i]) / (2 * h);
      return slopes;
    };
    const std::vector<double> coarse = slope(2e-4), fine = slope(1e-4);
    double largest = 1e-3 * scale, error = 0;
    for (std::size_t i = 0; i < n; ++i) {
      const double extrapolated = fine[i] + (fine[i] - coarse[i]) / 3;
      largest = std::max(largest, std::abs(extrapolated));
      error = std::max(error, std::abs(exact[i + n * j] - extrapolated));
    }
    worst = std::max(worst, error / largest);
  }
  return worst;
}

TEST(Index1Jacobian, IsTheDerivativeOnTreesLoopsSpringsTyresAndDrivers) {
  for (const char* name : {"heavytop", "branch4", "flyball", "fourbar", "wishbone",
                           "wishbone:tyre=100", "slidercrank3d", "kapitza", "caraxis"}) {
    const Problem problem = MakeProblem(name);
    const double error = ErrorOfJacobian(problem.system, InitialState(problem), 0.01);
    std::printf("  %-20s %.1e\n", name, error);
    EXPECT_LT(error, 1e-6) << name;
  }
}

TEST(Index1Jacobian, IsTheDerivativeOnRandomLoops) {
  for (int k = 0; k < 4; ++k) {
    RandomLoopOptions options;
    options.loops = 1 + k % 3;
    options.tree.bodies = 4 + k;
    const RandomTree random = MakeRandomLoops(static_cast<std::uint64_t>(40 + k), options);
    EXPECT_LT(ErrorOfJacobian(random.system, random.state, 0), 1e-6) << k;
  }
}

TEST(Index1Jacobian, DoesNotChangeLaterEvaluations) {
  const Problem problem = MakeProblem("fourbar");
  Differentiated d(problem.system, InitialState(problem));
  const std::vector<double> before = d.F(0, d.y);
  std::vector<double> values(d.y.size() * d.y.size()), again(values);
  auto& jacobian = *d.formulation->jacobian();
  ASSERT_TRUE(jacobian.Jacobian(0, d.y, values).ok());
  EXPECT_EQ(before, d.F(0, d.y));
  ASSERT_TRUE(jacobian.Jacobian(0, d.y, again).ok());
  EXPECT_EQ(values, again);
  d.y[0] = NAN;
  EXPECT_FALSE(jacobian.Jacobian(0, d.y, values).ok());
}

}  // namespace
}  // namespace mbsbench
