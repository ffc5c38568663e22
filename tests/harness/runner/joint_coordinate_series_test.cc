#include "harness/runner/joint_coordinate_series.h"

#include <gtest/gtest.h>

#include "problems/catalog/catalog.h"
#include "problems/model/kinematics.h"

namespace mbsbench {
namespace {

TEST(JointCoordinateSeries, FollowsUndrivenCoordinatesThroughFullTurns) {
  const Problem swing = MakeProblem("swing");
  JointCoordinateSeries series(swing.system);
  ASSERT_TRUE(series.record());
  const JointCoordinatesRecord& record = *series.record();
  EXPECT_EQ(record.joints, (std::vector{swing.system.joints[1].name, swing.system.joints[2].name}))
      << "theta and d, not the driven arm";
  EXPECT_EQ(record.units, (std::vector<std::string>{"rad", "m"}));
  for (int k = 0; k <= 20; ++k) {
    JointState joints = swing.initial.joints;
    joints.q = {3.0 * k, -0.5 * k, 1 + 0.01 * k};
    series.Add(0.1 * k, ForwardKinematics(swing.system, joints));
    EXPECT_EQ(record.times.back(), 0.1 * k);
    EXPECT_NEAR(record.values.back()[0], -0.5 * k, 1e-12);
    EXPECT_NEAR(record.values.back()[1], 1 + 0.01 * k, 1e-12);
  }
}

TEST(JointCoordinateSeries, IsEmptyWithoutADriver) {
  const Problem branch = MakeProblem("branch4");
  JointCoordinateSeries series(branch.system);
  series.Add(0, ForwardKinematics(branch.system, branch.initial.joints));
  EXPECT_FALSE(series.record());
}

}  // namespace
}  // namespace mbsbench
