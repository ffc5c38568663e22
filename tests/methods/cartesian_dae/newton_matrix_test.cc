// Newton matrices of the implicit variants, factorised in the blocks of their patterns.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "harness/integrate/block_lu.h"
#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "problems/test_systems/random_loops.h"
#include "problems/test_systems/redundant_mechanisms.h"
#include "tests/methods/cartesian_dae/formulation_under_test.h"
#include "tests/support/parameter_name.h"

namespace mbsbench {
namespace {

constexpr double kSteps[] = {1e-2, 1e-4, 1e-6};  // [s]

struct NewtonMatrix {
  NewtonMatrix(const System& system, const SystemState& state, const std::string& variant)
      : formulation(CartesianDae(system, variant)),
        y(formulation->state_size()),
        yp(y),
        values(formulation->pattern().row.size()),
        blocks(BlockLu::Make(formulation->pattern())) {
    EXPECT_TRUE(formulation->InitialiseDae(0, state, y, yp).ok());
  }
  bool Factorise(double step) {
    EXPECT_TRUE(formulation->Jacobian(0, 1 / step, y, yp, values).ok());
    return blocks->Factorise(values);
  }
  // Largest residual of an equation relative to its terms.
  double Left() {
    const SparsityPattern& pattern = formulation->pattern();
    std::vector<double> left(y.size()), terms(y.size());
    for (std::size_t i = 0; i < left.size(); ++i)
      left[i] = 1 + 0.1 * static_cast<double>(i % 7), terms[i] = left[i];
    std::vector<double> x = left;
    blocks->Solve(x);
    for (std::size_t j = 0; j < x.size(); ++j) {
      for (int e = pattern.column_start[j]; e < pattern.column_start[j + 1]; ++e) {
        const auto row = static_cast<std::size_t>(pattern.row[static_cast<std::size_t>(e)]);
        const double term = values[static_cast<std::size_t>(e)] * x[j];
        left[row] -= term;
        terms[row] += std::abs(term);
      }
    }
    double most = 0;
    for (std::size_t i = 0; i < left.size(); ++i)
      most = std::max(most, std::abs(left[i]) / terms[i]);
    return most;
  }

  std::unique_ptr<DaeFormulation> formulation;
  std::vector<double> y, yp, values;
  std::unique_ptr<BlockLu> blocks;
};

class NewtonMatrices : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(CartesianDae, NewtonMatrices,
                         testing::Values("ggl", "baumgarte", "index3"), NameOfParameter);

TEST_P(NewtonMatrices, OfRandomTreesAndLoopsAreSolvedInBlocks) {
  int factorised = 0, all = 0;
  double worst = 0;
  for (int k = 0; k < 40; ++k) {
    RandomLoopOptions options;
    options.loops = k % 8;
    options.tree.bodies = 4 + k;
    const RandomTree random = MakeRandomLoops(static_cast<std::uint64_t>(900 + k), options);
    NewtonMatrix matrix(random.system, random.state, GetParam());
    for (const double step : kSteps) {
      ++all;
      if (!matrix.Factorise(step)) break;
      ++factorised;
      const double left = matrix.Left();
      EXPECT_LT(left, 1e-9) << "system " << k << ", step " << step;
      worst = std::max(worst, left);
    }
  }
  EXPECT_GE(factorised, 0.8 * all);
  std::printf("  %d of %d factorised, left of equations %.1e\n", factorised, all, worst);
}

TEST_P(NewtonMatrices, OfRedundantMechanismsAreSolvedInBlocks) {
  int factorised = 0;
  for (const RedundantMechanism& mechanism : RedundantMechanisms()) {
    NewtonMatrix matrix(mechanism.system, mechanism.state, GetParam());
    if (!matrix.Factorise(1e-3)) continue;
    ++factorised;
    EXPECT_LT(matrix.Left(), 1e-9) << mechanism.name;
  }
  EXPECT_GE(factorised, 12);
  std::printf("  %d of %zu factorised\n", factorised, RedundantMechanisms().size());
}

TEST_P(NewtonMatrices, TakeConstantMemoryPerBodyOnAChain) {
  const auto per_body = [](int bodies) {
    const Problem problem = MakeProblem("chainN3d:bodies=" + std::to_string(bodies));
    NewtonMatrix matrix(problem.system,
                        Assemble(problem.system, problem.initial, problem.length).state,
                        GetParam());
    EXPECT_TRUE(matrix.Factorise(1e-3));
    EXPECT_LT(matrix.Left(), 1e-9);
    return static_cast<double>(matrix.blocks->size()) / bodies;
  };
  const double few = per_body(20), many = per_body(1000);
  EXPECT_NEAR(many / few, 1, 0.1);
  std::printf("  %.0f numbers per body\n", many);
}

}  // namespace
}  // namespace mbsbench
