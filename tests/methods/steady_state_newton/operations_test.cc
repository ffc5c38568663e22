#include <gtest/gtest.h>

#include <cmath>

#include "methods/numerics/counted_in_eigen.h"
#include "methods/steady_state_newton/steady_equations_inline.h"
#include "methods/steady_state_newton/steady_state_newton.h"
#include "problems/catalog/catalog.h"

namespace mbsbench {
namespace {

CountedOperations CountOf(const std::string& name) {
  const Problem problem = MakeProblem(name);
  return SteadyStateNewtonEntry().count_operations(problem.system, {}, problem.initial.joints);
}

// Loops, springs and drivers are counted too.
TEST(SteadyOperations, OfAllSteadyProblemsAreCounted) {
  for (const char* name : {"swing", "governor-rods", "governor", "spunchainN:bodies=10"}) {
    const CountedOperations count = CountOf(name);
    ASSERT_TRUE(count.has_value()) << name << ": " << count.why_not;
    EXPECT_EQ(count.what, "residual and Jacobian");
    EXPECT_GT(count->multiplications, 300) << name;
  }
}

TEST(SteadyOperations, OfAChainGrowLinearlyWithBodies) {
  const auto of = [](int n) {
    return CountOf("spunchainN:bodies=" + std::to_string(n)).value_or(OperationCount{});
  };
  const OperationCount few = of(20), some = of(30), many = of(50);
  for (auto member :
       {&OperationCount::multiplications, &OperationCount::additions, &OperationCount::divisions}) {
    EXPECT_EQ(2 * (some.*member - few.*member), many.*member - some.*member);
  }
  std::printf("  per body: %.1f multiplications, %.1f additions\n",
              static_cast<double>(many.multiplications - few.multiplications) / 30,
              static_cast<double>(many.additions - few.additions) / 30);
}

TEST(SteadyOperations, AreCountedOnEquationsThatGiveTheMethodsNumbers) {
  for (const char* name : {"swing", "governor-rods", "spunchainN:bodies=10"}) {
    const Problem problem = MakeProblem(name);
    steady::SteadyEquations<double> equations(problem.system);
    steady::SteadyEquations<Counted> counting(problem.system);
    std::vector<double> z(equations.size(), 0.0);
    counting.StartAt(problem.initial.joints, z);
    equations.StartAt(problem.initial.joints, z);
    for (std::size_t i = 0; i < z.size(); ++i) z[i] += 0.01 * static_cast<double>(i % 7 + 1);
    std::vector<double> f(z.size()), values(equations.pattern().row.size());
    equations.CalcResidual(z, f);
    equations.CalcJacobian(z, values);
    std::vector<Counted> counted_z, counted_f(f.size()), counted_values(values.size());
    for (double x : z) counted_z.emplace_back(x);
    counting.CalcResidual(counted_z, counted_f);
    counting.CalcJacobian(counted_z, counted_values);
    const auto is_near = [name](const std::vector<double>& a, const std::vector<Counted>& b) {
      double largest = 0, error = 0;
      for (std::size_t i = 0; i < a.size(); ++i) {
        largest = std::max(largest, std::abs(a[i]));
        error = std::max(error, std::abs(a[i] - b[i].value));
      }
      EXPECT_GT(largest, 0) << name;
      EXPECT_LT(error / largest, 1e-13) << name;
    };
    is_near(f, counted_f);
    is_near(values, counted_values);
  }
}

}  // namespace
}  // namespace mbsbench
