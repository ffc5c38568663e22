// Eigenvalues of small motions compared with closed forms and with traces of powers, which need no eigenvalue solver.
#include "harness/integrate/stability.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

namespace mbsbench {
namespace {

using Complex = std::complex<double>;
using Matrix = Eigen::MatrixXd;

std::vector<double> ByRows(const Matrix& m) {
  std::vector<double> values;
  for (Eigen::Index r = 0; r < m.rows(); ++r)
    for (Eigen::Index c = 0; c < m.cols(); ++c) values.push_back(m(r, c));
  return values;
}

Linearisation Free(const Matrix& mass, const Matrix& damping, const Matrix& stiffness) {
  Linearisation l;
  l.coordinates = static_cast<std::size_t>(mass.rows());
  l.mass = ByRows(mass), l.damping = ByRows(damping), l.stiffness = ByRows(stiffness);
  return l;
}

// With the conjugates, which Stability omits.
std::vector<Complex> All(const Stability& stability) {
  std::vector<Complex> all;
  for (const Complex& s : stability.eigenvalues) {
    all.push_back(s);
    if (s.imag() > 0) all.push_back(std::conj(s));
  }
  return all;
}

TEST(Stability, OfADampedOscillatorIsTheRootOfItsQuadraticEquation) {
  const Stability s = StabilityOf(
      Free(Matrix::Constant(1, 1, 2), Matrix::Constant(1, 1, 1.2), Matrix::Constant(1, 1, 5)));
  ASSERT_TRUE(s.known);
  ASSERT_EQ(1u, s.eigenvalues.size());
  EXPECT_NEAR(-0.3, s.eigenvalues[0].real(), 1e-15);
  EXPECT_NEAR(std::sqrt(2.5 - 0.09), s.eigenvalues[0].imag(), 1e-15);
  EXPECT_TRUE(s.stable);
  EXPECT_FALSE(s.neutral) << "its motions decay";
}

TEST(Stability, NegativeDampingAndNegativeStiffnessAreUnstable) {
  const Matrix one = Matrix::Identity(1, 1), none = Matrix::Zero(1, 1);
  const Stability pushed = StabilityOf(Free(one, -0.2 * one, one));
  EXPECT_NEAR(0.1, pushed.growth, 1e-15);
  EXPECT_FALSE(pushed.stable);
  const Stability inverted = StabilityOf(Free(one, none, -9 * one));
  EXPECT_NEAR(3, inverted.growth, 1e-14);
  EXPECT_FALSE(inverted.stable);
  EXPECT_FALSE(inverted.neutral);
}

// K and M symmetric: two masses between three equal springs swing at 1 and sqrt(3).
TEST(Stability, OfTwoMassesBetweenSpringsGivesBothFrequencies) {
  Matrix stiffness(2, 2);
  stiffness << 2, -1, -1, 2;
  const Stability s = StabilityOf(Free(Matrix::Identity(2, 2), Matrix::Zero(2, 2), stiffness));
  EXPECT_THAT(s.frequencies, testing::ElementsAre(testing::DoubleNear(1, 1e-14),
                                                  testing::DoubleNear(std::sqrt(3), 1e-14)));
}

// A point on springs w in a frame that turns at v: frequencies w - v and w + v.
TEST(Stability, OfAPointInARotatingFrameGivesTheSumAndTheDifference) {
  constexpr double kSpring = 3, kTurn = 1.25;
  Matrix coriolis(2, 2);
  coriolis << 0, -2 * kTurn, 2 * kTurn, 0;
  const Stability s =
      StabilityOf(Free(Matrix::Identity(2, 2), coriolis,
                       (kSpring * kSpring - kTurn * kTurn) * Matrix::Identity(2, 2)));
  EXPECT_THAT(s.frequencies, testing::ElementsAre(testing::DoubleNear(kSpring - kTurn, 1e-13),
                                                  testing::DoubleNear(kSpring + kTurn, 1e-13)));
  EXPECT_TRUE(s.stable);
  EXPECT_TRUE(s.neutral) << "its motions neither grow nor decay";
}

// A massless point between a spring and a damper: three motions, the fourth is at infinity.
TEST(Stability, OfAMasslessPointHasExactlyTheRootsOfItsCubic) {
  constexpr double kMass = 1.5, kGround = 4, kSpring = 2.5, kDamper = 0.7;
  Matrix mass = Matrix::Zero(2, 2), damping = Matrix::Zero(2, 2), stiffness(2, 2);
  mass(0, 0) = kMass;
  damping(1, 1) = kDamper;
  stiffness << kGround + kSpring, -kSpring, -kSpring, kSpring;
  const std::vector<Complex> all = All(StabilityOf(Free(mass, damping, stiffness)));
  ASSERT_EQ(3u, all.size());
  Complex sum = 0, product = 1;
  for (const Complex& s : all) {
    const Complex cubic =
        (kMass * s * s + kGround + kSpring) * (kDamper * s + kSpring) - kSpring * kSpring;
    EXPECT_LT(std::abs(cubic), 1e-12) << s;
    sum += s;
    product *= s;
  }
  EXPECT_NEAR(-kSpring / kDamper, sum.real(), 1e-13);  // Vieta: they are three different roots
  EXPECT_NEAR(-kGround * kSpring / (kMass * kDamper), product.real(), 1e-12);
}

// Sums of powers of the eigenvalues are traces of powers of the matrix, and determine them.
TEST(Stability, OfADampedGyroscopicMotionAgreesWithTheTracesOfMatrixPowers) {
  constexpr Eigen::Index kSize = 5;
  Matrix mass(kSize, kSize), damping(kSize, kSize), stiffness(kSize, kSize);
  for (Eigen::Index i = 0; i < kSize; ++i) {
    for (Eigen::Index j = 0; j < kSize; ++j) {
      const double x = static_cast<double>(i), y = static_cast<double>(j);
      mass(i, j) = (i == j ? 2 : 0) + 0.3 * std::cos(x - y);
      damping(i, j) = 0.4 * std::sin(2 * x + y + 1);
      stiffness(i, j) = (i == j ? 1 + x : 0) + 0.2 * std::cos(x + 3 * y);
    }
  }
  const std::vector<Complex> all = All(StabilityOf(Free(mass, damping, stiffness)));
  ASSERT_EQ(static_cast<std::size_t>(2 * kSize), all.size());
  const Matrix inverse = mass.inverse();
  Matrix a = Matrix::Zero(2 * kSize, 2 * kSize);
  a.topRightCorner(kSize, kSize).setIdentity();
  a.bottomLeftCorner(kSize, kSize) = -inverse * stiffness;
  a.bottomRightCorner(kSize, kSize) = -inverse * damping;
  Matrix power = a;
  for (int k = 1; k <= 2 * kSize; ++k, power *= a) {
    Complex sum = 0;
    for (const Complex& s : all) sum += std::pow(s, k);
    EXPECT_NEAR(power.trace(), sum.real(), 1e-12 * std::max(1.0, power.cwiseAbs().maxCoeff())) << k;
  }
}

// A closure that ties two coordinates together leaves one motion: the sum of masses and springs.
TEST(Stability, OfConstrainedCoordinatesEqualsThatOfTheirSum) {
  Linearisation l = Free(Matrix::Identity(2, 2), Matrix::Zero(2, 2), 8 * Matrix::Identity(2, 2));
  l.stiffness[0] = 10;
  l.constraints = 2;  // the second row is redundant
  l.closure = {1, -1, -2, 2};
  const Stability s = StabilityOf(l);
  EXPECT_EQ(1, s.freedoms);
  EXPECT_EQ(1, s.redundant);
  EXPECT_THAT(s.frequencies, testing::ElementsAre(testing::DoubleNear(3, 1e-14)));
}

}  // namespace
}  // namespace mbsbench
