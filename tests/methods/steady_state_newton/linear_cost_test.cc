// The cost of a Newton iteration, counted and not timed, is linear in the bodies of an open chain.
#include <gtest/gtest.h>
#include <klu.h>

#include <cmath>
#include <memory>

#include "methods/steady/algebraic_formulation.h"
#include "methods/steady_state_newton/steady_state_newton.h"
#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"

namespace mbsbench {
namespace {

struct Work {
  double entries = 0;  // of Newton's matrix
  double factors = 0;  // entries of its factors L and U
  double flops = 0;    // of the factorisation
};

// At the straight chain, where Newton starts, by the factorisation that KINSOL's solver does as well.
Work WorkOf(int bodies) {
  const Problem p = MakeProblem("spunchainN:bodies=" + std::to_string(bodies));
  const std::unique_ptr<Formulation> formulation =
      SteadyStateNewtonEntry().prepare(p.system, MethodOptions{});
  auto& equations = static_cast<AlgebraicFormulation&>(*formulation);
  std::vector<double> z(equations.state_size());
  const SystemState start = Assemble(p.system, p.initial, p.length).state;
  EXPECT_TRUE(equations.Initialise(0, start, z).ok());
  SparsityPattern pattern = equations.pattern();
  std::vector<double> values(pattern.row.size());
  EXPECT_TRUE(equations.Jacobian(z, values).ok());

  klu_common common;
  klu_defaults(&common);
  const int n = static_cast<int>(pattern.column_start.size()) - 1;
  klu_symbolic* symbolic = klu_analyze(n, pattern.column_start.data(), pattern.row.data(), &common);
  klu_numeric* numeric =
      klu_factor(pattern.column_start.data(), pattern.row.data(), values.data(), symbolic, &common);
  EXPECT_TRUE(numeric != nullptr);
  klu_flops(symbolic, numeric, &common);
  const Work work{static_cast<double>(values.size()),
                  static_cast<double>(numeric->lnz + numeric->unz), common.flops};
  klu_free_numeric(&numeric, &common);
  klu_free_symbolic(&symbolic, &common);
  return work;
}

TEST(SteadyCost, OfAnIterationIsLinearInTheBodiesOfAnOpenChain) {
  const Work ten = WorkOf(10), hundred = WorkOf(100), thousand = WorkOf(1000);
  std::printf(
      "  per body at 10, 100, 1,000: entries %.1f, %.1f, %.1f; factors %.1f, %.1f, %.1f; "
      "flops %.1f, %.1f, %.1f\n",
      ten.entries / 10, hundred.entries / 100, thousand.entries / 1000, ten.factors / 10,
      hundred.factors / 100, thousand.factors / 1000, ten.flops / 10, hundred.flops / 100,
      thousand.flops / 1000);
  // Every body beyond the first few brings the same entries.
  EXPECT_EQ(thousand.entries - hundred.entries, 10 * (hundred.entries - ten.entries));
  // The ordering is a heuristic: fill and flops per body may differ, but must not grow.
  EXPECT_LT(thousand.factors / 1000, 1.1 * hundred.factors / 100);
  EXPECT_LT(thousand.flops / 1000, 1.2 * hundred.flops / 100);
}

}  // namespace
}  // namespace mbsbench
