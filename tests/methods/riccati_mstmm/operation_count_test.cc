// Cost as operations, not as time: the kernels of the general sweep run on a scalar that counts. Per body the count must
// not depend on the number of bodies, whatever their number of branchings.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "methods/riccati_mstmm/general_sweep_inline.h"
#include "methods/riccati_mstmm/loop_columns_inline.h"
#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"

namespace mbsbench {
namespace {

std::int64_t operations = 0;

struct Counted {
  double value = 0;
  Counted() = default;
  explicit Counted(double v) : value(v) {}
};
Counted Count(double v) {
  ++operations;
  return Counted(v);
}
Counted operator+(Counted a, Counted b) { return Count(a.value + b.value); }
Counted operator-(Counted a, Counted b) { return Count(a.value - b.value); }
Counted operator*(Counted a, Counted b) { return Count(a.value * b.value); }
Counted operator/(Counted a, Counted b) { return Count(a.value / b.value); }
Counted operator-(Counted a) {
  return Counted(-a.value);
}  // a sign costs nothing that a sum does not hide
Counted& operator+=(Counted& a, Counted b) { return a = a + b; }
Counted& operator-=(Counted& a, Counted b) { return a = a - b; }
bool operator>(Counted a, Counted b) { return a.value > b.value; }
bool operator<(Counted a, Counted b) { return a.value < b.value; }
Counted sin(Counted a) { return Count(std::sin(a.value)); }
Counted cos(Counted a) { return Count(std::cos(a.value)); }
bool isfinite(Counted a) { return std::isfinite(a.value); }

double OperationsPerBody(int bodies) {
  const Problem problem = MakeProblem("branchN:bodies=" + std::to_string(bodies));
  const JointTree tree = MakeJointTree(problem.system);
  std::vector<Counted> y, ydot(static_cast<std::size_t>(tree.coordinate_count + tree.rate_count));
  for (double q : problem.initial.joints.q) y.emplace_back(q);
  for (double u : problem.initial.joints.u) y.emplace_back(u);
  SweepSpace<Counted> space(tree);
  operations = 0;
  CalcMotion(tree, y.data(), space.motions.data());
  EXPECT_TRUE(SweepToRoot(tree, false, space).ok());
  SweepToTips(tree, y.data(), space, ydot.data());
  return static_cast<double>(operations) / bodies;
}

TEST(RiccatiGeneral, TakesAConstantNumberOfOperationsPerBody) {
  const double hundred = OperationsPerBody(100), thousand = OperationsPerBody(1000),
               most = OperationsPerBody(33336);
  std::printf("  operations per body: %.1f at 100, %.1f at 1,000, %.1f at 33,336 bodies\n", hundred,
              thousand, most);
  EXPECT_NEAR(thousand / hundred, 1,
              0.01);  // the crossbar's extra input is spread over more bodies
  EXPECT_NEAR(most / thousand, 1, 0.001);
  EXPECT_GT(most, 300);  // a count that sees nothing would be constant too
}

// Columns of e alone, between the last body and the ground: as long as they can get.
double LoopOperations(int bodies, int loops) {
  Problem problem = MakeProblem("chainN3d:bodies=" + std::to_string(bodies));
  Joint ball;
  ball.child = bodies - 1;
  for (int l = 0; l < loops; ++l) problem.system.loop_joints.push_back(ball);
  const JointTree tree = MakeJointTree(problem.system);
  std::vector<Counted> y, ydot(static_cast<std::size_t>(tree.coordinate_count + tree.rate_count));
  for (double q : problem.initial.joints.q) y.emplace_back(q);
  for (double u : problem.initial.joints.u) y.emplace_back(u);
  SweepSpace<Counted> space(tree, true);
  CalcMotion(tree, y.data(), space.motions.data());
  EXPECT_TRUE(SweepToRoot(tree, false, space).ok());
  const auto rows = static_cast<std::size_t>(3 * loops);
  const std::vector<int> tips(static_cast<std::size_t>(loops), bodies),
      grounds(static_cast<std::size_t>(loops), 0);
  RiccatiLoopColumns<Counted> columns(problem.system, tree, tips, grounds, 3 * loops);
  std::vector<Counted> matrix(rows * rows), right_side(rows);
  operations = 0;
  columns.Carry(tree, space, matrix.data(), right_side.data());
  columns.Apply(tree, space);
  return static_cast<double>(operations);
}

TEST(RiccatiGeneral, CarriesCutForcesInTimeLinearInBodies) {
  for (int loops : {1, 3}) {
    const double hundred = LoopOperations(100, loops), thousand = LoopOperations(1000, loops);
    std::printf("  %d loops: %.1f operations per body and constraint\n", loops,
                thousand / 1000 / (3 * loops));
    EXPECT_NEAR(thousand / hundred, 10, 0.01);
    EXPECT_GT(thousand, 1000 * 3 * loops * 20);
  }
}

}  // namespace
}  // namespace mbsbench
