#include "harness/runner/trials/joint_coordinate_series.h"

#include <gtest/gtest.h>

#include "problems/catalog/catalog.h"
#include "problems/model/kinematics.h"

namespace mbsbench {
namespace {

TEST(JointCoordinateSeries, FollowsUndrivenCoordinatesThroughFullTurns) {
  const Problem swing = MakeProblem("swing");
  const auto at = [&swing](double t) {
    return JointState{{3 * t, -5 * t, 1 + 0.1 * t}, {3, -5, 0.1}};
  };
  JointCoordinateSeries series(swing.system, {at(0), ForwardKinematics(swing.system, at(0))});
  ASSERT_TRUE(series.record());
  const JointCoordinatesRecord& record = *series.record();
  EXPECT_EQ(record.joints, (std::vector{swing.system.joints[1].name, swing.system.joints[2].name}))
      << "theta and d, not the driven arm";
  EXPECT_EQ(record.units, (std::vector<std::string>{"rad", "m"}));
  for (int k = 0; k <= 20; ++k) {
    const double t = 2 * k;  // 10 rad from sample to sample
    series.Add(t, ForwardKinematics(swing.system, at(t)));
    EXPECT_EQ(record.times.back(), t);
    EXPECT_NEAR(record.values.back()[0], -5 * t, 1e-11);
    EXPECT_NEAR(record.values.back()[1], 1 + 0.1 * t, 1e-12);
  }
}

TEST(JointCoordinateSeries, IsEmptyWithoutADriver) {
  const Problem branch = MakeProblem("branch4");
  const std::vector<BodyState> bodies = ForwardKinematics(branch.system, branch.initial.joints);
  JointCoordinateSeries series(branch.system, {branch.initial.joints, bodies});
  series.Add(0, bodies);
  EXPECT_FALSE(series.record());
}

}  // namespace
}  // namespace mbsbench
