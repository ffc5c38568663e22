// Motions between two states compared with motions in closed form.
#include "methods/kinematics/hermite.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace mbsbench {
namespace {

// Precession about z while spinning about the body's z, its centre on a helix.
BodyState Precessing(double t) {
  const double precession = 1.3, spin = 4, tilt = 0.6;
  BodyState state;
  state.orientation = AxisAngle({0, 0, 1}, precession * t) * AxisAngle({1, 0, 0}, tilt) *
                      AxisAngle({0, 0, 1}, spin * t);
  state.angular_velocity =
      Vector3{0, 0, precession} + spin * Rotate(state.orientation, Vector3{0, 0, 1});
  state.position = {std::cos(3 * t), std::sin(3 * t), 0.5 * t};
  state.velocity = {-3 * std::sin(3 * t), 3 * std::cos(3 * t), 0.5};
  return state;
}

struct Error {
  double pose, velocity;
};
Error ErrorOf(double h) {
  Error worst{0, 0};
  for (int k = 0; k < 20; ++k) {
    const double t = 0.37 * k;
    for (double s : {0.2, 0.5, 0.9}) {
      const BodyState is = Between(Precessing(t), Precessing(t + h), h, s);
      const BodyState truth = Precessing(t + s * h);
      worst.pose = std::max({worst.pose, Norm(is.position - truth.position),
                             AngleBetween(is.orientation, truth.orientation)});
      worst.velocity = std::max({worst.velocity, Norm(is.velocity - truth.velocity),
                                 Norm(is.angular_velocity - truth.angular_velocity)});
    }
  }
  return worst;
}

TEST(HermiteBetweenStates, HasOrderFourInPosesAndOrderThreeInVelocities) {
  const Error coarse = ErrorOf(0.08), fine = ErrorOf(0.04);
  EXPECT_NEAR(std::log2(coarse.pose / fine.pose), 4, 0.3) << coarse.pose << " " << fine.pose;
  EXPECT_NEAR(std::log2(coarse.velocity / fine.velocity), 3, 0.3);
  EXPECT_LT(fine.pose, 1e-4);
}

TEST(HermiteBetweenStates, ReproducesBothEndsAndASteadySpinExactly) {
  const BodyState begin = Precessing(1), end = Precessing(1.05);
  for (const auto& [s, state] : {std::pair{0., begin}, {1., end}}) {
    const BodyState is = Between(begin, end, 0.05, s);
    EXPECT_LT(Norm(is.position - state.position), 1e-14);
    EXPECT_LT(Norm(is.velocity - state.velocity), 1e-13);
    EXPECT_LT(AngleBetween(is.orientation, state.orientation), 1e-14);
    EXPECT_LT(Norm(is.angular_velocity - state.angular_velocity), 1e-13);
  }
  BodyState still, turned;
  still.angular_velocity = turned.angular_velocity = {0, 3, 0};
  turned.orientation = AxisAngle({0, 1, 0}, 1.5);
  const BodyState middle = Between(still, turned, 0.5, 0.5);
  EXPECT_LT(AngleBetween(middle.orientation, AxisAngle({0, 1, 0}, 0.75)), 1e-15);
}

TEST(TangentOfRotationVectors, TimesItsInverseIsTheIdentityAlsoForSmallAngles) {
  const Vector3 v{0.3, -1, 2};
  for (double size : {1e-9, 0.9e-3, 1.1e-3, 0.5, 3.}) {
    const Vector3 phi = size * (1 / Norm(Vector3{1, 2, -2})) * Vector3{1, 2, -2};
    EXPECT_LT(Norm(InverseTangent(phi, Tangent(phi, v)) - v), 1e-12) << size;
    // exp(phi + d) = exp(phi) exp(T d).
    const Vector3 d = 1e-5 * v;
    EXPECT_LT(AngleBetween(TurnBy(phi + d), TurnBy(phi) * TurnBy(Tangent(phi, d))), 1e-9) << size;
    EXPECT_LT(Norm(RotationVectorOf(TurnBy(phi)) - phi), 1e-14) << size;
  }
}

}  // namespace
}  // namespace mbsbench
