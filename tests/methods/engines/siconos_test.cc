// Siconos beside Bullet in one process, and its own steps over all its joints.
#include <gtest/gtest.h>

#include <cmath>

#include "harness/integrate/integrate.h"
#include "harness/support/support.h"
#include "problems/test_systems/random_trees.h"
#include "tests/methods/engines/engines.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

class Siconos : public WithEngine {
 protected:
  Siconos() : WithEngine("siconos") {}
};

std::vector<double> RatesBy(const MethodEntry& method, const RandomTree& tree) {
  const auto formulation = method.prepare(tree.system, {});
  auto& ode = static_cast<OdeFormulation&>(*formulation);
  std::vector<double> y(ode.state_size()), ydot(ode.state_size());
  EXPECT_TRUE(ode.Initialise(0, tree.state, y).ok());
  EXPECT_TRUE(ode.Evaluate(0, y, ydot).ok());
  return ydot;
}

// Siconos brings Bullet in single precision, whose symbols have the names of the double one.
TEST_F(Siconos, InOneProcessWithBulletChangesNoBitOfBullet) {
  const MethodEntry* const bullet = EngineMethod("bullet");
  if (bullet == nullptr) GTEST_SKIP() << "engine bullet is not installed";
  const RandomTree tree = MakeRandomTree(7);
  const std::vector<double> before = RatesBy(*bullet, tree);
  RatesBy(*method_, tree);
  EXPECT_EQ(before, RatesBy(*bullet, tree));
}

// Against our integrator with its accelerations: positions and velocities of mass centres.
TEST_F(Siconos, OwnStepsConvergeWithOrderOneOnTreesWithAllItsJoints) {
  RandomTreeOptions options;
  options.bodies = 8;
  options.types = AllTreeJointTypes();
  std::erase_if(options.types, [this](JointType type) {
    return !CapabilitiesOf(*method_, {}).tree_joints.Has(type);
  });
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    RandomTree tree = MakeRandomTree(seed, options);
    tree.system.forces.Of<JointSpringDamper>().clear();
    ASSERT_TRUE(VerdictOf(*method_, tree.system, {}).supported);
    const auto formulation = method_->prepare(tree.system, {});
    const auto end = [&](const IntegrationSettings& settings) {
      const IntegrationReport report = Integrate(*formulation, tree.state, settings);
      EXPECT_TRUE(report.ok()) << report.reason;
      return report.end_state;
    };
    constexpr double kEnd = 0.1, kStep = 2e-4;
    const std::vector<double> truth =
        end({.integrator = "dopri5", .end_time = kEnd, .tolerance = 1e-10});
    const auto error = [&](double step) {
      const std::vector<double> y = end({.integrator = "own", .end_time = kEnd, .step = step});
      double worst = 0;
      for (std::size_t i = 0; i < y.size(); ++i)
        if (i % 13 < 3 || i % 13 >= 7) Raise(worst, std::abs(y[i] - truth[i]));
      return worst;
    };
    const double coarse = error(kStep), fine = error(kStep / 2);
    std::printf("  seed %d: errors %.1e and %.1e, order %.2f\n", static_cast<int>(seed), coarse,
                fine, std::log2(coarse / fine));
    EXPECT_NEAR(1, std::log2(coarse / fine), 0.2) << "seed " << seed;
    EXPECT_LT(fine, 0.02) << "seed " << seed;
  }
}

}  // namespace
}  // namespace mbsbench
