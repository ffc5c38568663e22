#include "harness/runner/joint_coordinate_series.h"

#include <gtest/gtest.h>

#include "problems/catalog/catalog.h"
#include "problems/model/kinematics.h"

namespace mbsbench {
namespace {

TEST(JointCoordinateSeries, FollowsWhatNoDriverHoldsThroughFullTurns) {
  const Problem swing = MakeProblem("swing");
  JointCoordinateSeries series(swing.system);
  EXPECT_EQ(series.joints(), (std::vector<int>{1, 2}));  // theta and d, not the driven arm
  for (int k = 0; k <= 20; ++k) {
    JointState joints = swing.initial.joints;
    joints.q = {3.0 * k, -0.5 * k, 1 + 0.01 * k};
    series.Add(ForwardKinematics(swing.system, joints));
    EXPECT_NEAR(series.values().back()[0], -0.5 * k, 1e-12);
    EXPECT_NEAR(series.values().back()[1], 1 + 0.01 * k, 1e-12);
  }
}

TEST(JointCoordinateSeries, KeepsNothingWithoutADriver) {
  const Problem branch = MakeProblem("branch4");
  JointCoordinateSeries series(branch.system);
  series.Add(ForwardKinematics(branch.system, branch.initial.joints));
  EXPECT_TRUE(series.joints().empty());
  EXPECT_TRUE(series.values().empty());
}

}  // namespace
}  // namespace mbsbench
