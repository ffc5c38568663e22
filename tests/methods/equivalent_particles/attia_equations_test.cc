// Attia's readable equations compared with the timed moment sums, and with themselves in 113
// bits.
#include <gtest/gtest.h>

#include "methods/equivalent_particles/attia_equations.h"
#include "methods/equivalent_particles/body_motion.h"
#include "methods/equivalent_particles/equivalent_particles.h"
#include "methods/equivalent_particles/moment_sums.h"
#include "problems/catalog/catalog.h"
#include "problems/model/eigen.h"
#include "tests/support/readable_form.h"

namespace mbsbench::equivalent_particles {
namespace {

// Relative to the largest acceleration, with loads on every node.
FormErrors ErrorsOn(const RandomTree& random_tree, RandomNumbers& random) {
  const System& system = random_tree.system;
  const ParticleTree tree = MakeParticleTree(system);
  std::vector<double> y(6 * static_cast<std::size_t>(tree.particles)), ydot(y.size());
  BodyMotion(tree).ParticlesOf(random_tree.state.bodies, y.data(), y.data() + y.size() / 2);
  MomentSums sums(tree, ToEigen(system.gravity), false);
  SpreadOverSlots(tree, y.data(), sums.positions());
  SpreadOverSlots(tree, y.data() + y.size() / 2, sums.velocities());
  AttiaEquations<double> readable(tree, ToEigen(system.gravity));
  AttiaEquations<Quad> exact(tree, ToEigen(system.gravity));
  for (std::size_t n = 1; n < tree.nodes.size(); ++n) {
    if (tree.nodes[n].count < 3) continue;  // a line resists no moment
    sums.loads()[n] = {ToEigen(random.Vector(5)), ToEigen(random.Vector(1))};
    readable.R[n] = sums.loads()[n].force, readable.G[n] = sums.loads()[n].moment;
    exact.R[n] = readable.R[n].cast<Quad>(), exact.G[n] = readable.G[n].cast<Quad>();
  }
  EXPECT_TRUE(sums.Solve().ok());
  std::vector<double> fast(y.size() / 2);
  sums.ParticleAccelerations(fast.data());
  EXPECT_TRUE(readable.Evaluate(y.data(), ydot.data()));
  const std::vector<Quad> exact_y(y.begin(), y.end());
  std::vector<Quad> exact_ydot(y.size());
  EXPECT_TRUE(exact.Evaluate(exact_y.data(), exact_ydot.data()));
  double largest = 0, of_sums = 0, round_off = 0;
  for (std::size_t i = 0; i < fast.size(); ++i) {
    const double a = ydot[fast.size() + i];
    largest = std::max(largest, std::abs(a));
    of_sums = std::max(of_sums, std::abs(a - fast[i]));
    round_off =
        std::max(round_off, std::abs(static_cast<double>(Quad(a) - exact_ydot[fast.size() + i])));
  }
  return {of_sums / largest, round_off / largest};
}

TEST(AttiaEquations, AgreeWithTheMomentSumsOnRandomTrees) {
  HoldOnRandomTrees({.round_off = 1e-11, .times_round_off = 4, .drivers = false}, false, ErrorsOn);
}

OperationCount CountOf(const std::string& name) {
  const Problem problem = MakeProblem(name);
  const auto count = EquivalentParticlesEntry().count_operations(problem.system, {"index1"},
                                                                 problem.initial.joints);
  EXPECT_TRUE(count.has_value());
  return count.value_or(OperationCount{});
}

// Entries that vanish at the state are omitted, so bodies of one chain differ slightly.
TEST(AttiaEquations, TakeAConstantNumberOfOperationsPerBody) {
  for (const char* family : {"chainN3d", "revoluteN"}) {
    const auto of = [&](int n) { return CountOf(family + (":bodies=" + std::to_string(n))); };
    const OperationCount few = of(100), many = of(1000);
    const auto at_900 = [&](auto member) {
      return static_cast<double>(many.*member - few.*member) / 900;
    };
    const double multiplications = at_900(&OperationCount::multiplications),
                 additions = at_900(&OperationCount::additions),
                 divisions = at_900(&OperationCount::divisions);
    std::printf("  %s per body: %.1f multiplications, %.1f additions, %.1f divisions\n", family,
                multiplications, additions, divisions);
    EXPECT_NEAR(static_cast<double>(few.multiplications) / (100 * multiplications), 1, 0.03);
    EXPECT_NEAR(static_cast<double>(few.additions) / (100 * additions), 1, 0.03);
    EXPECT_GT(multiplications, 300);  // a count of nothing would be constant too
    EXPECT_EQ(many.square_roots, 0);
  }
}

TEST(AttiaEquations, AreNotCountedForSystemsThatUseOtherKernels) {
  const System system = MakeRandomTree(1, {.bodies = 6}).system;
  EXPECT_FALSE(EquivalentParticlesEntry().count_operations(system, {"index1"}, {}).has_value());
  const Problem problem = MakeProblem("chainN3d:bodies=3");
  EXPECT_FALSE(
      EquivalentParticlesEntry().count_operations(problem.system, {"ggl"}, problem.initial.joints));
}

}  // namespace
}  // namespace mbsbench::equivalent_particles
