// Partial velocities, their derivatives and the generalised inertia built on them, compared with the
// model's own forward kinematics and energy.
#include "methods/kane_huston/partial_velocities.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <vector>

#include "methods/kane_huston/kane_equations.h"
#include "problems/model/kinematics.h"
#include "problems/test_systems/random_trees.h"
#include "tests/support/worst.h"

namespace mbsbench::kane_huston {
namespace {

using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

std::size_t At(int i) { return static_cast<std::size_t>(i); }

using Vector6d = Eigen::Matrix<double, 6, 1>;
Vector6d Stacked(const Vector3d& angular, const Vector3d& linear) {
  Vector6d both;
  both.head<3>() = angular;
  both.tail<3>() = linear;
  return both;
}

// The coordinates after time h at constant rates u.
JointState Moved(const System& system, const JointState& from, const std::vector<double>& u,
                 double h) {
  JointState to = from;
  const JointOffsets at = OffsetsOf(system);
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const JointType type = system.joints[j].type;
    double* q = to.q.data() + at.q[j];
    const double* rate = u.data() + at.u[j];
    const bool turns = type == JointType::kBall || type == JointType::kFree;
    const int plain = turns ? CoordinateCount(type) - 4 : CoordinateCount(type);
    for (int i = 0; i < plain; ++i) q[i] += h * rate[i];
    if (!turns) continue;
    double* p = q + plain;
    const Vector3 omega{rate[plain], rate[plain + 1], rate[plain + 2]};
    if (Norm(omega) == 0) continue;
    const Quaternion turned =
        Quaternion{p[0], p[1], p[2], p[3]} * AxisAngle((1 / Norm(omega)) * omega, Norm(omega) * h);
    p[0] = turned.w, p[1] = turned.x, p[2] = turned.y, p[3] = turned.z;
  }
  return to;
}

// The entry of JointState::u of each position on the path of a node, after this number of coordinates before u.
std::vector<int> PathRates(const ReducedTree<double>& tree, std::size_t coordinates, int node) {
  std::vector<int> rates(At(tree.nodes[At(node)].path));
  int dof = tree.nodes[At(node)].dof + tree.nodes[At(node)].dofs - 1;
  for (std::size_t k = rates.size(); k-- > 0; dof = tree.parent_dof[At(dof)]) {
    const std::size_t owner = At(tree.node_of_dof[At(dof)]);
    rates[k] = tree.groups[owner].u - static_cast<int>(coordinates) + dof - tree.nodes[owner].dof;
  }
  EXPECT_EQ(dof, -1);
  return rates;
}

// Partial velocities of all bodies at their mass centres, or their derivatives, as dense matrices:
// rows 6 b + (0, 1, 2: angular; 3, 4, 5: linear), columns like JointState::u.
struct Dense {
  MatrixXd u, u_dot;
};

template <class T>
std::vector<T> Joined(const JointState& state) {
  std::vector<T> y(state.q.begin(), state.q.end());
  y.insert(y.end(), state.u.begin(), state.u.end());
  return y;
}

Dense ByKernel(const RandomTree& random) {
  const ReducedTree<double> tree(random.system);
  PartialVelocities<double> kernel(tree);
  const JointState& state = random.state.joints;
  const std::vector<double> y = Joined<double>(state);
  std::vector<double> ydot(y.size());
  kernel.SetMotion(y.data(), ydot.data());
  const auto bodies = static_cast<Eigen::Index>(random.system.bodies.size());
  const auto columns = static_cast<Eigen::Index>(state.u.size());
  Dense dense{MatrixXd::Zero(6 * bodies, columns), MatrixXd::Zero(6 * bodies, columns)};
  for (const TourStep& step : tree.tour) {
    if (!step.enter) continue;
    kernel.Enter(step.node, y.data());
    const std::vector<int> rates = PathRates(tree, state.q.size(), step.node);
    const int path = tree.nodes[At(step.node)].path;
    const auto along = kernel.w(path), along_rate = kernel.w_rate(path);
    const auto own = kernel.v(step.node), own_rate = kernel.v_rate(step.node);
    const auto& motion = kernel.motion(step.node);
    for (Eigen::Index b = 0; b < bodies; ++b) {
      const BodyInGroup<double>& placement = tree.placements[static_cast<std::size_t>(b)];
      if (placement.group != step.node) continue;
      const Vector3d arm =
          AsEigen(kernel.groups().motion(step.node).R * placement.centre) - motion.c;
      const Vector3d arm_rate = motion.omega.cross(arm);
      for (std::size_t k = 0; k < rates.size(); ++k) {
        const auto row = static_cast<Eigen::Index>(k);
        const Vector3d w = along.row(row), w_dot = along_rate.row(row);
        const Vector3d v = own.row(row), v_dot = own_rate.row(row);
        dense.u.block<6, 1>(6 * b, rates[k]) = Stacked(w, v + w.cross(arm));
        dense.u_dot.block<6, 1>(6 * b, rates[k]) =
            Stacked(w_dot, v_dot + w_dot.cross(arm) + w.cross(arm_rate));
      }
    }
  }
  return dense;
}

// The model's velocities are linear in the rates: unit rates give the partial velocities.
MatrixXd ByUnitRates(const System& system, JointState state) {
  MatrixXd u(6 * static_cast<Eigen::Index>(system.bodies.size()),
             static_cast<Eigen::Index>(state.u.size()));
  for (std::size_t k = 0; k < state.u.size(); ++k) {
    state.u.assign(state.u.size(), 0);
    state.u[k] = 1;
    const std::vector<BodyState> bodies = ForwardKinematics(system, state);
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      u.block<6, 1>(6 * static_cast<Eigen::Index>(b), static_cast<Eigen::Index>(k)) =
          Stacked(ToEigen(bodies[b].angular_velocity), ToEigen(bodies[b].velocity));
    }
  }
  return u;
}

class PartialVelocitiesOfRandomTrees : public testing::TestWithParam<int> {
 protected:
  RandomTree tree_ =
      MakeRandomTree(static_cast<std::uint64_t>(300 + GetParam()), {.bodies = 1 + 3 * GetParam()});
};
INSTANTIATE_TEST_SUITE_P(Seeds, PartialVelocitiesOfRandomTrees, testing::Range(0, 10));

TEST_P(PartialVelocitiesOfRandomTrees, AreTheVelocitiesAtUnitRates) {
  const MatrixXd truth = ByUnitRates(tree_.system, tree_.state.joints);
  EXPECT_LT((ByKernel(tree_).u - truth).cwiseAbs().maxCoeff<Eigen::PropagateNaN>(),
            1e-13 * truth.cwiseAbs().maxCoeff());
}

// Positions and orientations, not rates: the definition.
TEST_P(PartialVelocitiesOfRandomTrees, AreFiniteDifferencesOfPoses) {
  const System& system = tree_.system;
  const MatrixXd u = ByKernel(tree_).u;
  constexpr double kStep = 1e-5;  // error h^2 / 6 plus round-off / h, both about 1e-11
  for (std::size_t k = 0; k < tree_.state.joints.u.size(); ++k) {
    std::vector<double> unit(tree_.state.joints.u.size(), 0.0);
    unit[k] = 1;
    const auto later = ForwardKinematics(system, Moved(system, tree_.state.joints, unit, kStep));
    const auto earlier = ForwardKinematics(system, Moved(system, tree_.state.joints, unit, -kStep));
    for (std::size_t b = 0; b < later.size(); ++b) {
      const Quaternion turn = later[b].orientation * Conjugate(earlier[b].orientation);
      const double sign = turn.w > 0 ? 1 : -1;
      const Vector6d difference =
          Stacked(sign * Vector3d(turn.x, turn.y, turn.z) / kStep,
                  ToEigen(later[b].position - earlier[b].position) / (2 * kStep));
      const auto ours =
          u.block<6, 1>(6 * static_cast<Eigen::Index>(b), static_cast<Eigen::Index>(k));
      EXPECT_LT((ours - difference).cwiseAbs().maxCoeff<Eigen::PropagateNaN>(), 1e-8)
          << "body " << b << " rate " << k;
    }
  }
}

TEST_P(PartialVelocitiesOfRandomTrees, HaveDerivativesThatAgreeWithDifferencesInTime) {
  const System& system = tree_.system;
  const JointState& now = tree_.state.joints;
  constexpr double kStep = 1e-4;
  const auto at = [&](double h) { return ByUnitRates(system, Moved(system, now, now.u, h)); };
  const MatrixXd truth =
      (8 * (at(kStep) - at(-kStep)) - (at(2 * kStep) - at(-2 * kStep))) / (12 * kStep);
  const MatrixXd u_dot = ByKernel(tree_).u_dot;
  EXPECT_LT((u_dot - truth).cwiseAbs().maxCoeff<Eigen::PropagateNaN>(),
            1e-9 * (1 + truth.cwiseAbs().maxCoeff()));
}

// A = u'Mu with M the masses and inertia tensors of the bodies, all of them, fixed ones too.
TEST_P(PartialVelocitiesOfRandomTrees, GiveTheGeneralisedInertia) {
  const System& system = tree_.system;
  const JointState& state = tree_.state.joints;
  const MatrixXd u = ByUnitRates(system, state);
  MatrixXd truth = MatrixXd::Zero(u.cols(), u.cols());
  for (std::size_t b = 0; b < system.bodies.size(); ++b) {
    const auto rows = u.middleRows(6 * static_cast<Eigen::Index>(b), 6);
    const Eigen::Matrix3d axes = ToEigen(tree_.state.bodies[b].orientation).toRotationMatrix();
    truth += rows.topRows(3).transpose() * axes * ToEigen(system.bodies[b].inertia) *
                 axes.transpose() * rows.topRows(3) +
             system.bodies[b].mass * rows.bottomRows(3).transpose() * rows.bottomRows(3);
  }

  const ReducedTree<double> tree(system);
  KaneEquations<double> equations(tree, system.gravity);
  const std::vector<double> y = Joined<double>(state);
  std::vector<double> ydot(y.size());
  equations.partial_velocities.SetMotion(y.data(), ydot.data());
  equations.Assemble(y.data());
  MatrixXd ours = MatrixXd::Zero(u.cols(), u.cols());
  for (std::size_t i = 1; i < tree.nodes.size(); ++i) {
    const Node& node = tree.nodes[i];
    const std::vector<int> rates = PathRates(tree, state.q.size(), static_cast<int>(i));
    const int own = tree.groups[i].u - static_cast<int>(state.q.size());
    for (int d = 0; d < node.dofs; ++d) {
      const double* row = equations.inertia.Row(node.dof + d);
      for (int k = 0; k <= equations.inertia.position(node.dof + d); ++k) {
        ours(own + d, rates[At(k)]) = row[k];
        ours(rates[At(k)], own + d) = row[k];
      }
    }
  }
  if (u.cols() == 0) return;
  // Entries that are not on the paths are zero in `ours` and must be zero in the truth.
  EXPECT_LT((ours - truth).cwiseAbs().maxCoeff<Eigen::PropagateNaN>(),
            1e-13 * truth.cwiseAbs().maxCoeff());
  const VectorXd eigenvalues =
      Eigen::SelfAdjointEigenSolver<MatrixXd>(ours, Eigen::EigenvaluesOnly).eigenvalues();
  EXPECT_GT(eigenvalues[0], 0);
  const Eigen::Map<const VectorXd> rates(state.u.data(), u.cols());
  const double kinetic = EnergyOf(system, tree_.state.bodies).kinetic;
  EXPECT_NEAR(0.5 * rates.dot(ours * rates), kinetic, 1e-13 * kinetic);
}

// Compared with the same kernel in extended precision: the round-off of one evaluation of a chain of
// ball joints. Measured 5e-14 at 10, 1.4e-11 at 100 bodies: the condition of
// u'Mu in joint rates grows with the length of the chain.
TEST(KaneEquations, LoseFewDigitsAlongAChain) {
  for (const int bodies : {10, 30, 100}) {
    const RandomTree chain = MakeRandomTree(77, {.bodies = bodies,
                                                 .types = {JointType::kBall},
                                                 .force_elements = false,
                                                 .chain_likelihood = 1});
    const ReducedTree<double> tree(chain.system);
    KaneEquations<double> equations(tree, chain.system.gravity);
    const std::vector<double> y = Joined<double>(chain.state.joints);
    std::vector<double> ydot(y.size());
    equations.partial_velocities.SetMotion(y.data(), ydot.data());
    equations.Assemble(y.data());
    ASSERT_EQ(equations.Solve(), -1);

    const ReducedTree<long double> exact_tree(chain.system);
    KaneEquations<long double> exact(exact_tree, chain.system.gravity);
    const std::vector<long double> exact_y = Joined<long double>(chain.state.joints);
    std::vector<long double> exact_ydot(y.size());
    exact.partial_velocities.SetMotion(exact_y.data(), exact_ydot.data());
    exact.Assemble(exact_y.data());
    ASSERT_EQ(exact.Solve(), -1);
    long double difference = 0, scale = 0;
    for (std::size_t k = 0; k < exact.accelerations.size(); ++k) {
      Raise(difference, std::abs(equations.accelerations[k] - exact.accelerations[k]));
      scale = std::max(scale, std::abs(exact.accelerations[k]));
    }
    std::printf("%d bodies: relative error of the accelerations %.1Le\n", bodies,
                difference / scale);
    EXPECT_LT(difference / scale, 1e-10L);
    EXPECT_GT(difference / scale, 0.0L);  // control: the two precisions differ
  }
}

}  // namespace
}  // namespace mbsbench::kane_huston
