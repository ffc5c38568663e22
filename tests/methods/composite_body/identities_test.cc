// Identities of H and C that need no other formulation.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>
#include <vector>

#include "methods/composite_body/joint_space_equations.h"
#include "methods/kinematics/joint_coordinates.h"
#include "problems/model/eigen.h"
#include "problems/model/kinematics.h"
#include "problems/test_systems/random_trees.h"
#include "tests/support/worst.h"

namespace mbsbench::composite_body {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

std::size_t At(int i) { return static_cast<std::size_t>(i); }

// H as a full matrix, tau - C, and the places of the free rates in JointState::u.
struct Assembled {
  MatrixXd H;
  VectorXd right_side;
  std::vector<int> place;
  FreeRates rates;
};
Assembled Assemble(const System& system, const JointState& joints) {
  const GroupTree<double> tree = MakeGroupTree<double>(system);
  JointSpaceEquations<double> equations(tree, system.gravity);
  std::vector<double> y = joints.q;
  y.insert(y.end(), joints.u.begin(), joints.u.end());
  std::vector<double> ydot(y.size());
  equations.PassMotion(y.data(), ydot.data());
  equations.Assemble(y.data());
  Assembled made{{}, {}, {}, equations.rates()};
  for (const SweepGroup<double>& group : tree.groups) {
    const int first = group.u - static_cast<int>(joints.q.size());
    for (int k = 0; k < (group.joint < 0 || group.driven ? 0 : RateCount(group.type)); ++k)
      made.place.push_back(first + k);
  }
  const int n = static_cast<int>(made.place.size());
  made.H = MatrixXd::Zero(n, n);
  made.right_side = VectorXd::Zero(n);
  for (int k = 0; k < n; ++k) {
    made.right_side[k] = equations.right_side()[At(k)];
    int place = equations.inertia().position(k);
    for (int i = k; i >= 0; i = made.rates.before[At(i)])
      made.H(k, i) = made.H(i, k) = equations.inertia().Row(k)[place--];
  }
  return made;
}

RandomTree Tree(int seed) {
  return MakeRandomTree(static_cast<std::uint64_t>(seed), {.bodies = 12, .force_elements = false});
}

// T'MT, T the velocities of the bodies by the rates: the model's own kinematics, rate by rate.
MatrixXd InertiaOfJacobians(const RandomTree& random, const std::vector<int>& place) {
  const auto n = static_cast<Eigen::Index>(place.size());
  std::vector<std::vector<BodyState>> columns;
  for (int k : place) {
    JointState unit = random.state.joints;
    std::fill(unit.u.begin(), unit.u.end(), 0.0);
    unit.u[At(k)] = 1;
    columns.push_back(ForwardKinematics(random.system, unit));
  }
  MatrixXd H = MatrixXd::Zero(n, n);
  for (Eigen::Index i = 0; i < n; ++i) {
    for (Eigen::Index j = 0; j < n; ++j) {
      for (std::size_t b = 0; b < random.system.bodies.size(); ++b) {
        const Body& body = random.system.bodies[b];
        const BodyState &x = columns[static_cast<std::size_t>(i)][b],
                        &z = columns[static_cast<std::size_t>(j)][b];
        const Quaternion to_body = Conjugate(x.orientation);
        H(i, j) += body.mass * Dot(x.velocity, z.velocity) +
                   Dot(Rotate(to_body, x.angular_velocity),
                       body.inertia * Rotate(to_body, z.angular_velocity));
      }
    }
  }
  return H;
}

TEST(JointSpaceInertia, EqualsTheProjectionOfTheMassesByAbsoluteJacobians) {
  int zeros = 0;
  for (int seed = 1; seed <= 30; ++seed) {
    const RandomTree random = Tree(seed);
    const Assembled made = Assemble(random.system, random.state.joints);
    const MatrixXd truth = InertiaOfJacobians(random, made.place);
    ASSERT_GT(truth.rows(), 6);
    // Entries off the paths are not stored: they are zero here, and must be there.
    EXPECT_LT((made.H - truth).cwiseAbs().maxCoeff<Eigen::PropagateNaN>(),
              1e-13 * truth.cwiseAbs().maxCoeff())
        << "seed " << seed;
    zeros += static_cast<int>((made.H.array() == 0).count());
  }
  EXPECT_GT(zeros, 100) << "branches must be among the trees";
}

TEST(JointSpaceInertia, GivesTheKineticEnergyOfTheModel) {
  for (int seed = 1; seed <= 30; ++seed) {
    const RandomTree random = Tree(seed);
    const Assembled made = Assemble(random.system, random.state.joints);
    VectorXd u(static_cast<Eigen::Index>(made.place.size()));
    for (Eigen::Index k = 0; k < u.size(); ++k)
      u[k] = random.state.joints.u[At(made.place[static_cast<std::size_t>(k)])];
    const double kinetic = EnergyOf(random.system, random.state.bodies).kinetic;
    EXPECT_NEAR(u.dot(made.H * u) / 2, kinetic, 1e-13 * kinetic) << "seed " << seed;
  }
}

TEST(BiasAtRest, IsTheGradientOfThePotential) {
  for (int seed = 1; seed <= 10; ++seed) {
    const RandomTree random = Tree(seed);
    JointState at_rest = random.state.joints;
    std::fill(at_rest.u.begin(), at_rest.u.end(), 0.0);
    const Assembled made = Assemble(random.system, at_rest);
    const JointOffsets at = OffsetsOf(random.system);
    for (std::size_t k = 0; k < made.place.size(); ++k) {
      const auto potential = [&](double step) {
        JointState moved = at_rest;
        for (std::size_t j = 0; j < random.system.joints.size(); ++j) {
          std::vector<double> rates(At(at.u[j + 1] - at.u[j]));
          if (made.place[k] < at.u[j] || made.place[k] >= at.u[j + 1]) continue;
          rates[At(made.place[k] - at.u[j])] = step;
          AdvanceJoint(random.system.joints[j].type, rates.data(), moved.q.data() + at.q[j]);
        }
        return EnergyOf(random.system, ForwardKinematics(random.system, moved)).total();
      };
      const double h = 1e-3;  // five points: truncation 1e-13 of the fifth derivative
      const double slope =
          (8 * (potential(h) - potential(-h)) - (potential(2 * h) - potential(-2 * h))) / (12 * h);
      EXPECT_NEAR(made.right_side[static_cast<Eigen::Index>(k)], -slope, 1e-9) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace mbsbench::composite_body
