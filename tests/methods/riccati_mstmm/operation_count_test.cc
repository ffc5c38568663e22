// Cost as operations, not as time: the kernels of the general sweep run on a counting scalar. The count per body must
// not depend on the number of bodies or of branchings.
#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "methods/numerics/counted.h"
#include "methods/riccati_mstmm/riccati_mstmm.h"
#include "methods/riccati_mstmm/sweeps.h"
#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"

namespace mbsbench {
namespace {

std::int64_t Operations() {
  return counted.multiplications + counted.additions + counted.divisions + counted.square_roots;
}

std::vector<Counted> StateOf(const Problem& problem) {
  std::vector<Counted> y;
  for (double q : problem.initial.joints.q) y.emplace_back(q);
  for (double u : problem.initial.joints.u) y.emplace_back(u);
  return y;
}

double OperationsPerBody(int bodies) {
  const Problem problem = MakeProblem("branchN:bodies=" + std::to_string(bodies));
  const std::vector<Counted> y = StateOf(problem);
  std::vector<Counted> ydot(y.size());
  RiccatiSweep<Counted> sweep(MakeGroupTree<Counted>(problem.system), problem.system.gravity);
  counted = {};
  sweep.PassMotion(y.data(), ydot.data());
  EXPECT_EQ(sweep.PassInertia(), 0);
  sweep.PassAcceleration(y.data(), ydot.data());
  return static_cast<double>(Operations()) / bodies;
}

TEST(RiccatiGeneral, TakesAConstantNumberOfOperationsPerBody) {
  const double hundred = OperationsPerBody(100), thousand = OperationsPerBody(1000),
               most = OperationsPerBody(33336);
  std::printf("  operations per body: %.1f at 100, %.1f at 1,000, %.1f at 33,336 bodies\n", hundred,
              thousand, most);
  EXPECT_NEAR(thousand / hundred, 1,
              0.01);  // the crossbar's extra input is spread over more bodies
  EXPECT_NEAR(most / thousand, 1, 0.001);
  EXPECT_GT(most, 300);  // a count of nothing would be constant too
}

// By hand, per body on a ball hinge with aligned axes and a diagonal inertia in a chain:
//   motion   as for any sweep over quaternions: 88 + 63
//   body     m r_OC 9 + 6; J 18 + 11; its sums 15; J omega 9 + 6; e_m 6 + 6; e_q 12 + 10
//   hinge    pivots 20 + 9; K, k, A and e_q 63 + 51
//   move     e_q 9 + 9; e_m 6 + 3; B 18 + 9; C 12 + 6
//   back     30 + 33
// and divisions 1 + 3.
TEST(RiccatiGeneral, OperationsOfABallChainEqualTheCountByHand) {
  constexpr int kBodies = 100;
  const Problem problem = MakeProblem("chainN3d:bodies=" + std::to_string(kBodies));
  const MethodEntry entry = RiccatiMstmmEntry();
  const auto count = entry.count_operations(problem.system, {"general"}, problem.initial.joints);
  ASSERT_TRUE(count.has_value());
  EXPECT_EQ(count->multiplications, 300 * kBodies);
  EXPECT_EQ(count->additions, 237 * kBodies);
  EXPECT_EQ(count->divisions, 4 * kBodies);
  EXPECT_EQ(count->square_roots, 0);
  EXPECT_FALSE(entry.count_operations(problem.system, {"paper"}, problem.initial.joints));
}

// Columns of e only, between the last body and the ground: the longest possible.
double LoopOperations(int bodies, int loops) {
  Problem problem = MakeProblem("chainN3d:bodies=" + std::to_string(bodies));
  Joint ball;
  ball.child = bodies - 1;
  for (int l = 0; l < loops; ++l) problem.system.loop_joints.push_back(ball);
  const GroupTree<Counted> tree = MakeGroupTree<Counted>(problem.system);
  const std::vector<Counted> y = StateOf(problem);
  std::vector<Counted> ydot(y.size());
  RiccatiSweep<Counted> sweep(tree, problem.system.gravity);
  LoopColumns<RiccatiSweep<Counted>> columns(problem.system, tree);
  sweep.KeepFactorsOf(columns.Groups());
  sweep.PassMotion(y.data(), ydot.data());
  EXPECT_EQ(sweep.PassInertia(), 0);
  const auto rows = static_cast<std::size_t>(3 * loops);
  std::vector<Counted> matrix(rows * rows), right_side(rows);
  counted = {};
  columns.AddResponses(sweep, matrix.data(), right_side.data());
  columns.Apply(sweep);
  return static_cast<double>(Operations());
}

TEST(RiccatiGeneral, CarriesColumnsOfCutForcesInTimeLinearInBodies) {
  for (int loops : {1, 3}) {
    const double hundred = LoopOperations(100, loops), thousand = LoopOperations(1000, loops);
    std::printf("  %d loops: %.1f operations per body and constraint\n", loops,
                thousand / 1000 / (3 * loops));
    EXPECT_NEAR(thousand / hundred, 10, 0.02);  // the part at the ground is constant
    EXPECT_GT(thousand, 1000 * 3 * loops * 20);
  }
}

}  // namespace
}  // namespace mbsbench
