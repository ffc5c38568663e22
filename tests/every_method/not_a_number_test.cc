// Largest differences and residuals: NaN must not count as zero.
#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <vector>

#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "problems/model/kinematics.h"
#include "reference/numerics/real.h"
#include "reference/trajectory.h"

namespace mbsbench {
namespace {

constexpr double kNone = std::numeric_limits<double>::quiet_NaN();

TEST(NotANumber, RanksAsTheLargestDifference) {
  using extended::Max;
  using extended::Real;
  for (double other : {-1.0, 0.0, 1.0, HUGE_VAL}) {
    EXPECT_TRUE(std::isnan(Max(kNone, other)));
    EXPECT_TRUE(std::isnan(Max(other, kNone)));
    EXPECT_TRUE(std::isnan(static_cast<double>(Max(Real(kNone), Real(other)))));
    EXPECT_TRUE(std::isnan(static_cast<double>(Max(Real(other), Real(kNone)))));
  }
  EXPECT_EQ(Max(1.0, 2.0), 2);
  EXPECT_EQ(Max(2.0, 1.0), 2);
  EXPECT_EQ(static_cast<double>(Max(Real(1), Real(2))), 2);
  EXPECT_EQ(static_cast<double>(Max(Real(2), Real(1))), 2);
}

// In the first of two bodies, so that a valid one follows.
TEST(NotANumber, PropagatesToTheDistanceBetweenTrajectories) {
  Problem problem = MakeProblem("chainN3d:bodies=10");
  problem.reference_bodies = {0, 9};
  const extended::Motion sound(2);
  extended::Motion broken = sound;
  broken[0].position.x = kNone;
  broken[0].velocity.x = kNone;
  const auto distance = extended::DistanceBetween(problem, {{sound, broken, sound}, {}, 0},
                                                  {{sound, sound, sound}, {}, 0});
  EXPECT_TRUE(std::isnan(distance.position));
  EXPECT_TRUE(std::isnan(distance.velocity));
}

TEST(NotANumber, PropagatesToTheConstraintResidual) {
  const Problem problem = MakeProblem("chainN3d:bodies=10");
  std::vector<BodyState> bodies =
      Assemble(problem.system, problem.initial, problem.length).state.bodies;
  bodies[0].position.x = kNone;
  bodies[0].velocity.x = kNone;
  const ConstraintResidual residual = ConstraintResiduals(problem.system, bodies, 1, 1);
  EXPECT_TRUE(std::isnan(residual.position));
  EXPECT_TRUE(std::isnan(residual.velocity));
}

}  // namespace
}  // namespace mbsbench
