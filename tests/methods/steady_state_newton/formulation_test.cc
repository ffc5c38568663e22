// f and its Jacobian on random driven systems, compared with the 113-bit reference in maximal coordinates
// and with central differences.
#include <gtest/gtest.h>

#include <Eigen/Dense>
#include <cmath>

#include "harness/support/support.h"
#include "methods/steady/algebraic_formulation.h"
#include "methods/steady_state_newton/steady_state_newton.h"
#include "problems/model/kinematics.h"
#include "problems/model/topology.h"
#include "problems/test_systems/random_trees.h"
#include "reference/reference.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

struct Driven {
  System system;
  SystemState state;
};

// A random tree, some revolute and prismatic joints of which are driven; the rest is at rest.
Driven RandomDriven(std::uint64_t seed, int bodies) {
  RandomTreeOptions options;
  options.bodies = bodies;
  RandomTree tree = MakeRandomTree(seed, options);
  RandomNumbers random(seed + 1);
  Driven d{tree.system, tree.state};
  d.system.forces.Of<GroundSpring>().clear();  // the method does not support them
  std::fill(d.state.joints.u.begin(), d.state.joints.u.end(), 0.0);
  const JointOffsets at = OffsetsOf(d.system);
  for (std::size_t j = 0; j < d.system.joints.size(); ++j) {
    const JointType type = d.system.joints[j].type;
    if (type != JointType::kRevolute && type != JointType::kPrismatic) continue;
    if (random.Between(0, 1) > 0.5) continue;
    const double speed = random.Between(-3, 3);
    d.system.drivers.push_back({"driver " + std::to_string(j), static_cast<int>(j), speed});
    d.state.joints.u[static_cast<std::size_t>(at.u[j])] = speed;
  }
  d.state.bodies = ForwardKinematics(d.system, d.state.joints);
  return d;
}

// Two struts, a ball and a revolute close loops between bodies of the tree, which need not fit: f is
// defined for open loops, too.
void AddLoops(Driven& d, std::uint64_t seed) {
  RandomNumbers random(seed + 2);
  const int n = static_cast<int>(d.system.bodies.size());
  for (JointType type : {JointType::kDistance, JointType::kBall, JointType::kRevolute,
                         JointType::kPrismatic, JointType::kFixed}) {
    Joint joint;
    joint.name = "cut " + std::to_string(d.system.loop_joints.size());
    joint.type = type;
    joint.parent = type == JointType::kBall ? kGround : random.Below(n - 1);
    joint.child = n - 1;
    joint.parent_frame = {random.Vector(0.5), random.Rotation()};
    joint.child_frame = {random.Vector(0.5), random.Rotation()};
    joint.length = 1;
    d.system.loop_joints.push_back(joint);
  }
}

std::unique_ptr<Formulation> Prepared(const System& system) {
  return SteadyStateNewtonEntry().prepare(system, {});
}
AlgebraicFormulation& Algebraic(Formulation& f) { return static_cast<AlgebraicFormulation&>(f); }

Eigen::MatrixXd Square(const std::vector<double>& values, std::size_t n) {
  return Eigen::Map<const Eigen::Matrix<double, -1, -1, Eigen::RowMajor>>(
      values.data(), static_cast<Eigen::Index>(n), static_cast<Eigen::Index>(n));
}

// With the rest released from rest, M q'' = -f (eqs 14 and 20). The resulting accelerations of all
// bodies are those of the reference, which contains neither f nor M: this tests every term of both,
// including the gyroscopic moment. Measured: below 1e-12 of the largest.
TEST(SteadyFormulation, ReleasedFromRestAgreesWithTheAccelerationsOfTheReference) {
  int systems = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const Driven d = RandomDriven(seed, 1 + static_cast<int>(seed % 12));
    if (!VerdictOf(SteadyStateNewtonEntry(), d.system, {}).supported) continue;
    ++systems;
    const auto prepared = Prepared(d.system);
    AlgebraicFormulation& formulation = Algebraic(*prepared);
    const std::size_t n = formulation.coordinate_count();
    std::vector<double> z(n), f(n);
    formulation.Initialise(0, d.state, z);
    formulation.Residual(z, f);
    Linearisation linear;
    formulation.Linearise(z, linear);
    const Eigen::VectorXd qdd =
        Square(linear.mass, n)
            .ldlt()
            .solve(-Eigen::Map<Eigen::VectorXd>(f.data(), static_cast<Eigen::Index>(n)));
    Observation held;
    formulation.Observe(0, z, Detail::kAccelerations, held);

    // Bodies' accelerations: those with the rest held, and the partial velocities (by the model's own
    // kinematics) times q''. Coordinates come body by body, those of a joint in the order of its rates.
    const Topology tree = TopologyOf(d.system);
    const JointOffsets at = OffsetsOf(d.system);
    const std::vector<bool> driven = DrivenJoints(d.system);
    Eigen::Index next = 0;
    for (int body : tree.order) {
      const auto j = static_cast<std::size_t>(tree.joint[static_cast<std::size_t>(body)]);
      if (driven[j]) continue;
      for (int k = at.u[j]; k < at.u[j + 1]; ++k, ++next) {
        JointState unit = d.state.joints;
        std::fill(unit.u.begin(), unit.u.end(), 0.0);
        unit.u[static_cast<std::size_t>(k)] = 1;
        const auto moved = ForwardKinematics(d.system, unit);
        for (std::size_t b = 0; b < moved.size(); ++b) {
          auto& a = held.accelerations[b];
          a.acceleration = a.acceleration + qdd[next] * moved[b].velocity;
          a.angular_acceleration = a.angular_acceleration + qdd[next] * moved[b].angular_velocity;
        }
      }
    }
    const ReferenceDynamics truth = ReferenceAccelerations(d.system, d.state.joints);
    double size = 1, worst = 0;
    for (std::size_t b = 0; b < truth.accelerations.size(); ++b) {
      const auto& t = truth.accelerations[b];
      const auto& mine = held.accelerations[b];
      size = std::max({size, Norm(t.acceleration), Norm(t.angular_acceleration)});
      Raise(worst, {Norm(mine.acceleration - t.acceleration),
                    Norm(mine.angular_acceleration - t.angular_acceleration)});
    }
    EXPECT_LT(worst / size, 1e-10) << "seed " << seed;
  }
  EXPECT_GT(systems, 20);
}

// df/dz by solving with the sparse matrix, against central differences of f: trees with all joint
// types, drivers that ride on moving bodies, springs, dampers and loads, and all cut joints.
TEST(SteadyFormulation, JacobianIsTheDerivativeOfTheResidual) {
  double largest = 0;
  for (std::uint64_t seed = 1; seed <= 24; ++seed) {
    Driven d = RandomDriven(seed, 3 + static_cast<int>(seed % 8));
    if (!VerdictOf(SteadyStateNewtonEntry(), d.system, {}).supported) continue;
    if (seed % 2 == 0) AddLoops(d, seed);
    const auto prepared = Prepared(d.system);
    AlgebraicFormulation& formulation = Algebraic(*prepared);
    const std::size_t n = formulation.state_size();
    std::vector<double> z(n);
    formulation.Initialise(0, d.state, z);
    RandomNumbers random(seed + 7);
    for (double& x : z)
      x += random.Between(-0.5, 0.5);  // turned away from the bases, lambda not zero

    const SparsityPattern& p = formulation.pattern();
    std::vector<double> values(p.row.size());
    formulation.Jacobian(z, values);
    const auto all = static_cast<Eigen::Index>(p.column_start.size()) - 1;
    const auto inner = static_cast<Eigen::Index>(n);
    Eigen::MatrixXd matrix = Eigen::MatrixXd::Zero(all, all);
    for (Eigen::Index c = 0; c < all; ++c) {
      for (int e = p.column_start[static_cast<std::size_t>(c)];
           e < p.column_start[static_cast<std::size_t>(c) + 1]; ++e) {
        matrix(p.row[static_cast<std::size_t>(e)], c) = values[static_cast<std::size_t>(e)];
      }
    }
    const Eigen::Index rest = all - inner;
    const Eigen::MatrixXd jacobian =
        matrix.topLeftCorner(inner, inner) -
        matrix.topRightCorner(inner, rest) * matrix.bottomRightCorner(rest, rest)
                                                 .partialPivLu()
                                                 .solve(matrix.bottomLeftCorner(rest, inner));

    constexpr double kStep = 1e-5;
    std::vector<double> plus(n), minus(n);
    for (std::size_t c = 0; c < n; ++c) {
      const double x = z[c];
      z[c] = x + kStep;
      formulation.Residual(z, plus);
      z[c] = x - kStep;
      formulation.Residual(z, minus);
      z[c] = x;
      for (std::size_t r = 0; r < n; ++r) {
        const double difference = (plus[r] - minus[r]) / (2 * kStep);
        const double mine = jacobian(static_cast<Eigen::Index>(r), static_cast<Eigen::Index>(c));
        const double scale = 1 + jacobian.row(static_cast<Eigen::Index>(r)).cwiseAbs().maxCoeff();
        Raise(largest, std::abs(mine - difference) / scale);
        ASSERT_NEAR(mine / scale, difference / scale, 1e-6)
            << "seed " << seed << ", row " << r << " (" << formulation.residuals()[r].name
            << "), column " << c << " (" << formulation.unknowns()[c].name << ")";
      }
    }
  }
  EXPECT_GT(largest, 0);  // control: differences are never exact
}

}  // namespace
}  // namespace mbsbench
