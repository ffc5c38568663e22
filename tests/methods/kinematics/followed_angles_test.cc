// Turns of torsion springs, followed through steps, stages and iterates of integrators.
#include "methods/kinematics/followed_angles.h"

#include <gtest/gtest.h>

#include <cmath>

namespace mbsbench {
namespace {

constexpr double kTurn = 2 * M_PI;

TEST(NearestTurn, KeepsAnglesWithinHalfATurn) {
  for (double angle : {-3.1, -1e-300, 0.0, 0.1, 1.0 / 3, 3.1}) {
    for (double near : {angle - 3.14, angle, angle + 3.14})
      EXPECT_EQ(NearestTurn(angle, near), angle) << near;
  }
}

TEST(NearestTurn, AddsWholeTurns) {
  EXPECT_NEAR(NearestTurn(10 - 2 * kTurn, 10), 10, 1e-14);
  EXPECT_NEAR(NearestTurn(-3, 3), kTurn - 3, 1e-15);
  EXPECT_NEAR(NearestTurn(3, -100), 3 - 16 * kTurn, 1e-13);
}

// The angle within half a turn, as attitudes give it.
double Wrapped(double angle) { return std::remainder(angle, kTurn); }

struct One {
  FollowedAngles angles{1};
  explicit One(double start) { angles.latest(0) = start; }
  double At(double t, double angle) {
    angles.MoveTo(t);
    return Follow(Wrapped(angle), angles.latest(0));
  }
};

TEST(FollowedAngles, CountManyTurnsForwardAndBack) {
  One one(10);
  for (int k = 0; k <= 1000; ++k) {
    const double t = 0.01 * k, angle = 10 + 40 * std::sin(t);
    EXPECT_NEAR(one.At(t, angle), angle, 1e-12) << t;
  }
}

TEST(FollowedAngles, AreNotChangedByARejectedStep) {
  One one(0);
  one.At(1, 2);
  // Diverging stages, each less than half a turn from the one before.
  for (int stage = 1; stage <= 12; ++stage) one.At(1 + 0.1 * stage, 2 + 3 * stage);
  EXPECT_NEAR(one.At(1.05, 2.5), 2.5, 1e-14);
}

TEST(FollowedAngles, AreNotChangedByIteratesAtOneTime) {
  One one(0);
  one.At(1, 2);
  for (double angle : {4.5, 7.0, 9.5, 12.0}) one.At(2, angle);
  EXPECT_NEAR(one.At(2, 2.5), 2.5, 1e-14);
  EXPECT_NEAR(one.At(2.1, 3.5), 3.5, 1e-14);
}

TEST(FollowedAngles, RecoverAfterANonFiniteAngle) {
  One one(10);
  EXPECT_TRUE(std::isnan(one.At(1, NAN)));
  EXPECT_TRUE(std::isnan(one.At(2, INFINITY)));
  EXPECT_NEAR(one.At(3, 11), 11, 1e-14);
}

TEST(FollowedAngles, RestartFromANewAngle) {
  One one(0);
  for (int k = 1; k < 100; ++k) one.At(k, k);
  one.angles.Restart();
  one.angles.latest(0) = -10;
  EXPECT_NEAR(one.At(0, -10), -10, 1e-14);
  EXPECT_NEAR(one.At(0.5, -12), -12, 1e-14);
}

TEST(FollowedAngles, AreFollowedIndependently) {
  FollowedAngles angles(2);
  angles.latest(0) = 20;
  angles.latest(1) = -20;
  for (int k = 1; k < 200; ++k) {
    angles.MoveTo(k);
    EXPECT_NEAR(Follow(Wrapped(20 + k), angles.latest(0)), 20 + k, 1e-12);
    EXPECT_NEAR(Follow(Wrapped(-20 - 2 * k), angles.latest(1)), -20 - 2 * k, 1e-12);
  }
}

}  // namespace
}  // namespace mbsbench
