// The discrete rotation of one body.
#include "methods/variational/discrete_spin.h"

#include <gtest/gtest.h>

namespace mbsbench::variational {
namespace {

constexpr double kSpinStep = 0.1;
const Vector3d kRate(2, -3, 5);

Matrix3d Inertia() {
  Matrix3d j;
  j << 2, 0.1, -0.2, 0.1, 3, 0.3, -0.2, 0.3, 4;
  return j;
}
Matrix3d RotationOf(const Vector4d& q) {
  absolute::BodyMotion body;
  body.SetQuaternion(q);
  return body.rotation;
}

TEST(DiscreteSpin, IncrementRotatesTheMomentumAtTheEndIntoThatAtTheStart) {
  const DiscreteSpin<> spin(kSpinStep, kRate);
  EXPECT_NEAR(spin.Increment().norm(), 1, 1e-15);
  const Vector3d carried = RotationOf(spin.Increment()) * spin.MomentumAtEnd(Inertia());
  EXPECT_LT((carried - spin.MomentumAtBegin(Inertia())).norm(), 1e-13);
  // They differ by the gyroscopic moment of the step, J W x W in body axes.
  const Vector3d moment =
      (spin.MomentumAtEnd(Inertia()) - spin.MomentumAtBegin(Inertia())) / kSpinStep;
  EXPECT_LT((moment + kRate.cross(Inertia() * kRate)).norm(), 1e-12);
}

TEST(DiscreteSpin, DerivativesAreThoseOfMomentumAndRotation) {
  constexpr double kSmall = 1e-5;
  const DiscreteSpin<> spin(kSpinStep, kRate);
  for (int i = 0; i < 3; ++i) {
    const Vector3d change = kSmall * Vector3d::Unit(i);
    const DiscreteSpin<> above(kSpinStep, kRate + change), below(kSpinStep, kRate - change);
    const Vector3d momentum =
        (above.MomentumAtBegin(Inertia()) - below.MomentumAtBegin(Inertia())) / (2 * kSmall);
    EXPECT_LT((momentum - spin.MomentumByRate(Inertia()).col(i)).norm(), 1e-8);
    const Matrix3d turn = RotationOf(spin.Increment()).transpose() *
                          (RotationOf(above.Increment()) - RotationOf(below.Increment())) /
                          (2 * kSmall);
    const Vector3d axis(turn(2, 1), turn(0, 2), turn(1, 0));
    EXPECT_LT((axis - spin.TurnByRate().col(i)).norm(), 1e-8);
  }
}

TEST(DiscreteSpin, RefusesHalfATurnInAStep) {
  EXPECT_TRUE(DiscreteSpin<>(kSpinStep, Vector3d(0, 19.9, 0)).possible());
  EXPECT_FALSE(DiscreteSpin<>(kSpinStep, Vector3d(0, 20.1, 0)).possible());
}

}  // namespace
}  // namespace mbsbench::variational
