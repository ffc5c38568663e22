#include "problems/model/sparse_loop_rows.h"

#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <memory>
#include <string>

#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "problems/model/kinematics.h"
#include "problems/model/loop_rows.h"

namespace mbsbench {
namespace {

// J W, column by column from sweeps over all joints.
Eigen::MatrixXd FullRows(const System& system, const JointState& joints,
                         const std::vector<double>& units) {
  std::vector<int> all;
  for (std::size_t u = 0; u < units.size(); ++u) all.push_back(static_cast<int>(u));
  const std::vector<double> entries = LoopJacobian(system, joints, all);
  const auto columns = static_cast<Eigen::Index>(units.size());
  Eigen::MatrixXd rows = Eigen::Map<const Eigen::MatrixXd>(
      entries.data(), static_cast<Eigen::Index>(entries.size()) / columns, columns);
  rows = rows * Eigen::Map<const Eigen::VectorXd>(units.data(), columns).asDiagonal();
  return rows;
}

struct Case {
  const char* problem;
  bool some_rates_are_held;
};

class SparseLoopRowsTest : public testing::TestWithParam<Case> {
 protected:
  void SetUp() override {
    const Problem problem = MakeProblem(GetParam().problem);
    system = problem.system;
    joints = Assemble(system, problem.initial, problem.length).state.joints;
    std::vector<int> rates = RatesOf(system, problem.initial.dependent_joints);
    units.assign(joints.u.size(), GetParam().some_rates_are_held ? 0. : 1.);
    for (std::size_t k = 0; k < rates.size(); ++k)
      units[static_cast<std::size_t>(rates[k])] = 1 + 0.5 * static_cast<double>(k % 3);
    full = FullRows(system, joints, units);
    rows = std::make_unique<SparseLoopRows>(system, joints, units);
    for (const SparseLoopRows::Row& row : rows->rows()) row_units.push_back(1 / row.length);
  }

  System system;
  JointState joints;
  std::vector<double> units, row_units;
  Eigen::MatrixXd full;
  std::unique_ptr<SparseLoopRows> rows;
};

TEST_P(SparseLoopRowsTest, HaveTheLengthsOfTheFullRows) {
  ASSERT_EQ(static_cast<Eigen::Index>(rows->rows().size()), full.rows());
  for (Eigen::Index i = 0; i < full.rows(); ++i)
    EXPECT_NEAR(rows->rows()[static_cast<std::size_t>(i)].length, full.row(i).norm(),
                1e-12 * full.row(i).norm());
}

// Also for loops that are open by about 1e-3, which Newton's method closes by these rows.
TEST_P(SparseLoopRowsTest, HaveTheEntriesOfTheFullRows) {
  JointState open = joints;
  for (std::size_t k = 0; k < open.u.size(); ++k)
    open.u[k] = 1e-3 * std::sin(1. + static_cast<double>(k));
  Advance(system, open.u, open.q);
  for (const JointState& at : {joints, open}) {
    const Eigen::MatrixXd expected = FullRows(system, at, units);
    const std::vector<double> entries = SparseLoopRows(system, at, units).Full();
    const Eigen::Map<const Eigen::MatrixXd> ours(entries.data(), expected.rows(), expected.cols());
    EXPECT_LT((ours - expected).cwiseAbs().maxCoeff(), 1e-11 * expected.cwiseAbs().maxCoeff());
  }
}

TEST_P(SparseLoopRowsTest, GiveTheLeastRates) {
  ASSERT_TRUE(rows->Factorise(row_units));
  std::vector<double> g;
  for (Eigen::Index i = 0; i < full.rows(); ++i) g.push_back(std::sin(1. + static_cast<double>(i)));
  const std::vector<double> rates = rows->LeastRates(g);
  const auto as_vector = [](const std::vector<double>& v) {
    return Eigen::Map<const Eigen::VectorXd>(v.data(), static_cast<Eigen::Index>(v.size()));
  };
  const Eigen::MatrixXd scaled = as_vector(row_units).asDiagonal() * full;
  const Eigen::VectorXd least =
      as_vector(units).cwiseProduct(scaled.completeOrthogonalDecomposition().solve(as_vector(g)));
  EXPECT_LT((as_vector(rates) - least).norm(), 1e-9 * least.norm());
}

TEST_P(SparseLoopRowsTest, GiveTheLeastSingularValueWithinAFactorOfTwo) {
  ASSERT_TRUE(rows->Factorise(row_units));
  const Eigen::MatrixXd scaled =
      Eigen::Map<const Eigen::VectorXd>(row_units.data(), full.rows()).asDiagonal() * full;
  const double least = scaled.jacobiSvd().singularValues().tail(1)[0];
  EXPECT_GT(rows->LeastSingularValue(), 0.99 * least);
  EXPECT_LT(rows->LeastSingularValue(), 2 * least);
}

INSTANTIATE_TEST_SUITE_P(Problems, SparseLoopRowsTest,
                         testing::Values(Case{"ladder:bodies=50,loops=10", false},
                                         Case{"ladder:bodies=50,loops=10", true},
                                         Case{"mixed12", false}, Case{"wishbone", false}),
                         [](const auto& instance) {
                           std::string name = instance.param.problem;
                           std::erase_if(name, [](char c) { return std::isalnum(c) == 0; });
                           return name + (instance.param.some_rates_are_held ? "Held" : "");
                         });

// Newton's method uses the sparse rows for larger mechanisms (assembly.cc).
TEST(Assembly, ClosesALongOpenLadder) {
  Problem problem = MakeProblem("ladder:bodies=200,loops=50");
  JointState& joints = problem.initial.joints;
  const JointOffsets at = OffsetsOf(problem.system);
  for (int j : problem.initial.dependent_joints) {
    const auto u = static_cast<std::size_t>(at.u[static_cast<std::size_t>(j)]);
    joints.u[u] += 1e-3;
    std::vector<double> turn(joints.u.size());
    turn[u + 1] = 1e-6;
    Advance(problem.system, turn, joints.q);
  }
  const Assembly closed = Assemble(problem.system, problem.initial, problem.length);
  const ConstraintResidual left =
      ConstraintResiduals(problem.system, closed.state.bodies, problem.length, problem.time);
  EXPECT_LT(left.position, 1e-13);
  EXPECT_LT(left.velocity, 1e-12);
  EXPECT_GT(closed.largest_position_correction, 1e-7);
}

}  // namespace
}  // namespace mbsbench
