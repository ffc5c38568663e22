// The DAE variants: Jacobian compared with differences of the residual, residual at the initial state.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "methods/equivalent_particles/equivalent_particles.h"
#include "problems/test_systems/random_loops.h"
#include "tests/support/parameter_name.h"
#include "tests/support/residual_jacobian.h"

namespace mbsbench {
namespace {

std::unique_ptr<DaeFormulation> Dae(const System& system, const std::string& variant) {
  std::unique_ptr<Formulation> f = EquivalentParticlesEntry().prepare(system, {variant});
  EXPECT_EQ(f->form(), Form::kDae);
  return std::unique_ptr<DaeFormulation>(static_cast<DaeFormulation*>(f.release()));
}

// Rods without any extent off their line, and a body that is a point: two particles and one.
System LinesAndPoints() {
  System system;
  for (int b = 0; b < 4; ++b) {
    Body body;
    body.name = "body_" + std::to_string(b);
    body.mass = 1 + b;
    body.is_point = true;
    if (b < 3) body.inertia = Diagonal(0, 0.1, 0.1);
    system.bodies.push_back(body);
    Joint joint;
    joint.name = "joint_" + std::to_string(b);
    joint.child = b;
    joint.parent = b == 1 ? 0 : kGround;
    if (b >= 2) joint.type = JointType::kFree;
    if (b < 2) joint.child_frame.position = {-0.5, 0, 0};
    if (b == 1) joint.parent_frame.position = {0.5, 0, 0};
    system.joints.push_back(joint);
  }
  system.forces.Of<SpringDamper>() = {{"spring", 1, 3, {0.5, 0, 0}, {}, 10, 1, 0.3}};
  return system;
}

class DaeVariants : public testing::TestWithParam<const char*> {};
INSTANTIATE_TEST_SUITE_P(EquivalentParticles, DaeVariants, testing::Values("ggl", "index1-dae"),
                         NameOfParameter);

void ExpectExactJacobian(const System& system, const char* variant, std::uint64_t seed) {
  const auto f = Dae(system, variant);
  RandomNumbers random(seed);
  std::vector<double> y(f->state_size()), yp(f->state_size());
  for (double& v : y) v = random.Between(-1, 1);
  for (double& v : yp) v = random.Between(-1, 1);
  const double c = random.Between(1, 3);
  const Eigen::MatrixXd exact = DenseJacobian(*f, c, y, yp),
                        difference = JacobianByDifferences(*f, c, y, yp);
  for (Eigen::Index i = 0; i < exact.rows(); ++i) {
    const double scale = std::max(1.0, exact.row(i).cwiseAbs().maxCoeff());
    EXPECT_LT((exact.row(i) - difference.row(i)).cwiseAbs().maxCoeff<Eigen::PropagateNaN>(),
              1e-7 * scale)
        << "row " << i << ", seed " << seed;
  }
}

TEST_P(DaeVariants, JacobianIsExactOffTheConditions) {
  for (std::uint64_t seed : {1u, 2u, 3u, 4u, 5u, 6u}) {
    RandomLoopOptions options;
    options.loops = static_cast<int>(seed % 4);
    options.tree.bodies = 9;
    if (seed % 2 == 0) options.tree.further_elements = {ForceElement::kBushing};
    ExpectExactJacobian(MakeRandomLoops(seed, options).system, GetParam(), seed);
  }
  ExpectExactJacobian(LinesAndPoints(), GetParam(), 7);
}

TEST_P(DaeVariants, ResidualVanishesAtTheInitialisedState) {
  for (std::uint64_t seed : {11u, 12u, 13u}) {
    RandomLoopOptions options;
    options.loops = static_cast<int>(seed % 3);
    const RandomTree random = MakeRandomLoops(seed, options);
    const auto f = Dae(random.system, GetParam());
    std::vector<double> y(f->state_size()), yp(f->state_size()), r(f->state_size());
    ASSERT_TRUE(f->InitialiseDae(0, random.state, y, yp).ok());
    ASSERT_TRUE(f->Residual(0, y, yp, r).ok());
    for (std::size_t i = 0; i < r.size(); ++i) EXPECT_NEAR(r[i], 0, 1e-10) << "row " << i;
  }
}

TEST_P(DaeVariants, OpenChainsHaveNoMultipliersInTheEquationsOfMotion) {
  RandomTreeOptions options;
  options.types = {JointType::kBall, JointType::kRevolute, JointType::kPrismatic};
  const System system = MakeRandomTree(5, options).system;
  const auto f = Dae(system, GetParam());
  // The algebraic unknowns are none, or one mu for each condition. None belongs to a joint.
  std::size_t algebraic = 0;
  for (double d : f->differential()) algebraic += d == 0 ? 1 : 0;
  if (std::string(GetParam()) == "index1-dae") {
    EXPECT_EQ(algebraic, 0u);
    return;
  }
  // mu enters x' = v + Phi_x' mu only: the rows of the velocities do not contain it.
  std::vector<double> y(f->state_size(), 0.3), yp(f->state_size(), 0.1), r(y.size()),
      r_mu(y.size());
  ASSERT_TRUE(f->Residual(0, y, yp, r).ok());
  std::size_t changed = 0;
  for (std::size_t i = 0; i < y.size(); ++i) {
    if (f->differential()[i] == 0) y[i] += 1;
  }
  ASSERT_TRUE(f->Residual(0, y, yp, r_mu).ok());
  for (std::size_t i = 0; i < y.size(); ++i) changed += r[i] != r_mu[i] ? 1 : 0;
  EXPECT_GT(changed, 0u);
  EXPECT_LE(changed, (y.size() - algebraic) / 2);  // rows of the positions
}

}  // namespace
}  // namespace mbsbench
