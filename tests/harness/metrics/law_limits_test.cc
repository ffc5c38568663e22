// A bushing's rotation, followed from step to step, up to pi.
#include "harness/metrics/law_limits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace mbsbench {
namespace {

// A body turns in a bushing on the ground, whose frame there is turned too.
System BodyInABushing(const Vector3& turn_stiffness) {
  System s;
  s.bodies = {{"body", 1, Diagonal(1, 1, 1), false, {}}};
  s.joints = {{"joint", JointType::kFree, kGround, 0, {}, {}}};
  const Quaternion tilt = AxisAngle({0.6, 0, 0.8}, 1);
  s.forces.Of<Bushing>() = {
      {"mount", kGround, 0, {{}, tilt}, {{}, tilt}, {}, {}, turn_stiffness, {}}};
  return s;
}

std::vector<BodyState> TurnedBy(double angle) {
  BodyState body;
  body.orientation = AxisAngle({0, 0.6, 0.8}, angle);
  return {body};
}

TEST(LawLimits, RotationsOfBushingsPassPiWhicheverWayTheyTurn) {
  const System system = BodyInABushing({1, 1, 1});
  for (const double way : {1., -1.}) {
    LawLimits limits(system, TurnedBy(0));
    ASSERT_TRUE(limits.any());
    // To 3 rad, back and to -3 rad and 3 rad again: never beyond pi. Then on.
    for (double angle = 0; angle <= 15; angle += 0.3) {
      const double seen = angle < 3 ? angle : angle < 9 ? 6 - angle : angle - 12;
      limits.Follow(angle, TurnedBy(way * seen));
    }
    EXPECT_EQ(limits.passed(), "");
    limits.Follow(15.3, TurnedBy(way * 3.3));
    EXPECT_THAT(limits.passed(), testing::HasSubstr("bushing 'mount' has passed pi by t = 15.3"));
  }
}

TEST(LawLimits, RotationsOfBushingsStartAtAnyAngleBelowPiOfEitherSign) {
  const System system = BodyInABushing({0, 0, 1});
  LawLimits limits(system, TurnedBy(-3.1));
  limits.Follow(1, TurnedBy(-2.9));
  EXPECT_EQ(limits.passed(), "");
  limits.Follow(2, TurnedBy(-3.2));
  EXPECT_NE(limits.passed(), "");
}

TEST(LawLimits, RotationsOfBushingsDoNotCountWhereThereIsNoMoment) {
  EXPECT_FALSE(LawLimits(BodyInABushing({}), TurnedBy(0)).any());
}

}  // namespace
}  // namespace mbsbench
