// The Jacobian compared with central differences of the residual, and the residual at the initialised
// state.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "tests/methods/cartesian_dae/formulation_under_test.h"
#include "tests/methods/cartesian_dae/random_system.h"
#include "tests/support/parameter_name.h"
#include "tests/support/residual_jacobian.h"

namespace mbsbench {
namespace {

// The tree and loops of every kind.
System TreeWithLoops(RandomSystem& random) {
  System system = random.Tree();
  const JointType types[] = {JointType::kDistance,  JointType::kBall,  JointType::kRevolute,
                             JointType::kPrismatic, JointType::kFixed, JointType::kUniversal};
  for (int k = 0; k < 6; ++k) {
    Joint loop;
    loop.name = "loop" + std::to_string(k);
    loop.type = types[k];
    loop.parent = k == 4 ? 0 : k == 5 ? 4 : k - 1;  // the first on the ground
    loop.child = 7 - k;
    loop.parent_frame = random.Frame();
    loop.child_frame = random.Frame();
    loop.length = 1.3;
    system.loop_joints.push_back(loop);
  }
  Validate(system);
  return system;
}

class EveryVariant : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(CartesianDae, EveryVariant, testing::Values("ggl", "baumgarte", "index3"),
                         NameOfParameter);

void ExpectExactJacobian(const System& system, const char* variant, RandomSystem& random) {
  const auto f = CartesianDae(system, variant);
  std::vector<double> y(f->state_size()), yp(f->state_size());
  for (double& v : y) v = random.Uniform(-1, 1);
  for (double& v : yp) v = random.Uniform(-1, 1);
  const double c = random.Uniform(1, 3);
  const Eigen::MatrixXd exact = DenseJacobian(*f, c, y, yp),
                        difference = JacobianByDifferences(*f, c, y, yp);
  // Row by row: rows differ in size by 1e4 (Baumgarte's beta^2). Measured 6e-10 at most, and 1.2e-8 in
  // rows of drivers, where larger terms cancel.
  for (Eigen::Index i = 0; i < exact.rows(); ++i) {
    const double scale = std::max(1.0, exact.row(i).cwiseAbs().maxCoeff());
    EXPECT_LT((exact.row(i) - difference.row(i)).cwiseAbs().maxCoeff<Eigen::PropagateNaN>(),
              5e-8 * scale)
        << "row " << i;
  }
}

TEST_P(EveryVariant, JacobianIsExactOffTheConstraintsAndOffUnitQuaternions) {
  for (unsigned seed : {1u, 2u, 3u}) {
    SCOPED_TRACE(seed);
    RandomSystem random(seed);
    ExpectExactJacobian(TreeWithLoops(random), GetParam(), random);
  }
}

TEST_P(EveryVariant, JacobianIsExactWhereJointsAreDriven) {
  for (unsigned seed : {4u, 5u, 6u}) {
    SCOPED_TRACE(seed);
    RandomSystem random(seed);
    System system = TreeWithLoops(random);
    for (std::size_t j = 0; j < system.joints.size(); ++j) {
      const JointType type = system.joints[j].type;
      if (type != JointType::kRevolute && type != JointType::kPrismatic) continue;
      system.drivers.push_back(
          {"driver" + std::to_string(j), static_cast<int>(j), random.Uniform(1, 3)});
    }
    ASSERT_GE(system.drivers.size(), 2u);
    ExpectExactJacobian(system, GetParam(), random);
  }
}

TEST_P(EveryVariant, ResidualVanishesAtTheInitialisedState) {
  for (unsigned seed : {11u, 12u, 13u}) {
    RandomSystem random(seed);
    const System system = random.Tree();
    const SystemState state = random.MakeState(system);
    const auto f = CartesianDae(system, GetParam());
    std::vector<double> y(f->state_size()), yp(f->state_size()), r(f->state_size());
    ASSERT_TRUE(f->InitialiseDae(0, state, y, yp).ok());
    ASSERT_TRUE(f->Residual(0, y, yp, r).ok());
    for (std::size_t i = 0; i < r.size(); ++i) {  // measured 1e-12 at most (Baumgarte), else 4e-14
      EXPECT_NEAR(r[i], 0, 1e-11) << "row " << i << ", seed " << seed;
    }
  }
}

TEST(CartesianDaePattern, OmitsEntriesThatAreZeroInTheData) {
  RandomSystem random(5);
  System system;
  system.bodies = {random.MakeBody("rod")};
  system.joints.resize(1);
  system.joints[0].name = "pin";
  system.joints[0].child_frame.position = {0.3, 0.4, 0.5};
  const std::size_t general = CartesianDae(system)->pattern().row.size();
  system.joints[0].child_frame.position = {0.5, 0, 0};
  system.bodies[0].inertia = Diagonal(1, 2, 3);
  // omega_x leaves its lever: 3 entries of G and of G' each, at least; 3 + 3 products of inertia.
  EXPECT_LE(CartesianDae(system)->pattern().row.size() + 6, general);
}

}  // namespace
}  // namespace mbsbench
