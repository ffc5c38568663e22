// Accelerations do not depend on the unit of mass.
#include <gtest/gtest.h>

#include <cmath>

#include "problems/test_systems/random_trees.h"
#include "reference/reference.h"

namespace mbsbench {
namespace {

TEST(ReferenceAccelerations, DoNotDependOnTheUnitOfMass) {
  for (int seed = 1; seed <= 5; ++seed) {
    const RandomTree tree =
        MakeRandomTree(static_cast<std::uint64_t>(seed), {.bodies = 6, .force_elements = false});
    const ReferenceDynamics base = ReferenceAccelerations(tree.system, tree.state.joints);
    for (const double factor : {1e-25, 1e-12, 1e12, 1e25}) {
      System scaled = tree.system;
      for (Body& body : scaled.bodies) {
        body.mass *= factor;
        for (double& entry : body.inertia.entries) entry *= factor;
      }
      const ReferenceDynamics other = ReferenceAccelerations(scaled, tree.state.joints);
      for (std::size_t b = 0; b < base.accelerations.size(); ++b) {
        const Vector3 &a = base.accelerations[b].acceleration,
                      &c = other.accelerations[b].acceleration;
        EXPECT_NEAR(0, Norm(a - c), 1e-9 * (1 + Norm(a))) << factor;
      }
    }
  }
}

}  // namespace
}  // namespace mbsbench
