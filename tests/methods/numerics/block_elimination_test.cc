// Bodies and joints eliminated in blocks, compared with dense factors of the same matrix.
#include "methods/numerics/block_elimination.h"

#include <gtest/gtest.h>

#include "methods/kinematics/reach.h"
#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "problems/model/eigen.h"
#include "problems/test_systems/random_loops.h"
#include "problems/test_systems/redundant_mechanisms.h"

namespace mbsbench::absolute {
namespace {

struct Equations {
  explicit Equations(const System& given, const std::vector<BodyState>& states)
      : system(given), constraints(system) {
    const std::vector<double> reach = ReachOf(system);
    const std::vector<BodyMotion> bodies = MotionsOf(states);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      BlockElimination::BodyBlock block = BlockElimination::BodyBlock::Zero();
      block.diagonal().head<3>().setConstant(system.bodies[b].mass);
      block.bottomRightCorner<3, 3>() = ToEigen(system.bodies[b].inertia) / (reach[b] * reach[b]);
      mass.push_back(block);
    }
    for (std::size_t k = 0; k < constraints.size(); ++k)
      rows.push_back(ScaledRows(constraints[k], bodies, reach));
  }

  Eigen::MatrixXd Full() const {
    Eigen::Index n = 6 * static_cast<Eigen::Index>(mass.size());
    for (const JointConstraints& joint : constraints.joints()) n += joint.size();
    Eigen::MatrixXd full = Eigen::MatrixXd::Zero(n, n);
    for (std::size_t b = 0; b < mass.size(); ++b)
      full.block<6, 6>(6 * static_cast<Eigen::Index>(b), 6 * static_cast<Eigen::Index>(b)) =
          mass[b];
    Eigen::Index at = 6 * static_cast<Eigen::Index>(mass.size());
    for (std::size_t k = 0; k < constraints.size(); ++k) {
      const JointConstraints& joint = constraints[k];
      for (const auto& [body, first] :
           {std::pair{joint.parent(), 0}, std::pair{joint.child(), 6}}) {
        if (body == kGround) continue;
        full.block(at, 6 * body, joint.size(), 6) = rows[k].block(0, first, joint.size(), 6);
        full.block(6 * body, at, 6, joint.size()) =
            rows[k].block(0, first, joint.size(), 6).transpose();
      }
      at += joint.size();
    }
    return full;
  }

  System system;
  AbsoluteConstraints constraints;
  std::vector<BlockElimination::BodyBlock> mass;
  std::vector<ConstraintJacobian> rows;
};

double ErrorOf(BlockElimination& blocks, const Eigen::MatrixXd& full) {
  const Eigen::VectorXd x = Eigen::VectorXd::LinSpaced(full.rows(), -1, 2);
  const Eigen::VectorXd right = full * x;
  std::vector<double> b(right.begin(), right.end());
  blocks.Solve(b);
  return (Eigen::Map<Eigen::VectorXd>(b.data(), x.size()) - x).cwiseAbs().maxCoeff();
}

TEST(BlockElimination, AgreesWithDenseFactorsOnRandomLoops) {
  int planned = 0;
  double worst = 0;
  for (int k = 0; k < 60; ++k) {
    RandomLoopOptions options;
    options.loops = k % 10;
    options.tree.bodies = 4 + k;
    const RandomTree random = MakeRandomLoops(static_cast<std::uint64_t>(700 + k), options);
    const Equations equations(random.system, random.state.bodies);
    BlockElimination blocks(equations.constraints, equations.mass);
    if (!blocks.Plan(equations.rows)) continue;
    ++planned;
    ASSERT_TRUE(blocks.Factorise(equations.rows)) << k;
    const Eigen::MatrixXd full = equations.Full();
    const double error = ErrorOf(blocks, full);
    EXPECT_LT(error, 1e-11) << "system " << k;
    worst = std::max(worst, error);
  }
  EXPECT_GE(planned, 50);
  std::printf("  %d planned, worst error %.1e\n", planned, worst);
}

TEST(BlockElimination, FindsNoOrderForDependentConstraints) {
  EXPECT_EQ(RedundantMechanisms().size(), 15u);
  for (const RedundantMechanism& mechanism : RedundantMechanisms()) {
    const Equations equations(mechanism.system, mechanism.state.bodies);
    EXPECT_FALSE(BlockElimination(equations.constraints, equations.mass).Plan(equations.rows))
        << mechanism.name;
  }
}

TEST(BlockElimination, ReportsConstraintsThatBecomeDependent) {
  RandomLoopOptions options;
  options.tree.bodies = 8;
  const RandomTree random = MakeRandomLoops(703, options);
  Equations equations(random.system, random.state.bodies);
  BlockElimination blocks(equations.constraints, equations.mass);
  ASSERT_TRUE(blocks.Plan(equations.rows));
  for (std::size_t k = 0; k < equations.rows.size(); ++k) {
    if (equations.constraints[k].size() < 2) continue;
    equations.rows[k].row(1) = equations.rows[k].row(0);
    EXPECT_FALSE(blocks.Factorise(equations.rows));
    break;
  }
}

TEST(BlockElimination, TakesConstantOperationsPerBodyOnALadder) {
  const auto per_body = [](const std::string& name, double bodies) {
    const Problem problem = MakeProblem(name);
    const SystemState state = Assemble(problem.system, problem.initial, problem.length).state;
    const Equations equations(problem.system, state.bodies);
    BlockElimination blocks(equations.constraints, equations.mass);
    EXPECT_TRUE(blocks.Plan(equations.rows));
    return static_cast<double>(blocks.CountOperations().multiplications) / bodies;
  };
  const double small = per_body("ladder:bodies=40,loops=10", 40),
               large = per_body("ladder:bodies=400,loops=100", 400);
  EXPECT_NEAR(large / small, 1, 0.15);
  std::printf("  multiplications per body: %.0f of 40, %.0f of 400\n", small, large);
}

}  // namespace
}  // namespace mbsbench::absolute
