// The increment of a rotation and the averages of the generalised-alpha method.
#include "methods/lie_generalised_alpha/lie_step.h"

#include <gtest/gtest.h>

#include "methods/coordinates/rotation_increment.h"
#include "tests/support/quad.h"

namespace mbsbench::lie {
namespace {

using Eigen::Matrix3d;
using Eigen::Vector3d;

Matrix3d RotationOf(const Vector3d& w) {
  const Eigen::Vector4d q = RotationIncrement<>(w).Exp();
  return Eigen::Quaterniond(q[0], q[1], q[2], q[3]).toRotationMatrix();
}

// Of all sizes, also on both sides of the limit of the series.
const double kTurns[] = {0, 1e-9, 1e-4, 0.0999, 0.1001, 1, 3};

TEST(RotationIncrement, TurnsAboutTheVectorByItsLength) {
  for (const double turn : kTurns) {
    const Vector3d axis = Vector3d(2, -3, 5).normalized();
    EXPECT_LT((RotationOf(turn * axis) - Eigen::AngleAxisd(turn, axis).toRotationMatrix()).norm(),
              1e-15 * 4);
  }
}

TEST(RotationIncrement, TangentIsTheDerivativeOfTheRotationInAxesOfItsEnd) {
  constexpr double kSmall = 1e-5;
  for (const double turn : kTurns) {
    const Vector3d w = turn * Vector3d(2, -3, 5).normalized();
    for (int i = 0; i < 3; ++i) {
      const Vector3d dw = kSmall * Vector3d::Unit(i);
      const Matrix3d by =
          RotationOf(w).transpose() * (RotationOf(w + dw) - RotationOf(w - dw)) / (2 * kSmall);
      const Vector3d axis(by(2, 1), by(0, 2), by(1, 0));
      EXPECT_LT((axis - RotationIncrement<>(w).Tangent().col(i)).norm(), 1e-9) << turn;
    }
  }
}

TEST(RotationIncrement, TangentIsThatInManyDigits) {
  for (const double turn : kTurns) {
    const Vector3d w = turn * Vector3d(2, -3, 5).normalized();
    const Matrix3d tangent = RotationIncrement<>(w).Tangent();
    // In 113 bits the difference t - sin t keeps its digits where the series is left.
    const Eigen::Matrix<Quad, 3, 1> exact_w = w.cast<Quad>();
    const auto exact = RotationIncrement<Quad>(exact_w).Tangent();
    for (int i = 0; i < 9; ++i)
      EXPECT_NEAR(static_cast<double>(exact.data()[i]), tangent.data()[i], 1e-15) << turn;
    if (turn == 0) continue;
    // The identities T w = w and T(w)' = T(-w), and exp(w)' T(-w) = T(w).
    EXPECT_LT((tangent * w - w).norm(), 1e-15 * turn);
    const Matrix3d back = RotationIncrement<>(-w).Tangent();
    EXPECT_LT((tangent.transpose() - back).norm(), 1e-15);
    EXPECT_LT((RotationOf(w).transpose() * back - tangent).norm(), 1e-14);
    for (int i = 0; i < 3; ++i)
      EXPECT_LT((RotationIncrement<>(w).InverseTangent(tangent.col(i)) - Vector3d::Unit(i)).norm(),
                4e-15)
          << turn;
  }
}

TEST(GeneralisedAlpha, HasTheAveragesOfItsSpectralRadius) {
  const Averages<> undamped(1);  // the trapezoidal rule
  EXPECT_DOUBLE_EQ(undamped.gamma, 0.5);
  EXPECT_DOUBLE_EQ(undamped.beta, 0.25);
  EXPECT_DOUBLE_EQ(undamped.alpha_m, undamped.alpha_f);
  for (const double rho : {0., 0.3, 0.8, 1.}) {
    const Averages<> averages(rho);
    // Order 2, and unconditional stability with the damping of rho.
    EXPECT_NEAR(averages.gamma, 0.5 - averages.alpha_m + averages.alpha_f, 1e-15);
    EXPECT_NEAR(averages.beta, std::pow(1 - averages.alpha_m + averages.alpha_f, 2) / 4, 1e-15);
    // h^2 k/m -> infinity: a_n+1 = -(1/beta)(x_n/h^2 + v_n/h + (1/2 - beta) a_n), V' averages of a; the spectral radius is rho.
    Eigen::Matrix3d amplification;  // of (x, h v, h^2 a) with x_n+1 -> 0
    const auto& [alpha_m, alpha_f, gamma, beta, c] = averages;
    amplification << -alpha_f / (1 - alpha_f), 0, 0,  // x_n+1 = -alpha_f/(1 - alpha_f) x_n
        0, 0, 0, 0, 0, 0;
    for (int j = 0; j < 3; ++j) {
      const double x = j == 0, v = j == 1, a = j == 2;
      const double end = amplification(0, 0) * x;
      const double a_end = (end - x - v - (0.5 - beta) * a) / beta;
      amplification.col(j) << end, v + (1 - gamma) * a + gamma * a_end, a_end;
    }
    EXPECT_NEAR(amplification.eigenvalues().cwiseAbs().maxCoeff(), rho, 1e-4);
  }
}

}  // namespace
}  // namespace mbsbench::lie
