// Turns between samples, counted by rates and by drivers, and where they are not known.
#include "harness/metrics/sampled_joints.h"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "problems/catalog/catalog.h"
#include "problems/model/kinematics.h"
#include "reference/reference.h"

namespace mbsbench {
namespace {

// A body on a hinge, followed from 0 to 10 s in steps of 0.1 s.
struct Followed {
  bool known = true;
  double angle = 0;  // at the end
};
Followed Follow(const System& system, const std::function<double(double)>& angle,
                const std::function<double(double)>& rate) {
  const auto at = [&](double t) { return JointState{{angle(t)}, {rate(t)}}; };
  SampledJoints joints(system, at(0), 0, ForwardKinematics(system, at(0)),
                       SampledJoints::Followed::kAllAngles);
  for (int k = 1; k <= 100; ++k) joints.MoveTo(0.1 * k, ForwardKinematics(system, at(0.1 * k)));
  return {joints.known(), joints.joints().q[0]};
}

TEST(SampledJoints, CountTheTurnsOfSteadyRotations) {
  const System hinge = MakeProblem("pendulum").system;
  for (double speed : {0., 1., -35., 100., -1e4}) {
    const Followed end = Follow(
        hinge, [=](double t) { return 20 + speed * t; }, [=](double) { return speed; });
    EXPECT_TRUE(end.known) << speed;
    EXPECT_NEAR(end.angle, 20 + 10 * speed, 1e-6) << speed;
  }
}

// q'' = 10 rad/s^2: the trapezoidal rule is exact.
TEST(SampledJoints, CountTheTurnsOfRotationsThatSpeedUp) {
  const Followed end = Follow(
      MakeProblem("pendulum").system, [](double t) { return 5 * t * t; },
      [](double t) { return 10 * t; });
  EXPECT_TRUE(end.known);
  EXPECT_NEAR(end.angle, 500, 1e-9);
}

// The plate turns back and forth chaotically; its angle is printed with all turns, -929.4778981 degrees.
TEST(SampledJoints, CountTheTurnsOfTheChaoticPlateAsPrinted) {
  const Problem p = MakeProblem("babyboot");
  const std::optional<Reference> reference = FindReference(p);
  ASSERT_TRUE(reference);
  const std::vector<ReferenceSample>& samples = reference->samples;
  SampledJoints joints(p.system, p.initial.joints, 0, samples.front().bodies,
                       SampledJoints::Followed::kAllAngles);
  for (const ReferenceSample& sample : samples) joints.MoveTo(sample.time, sample.bodies);
  EXPECT_TRUE(joints.known());
  EXPECT_NEAR(joints.joints().q[0] * 180 / M_PI, -61.3129835, 1e-7);
  EXPECT_NEAR(joints.joints().q[1] * 180 / M_PI, -929.4778981, 1e-7);
}

TEST(SampledJoints, KnowTheAngleThatADriverHoldsHoweverItMoves) {
  System driven = MakeProblem("pendulum").system;
  Driver motor;
  motor.joint = 0;
  motor.motion.kind = MotionKind::kHarmonic;
  motor.motion.amplitude = 100;
  motor.motion.angular_frequency = 70;
  driven.drivers.push_back(motor);
  const Followed end = Follow(
      driven, [](double t) { return 100 * std::sin(70 * t); },
      [](double t) { return 7000 * std::cos(70 * t); });
  EXPECT_TRUE(end.known);
  EXPECT_NEAR(end.angle, 100 * std::sin(700), 1e-9);
}

TEST(SampledJoints, SayThatTurnsAreNotKnownWhereRatesDiffer) {
  const Followed end = Follow(
      MakeProblem("pendulum").system, [](double t) { return 10 * std::sin(70 * t); },
      [](double t) { return 700 * std::cos(70 * t); });
  EXPECT_FALSE(end.known);
  EXPECT_TRUE(std::isnan(end.angle));
}

}  // namespace
}  // namespace mbsbench
