// A bushing's rotation, followed from step to step, up to pi.
#include "harness/metrics/bushing_rotations.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace mbsbench {
namespace {

// Of a body that turns in a bushing on the ground, whose frame there is turned too.
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

TEST(BushingRotations, AreKnownToPassPiWhicheverWayTheyTurn) {
  const System system = BodyInABushing({1, 1, 1});
  for (const double way : {1., -1.}) {
    BushingRotations rotations(system, TurnedBy(0));
    ASSERT_TRUE(rotations.any());
    // To 3 rad, back and to -3 rad and 3 rad again: never beyond pi. Then on.
    for (double angle = 0; angle <= 15; angle += 0.3) {
      const double seen = angle < 3 ? angle : angle < 9 ? 6 - angle : angle - 12;
      rotations.Follow(angle, TurnedBy(way * seen));
    }
    EXPECT_EQ(rotations.passed(), "");
    rotations.Follow(15.3, TurnedBy(way * 3.3));
    EXPECT_THAT(rotations.passed(),
                testing::HasSubstr("bushing 'mount' has passed pi by t = 15.3"));
  }
}

TEST(BushingRotations, StartAtAnyAngleBelowPiOfEitherSign) {
  const System system = BodyInABushing({0, 0, 1});
  BushingRotations rotations(system, TurnedBy(-3.1));
  rotations.Follow(1, TurnedBy(-2.9));
  EXPECT_EQ(rotations.passed(), "");
  rotations.Follow(2, TurnedBy(-3.2));
  EXPECT_NE(rotations.passed(), "");
}

TEST(BushingRotations, DoNotCountWhereTheyHaveNoMoment) {
  EXPECT_FALSE(BushingRotations(BodyInABushing({}), TurnedBy(0)).any());
}

}  // namespace
}  // namespace mbsbench
