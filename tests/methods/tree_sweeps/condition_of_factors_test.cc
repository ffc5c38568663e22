#include "methods/tree_sweeps/condition_of_factors.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <random>

namespace mbsbench {
namespace {

double OneNorm(const Eigen::Matrix3d& m) { return m.cwiseAbs().colwise().sum().maxCoeff(); }

TEST(ConditionOfFactors, EqualsTheConditionOfTheirProduct) {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> entry(-2, 2), pivot(0.1, 10);
  for (int k = 0; k < 100; ++k) {
    const Vector3 l{entry(engine), entry(engine), entry(engine)};
    const Eigen::Vector3d d{pivot(engine), pivot(engine), pivot(engine)};
    Eigen::Matrix3d L;
    L << 1, 0, 0, l.x, 1, 0, l.y, l.z, 1;
    const Eigen::Matrix3d A = L * d.asDiagonal() * L.transpose();
    const double expected = OneNorm(A) * OneNorm(A.inverse());
    EXPECT_NEAR(ConditionOfFactors(l, {1 / d[0], 1 / d[1], 1 / d[2]}) / expected, 1, 1e-9);
  }
}

}  // namespace
}  // namespace mbsbench
