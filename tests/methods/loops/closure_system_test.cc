#include "methods/loops/closure_system.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <utility>

#include "problems/test_systems/random_trees.h"

namespace mbsbench {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

MatrixXd RandomMatrix(RandomNumbers& random, Eigen::Index rows, Eigen::Index columns) {
  MatrixXd m(rows, columns);
  for (Eigen::Index i = 0; i < m.size(); ++i) m.data()[i] = random.Between(-1, 1);
  return m;
}

VectorXd Solve(ClosureSystem& system, const MatrixXd& a, const VectorXd& b, int* contradiction) {
  const auto n = static_cast<Eigen::Index>(system.size());
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j <= i; ++j) {
      system.matrix()[static_cast<std::size_t>(i * n + j)] = a(i, j);
    }
    system.right_side()[static_cast<std::size_t>(i)] = b[i];
  }
  system.Factorise();
  *contradiction = system.Solve(0);
  return Eigen::Map<const VectorXd>(system.solution().data(), n);
}

TEST(ClosureSystem, SolvesRegularSystemsInAnyUnitsOfTheirRows) {
  RandomNumbers random(1);
  for (Eigen::Index n : {1, 3, 8, 40}) {
    const MatrixXd rows = RandomMatrix(random, n, 2 * n);
    VectorXd units(n);
    for (Eigen::Index i = 0; i < n; ++i) units[i] = std::pow(10, random.Between(-1.5, 1.5));
    const MatrixXd a = units.asDiagonal() * rows * rows.transpose() * units.asDiagonal();
    const VectorXd x = RandomMatrix(random, n, 1);
    ClosureSystem system(static_cast<int>(n));
    int contradiction = 0;
    const VectorXd mine =
        Solve(system, a, a * (units.cwiseInverse().asDiagonal() * x), &contradiction);
    EXPECT_EQ(contradiction, -1);
    EXPECT_EQ(system.rank(), n);
    EXPECT_LT((units.asDiagonal() * mine - x).norm(), 1e-10 * x.norm());
  }
}

// A force with a response of 1e-9 m/s^2 and a moment with a response of 1 rad/s^2 do not determine which
// one is immovable: that depends on the unit of length.
TEST(ClosureSystem, ComparesTheResponsesOfRowsInTheirUnits) {
  MatrixXd a = MatrixXd::Identity(2, 2);
  a(0, 0) = 1e-9;
  const VectorXd b = VectorXd::Ones(2);
  int contradiction = 0;
  ClosureSystem system(2);
  system.units()[0] = 1e-9;
  const VectorXd x = Solve(system, a, b, &contradiction);
  EXPECT_EQ(system.rank(), 2);
  EXPECT_DOUBLE_EQ(x[0], 1e9);
  system.units()[0] = 1;
  Solve(system, a, b, &contradiction);
  EXPECT_EQ(system.rank(), 1);
}

int RankOf(const MatrixXd& a, double gap) {
  ClosureSystem system(static_cast<int>(a.rows()));
  for (Eigen::Index i = 0; i < a.rows(); ++i) {
    for (Eigen::Index j = 0; j <= i; ++j)
      system.matrix()[static_cast<std::size_t>(i * a.rows() + j)] = a(i, j);
  }
  system.Factorise(gap);
  return system.rank();
}

// Two rows at an angle of 1e-5, and two whose responses differ by a factor of 1e-5. For closed loops they are
// independent constraints; for open loops a gap produces them from dependent and immovable rows.
TEST(ClosureSystem, RowsAreDistinguishedToTheAccuracyOfTheClosure) {
  constexpr double kSmall = 1e-5;
  MatrixXd nearly_parallel(2, 2), nearly_immovable(2, 2);
  nearly_parallel << 1, std::cos(kSmall), std::cos(kSmall), 1;
  nearly_immovable << 1, 0, 0, kSmall * kSmall;
  for (const MatrixXd& a : {nearly_parallel, nearly_immovable}) {
    EXPECT_EQ(RankOf(a, 0), 2);
    EXPECT_EQ(RankOf(a, 1e-15), 2);
    EXPECT_EQ(RankOf(a, 1e-5), 1);
    EXPECT_EQ(RankOf(a, 1), 1);
  }
}

// Rows within one rigid assembly leave only round-off, also if there are no other rows.
TEST(ClosureSystem, DropsRowsWithoutAResponse) {
  int contradiction = 0;
  ClosureSystem system(2);
  Solve(system, 1e-20 * MatrixXd::Identity(2, 2), VectorXd::Zero(2), &contradiction);
  EXPECT_EQ(system.rank(), 0);
}

// Five independent rows, three sums of them, and a row of zeros.
TEST(ClosureSystem, GivesTheLeastNormSolutionForDependentRows) {
  RandomNumbers random(2);
  MatrixXd rows(9, 12);
  rows.topRows(5) = RandomMatrix(random, 5, 12);
  rows.middleRows(5, 3) = RandomMatrix(random, 3, 5) * rows.topRows(5);
  rows.row(8).setZero();
  for (Eigen::Index i = 0; i < 8; ++i) rows.row(i).normalize();  // so that equilibration is idle
  const MatrixXd a = rows * rows.transpose();
  const VectorXd b = a * RandomMatrix(random, 9, 1);
  ClosureSystem system(9);
  int contradiction = 0;
  const VectorXd x = Solve(system, a, b, &contradiction);
  EXPECT_EQ(contradiction, -1);
  ASSERT_EQ(system.rank(), 5);
  const VectorXd smallest = a.completeOrthogonalDecomposition().solve(b);
  EXPECT_LT((x - smallest).norm(), 1e-11 * smallest.norm());
  MatrixXd null_space(9, 4);
  for (int k = 0; k < 4; ++k) {
    const std::vector<double> v = system.NullVector(k);
    null_space.col(k) = Eigen::Map<const VectorXd>(v.data(), 9);
    EXPECT_LT((a * null_space.col(k)).norm(), 1e-12);
  }
  EXPECT_EQ(null_space.fullPivLu().rank(), 4);
}

TEST(ClosureSystem, NamesARowThatContradictsOthers) {
  MatrixXd a(3, 3);
  a << 1, 0, 1, 0, 1, 0, 1, 0, 1;
  ClosureSystem system(3);
  int contradiction = 0;
  Solve(system, a, Eigen::Vector3d(1, 2, 1), &contradiction);
  EXPECT_EQ(contradiction, -1);
  Solve(system, a, Eigen::Vector3d(1, 2, -1), &contradiction);
  EXPECT_TRUE(contradiction == 0 || contradiction == 2) << contradiction;
}

// A row that moves by less than its error is kept by none, but the others move it a little.
TEST(ClosureSystem, ARowThatHardlyMovesContradictsByWhatTheOthersLeaveOfIt) {
  constexpr double kMoves = 0.99e-4;
  MatrixXd rows(3, 2);
  rows << 1, 0, 0, 1, 0.6 * kMoves, 0.8 * kMoves;
  const MatrixXd a = rows * rows.transpose();
  const VectorXd b = rows * Eigen::Vector2d(3, 4);  // the last is 5e-4
  ClosureSystem system(3);
  int contradiction = 0;
  Solve(system, a, b, &contradiction);
  ASSERT_EQ(system.rank(), 2);
  EXPECT_EQ(contradiction, -1);
  Solve(system, a, b - 1e-3 * VectorXd::Unit(3, 2), &contradiction);
  EXPECT_EQ(contradiction, 2);
}

// Of rounded rows two at an angle of 1e-3 imply a third that differs from what they say; two equal ones of another loop are
// known as well as without them.
TEST(ClosureSystem, ANearlyFlatRoundedLoopExcusesNoContradictionOfAnother) {
  constexpr double kAngle = 1e-3, kDeviation = 5e-4;
  MatrixXd rows = MatrixXd::Zero(5, 3);
  rows(0, 0) = 1;
  for (const auto& [row, angle] : {std::pair{1, kAngle}, std::pair{2, 1.5 * kAngle}})
    rows.row(row) << std::cos(angle), std::sin(angle), 0;
  rows(3, 2) = rows(4, 2) = 1;
  const MatrixXd a = rows * rows.transpose();
  RowAccuracy rounded;
  rounded.is_rounded = true;
  ClosureSystem system(5, rounded);
  const VectorXd b = rows * Eigen::Vector3d(1, 0, 1);
  int contradiction = 0;
  Solve(system, a, b + kDeviation * VectorXd::Unit(5, 2), &contradiction);
  ASSERT_EQ(system.rank(), 3);
  EXPECT_EQ(contradiction, -1);
  Solve(system, a, b + kDeviation * VectorXd::Unit(5, 4), &contradiction);
  EXPECT_TRUE(contradiction == 3 || contradiction == 4) << contradiction;
}

}  // namespace
}  // namespace mbsbench
