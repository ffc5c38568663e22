// Properties of evaluation and integration: no allocation, loops that stay closed,
// distances that do not drift with ggl.
#include <gtest/gtest.h>

#include "harness/integrate/integrate.h"
#include "methods/equivalent_particles/equivalent_particles.h"
#include "problems/catalog/catalog.h"
#include "problems/test_systems/random_loops.h"
#include "tests/support/allocation_counter.h"

namespace mbsbench {
namespace {

TEST(EquivalentParticles, EvaluateAllocatesNothing) {
  if (!kCountsAllocations)
    GTEST_SKIP() << "allocations are not counted under the address sanitizer";
  const std::size_t start = allocations;
  RandomLoopOptions options;
  options.tree.bodies = 20;
  for (int loops : {0, 2}) {
    options.loops = loops;
    const RandomTree random = MakeRandomLoops(4, options);
    const auto formulation = EquivalentParticlesEntry().prepare(random.system, {"index1"});
    auto& ode = static_cast<OdeFormulation&>(*formulation);
    std::vector<double> y(ode.state_size()), ydot(y.size());
    ASSERT_TRUE(ode.Initialise(0, random.state, y).ok());
    const std::size_t before = allocations;
    ASSERT_GT(before, start) << "the counter counts";
    const Status status = ode.Evaluate(0, y, ydot);
    const Status projected = ode.projection()->Project(0, y);
    EXPECT_EQ(allocations - before, 0u) << loops << " loops";
    EXPECT_TRUE(status.ok() && projected.ok());

    const auto ggl = EquivalentParticlesEntry().prepare(random.system, {"ggl"});
    auto& dae = static_cast<DaeFormulation&>(*ggl);
    std::vector<double> z(dae.state_size()), zp(z.size()), r(z.size());
    std::vector<double> values(dae.pattern().row.size());
    ASSERT_TRUE(dae.InitialiseDae(0, random.state, z, zp).ok());
    const std::size_t before_dae = allocations;
    const bool ok = dae.Residual(0, z, zp, r).ok() && dae.Jacobian(0, 1, z, zp, values).ok();
    EXPECT_EQ(allocations - before_dae, 0u) << loops << " loops, ggl";
    EXPECT_TRUE(ok);
  }
}

ConstraintResidual DriftOf(const System& system, const SystemState& start,
                           const std::string& variant, const std::string& integrator,
                           double tolerance, double step, double end) {
  const auto formulation = EquivalentParticlesEntry().prepare(system, {variant});
  IntegrationSettings settings;
  settings.integrator = integrator;
  settings.tolerance = tolerance;
  settings.step = step;
  settings.end_time = end;
  const IntegrationReport report = Integrate(*formulation, start, settings);
  EXPECT_EQ(report.outcome, IntegrationReport::Outcome::kOk) << report.reason;
  Observation seen;
  EXPECT_TRUE(formulation->Observe(end, report.end_state, Detail::kMotion, seen).ok());
  return ConstraintResiduals(system, seen.bodies, 1, 0.3);
}

TEST(EquivalentParticles, KeepLoopsClosedByProjectionAndByGgl) {
  RandomLoopOptions options;
  options.tree.bodies = 5;
  options.tree.types = {JointType::kBall, JointType::kRevolute};
  const RandomTree random = MakeRandomLoops(9, options);
  const ConstraintResidual rk4 =
      DriftOf(random.system, random.state, "index1", "rk4", 0, 1e-3, 0.2);
  EXPECT_LT(rk4.position, 1e-13);
  EXPECT_LT(rk4.velocity, 1e-12);
  const ConstraintResidual ggl = DriftOf(random.system, random.state, "ggl", "ida", 1e-9, 0, 0.2);
  EXPECT_LT(ggl.position, 1e-9);
  EXPECT_LT(ggl.velocity, 1e-9);
  std::printf("  rk4 %.1e %.1e, ggl %.1e %.1e\n", rk4.position, rk4.velocity, ggl.position,
              ggl.velocity);
}

}  // namespace
}  // namespace mbsbench
