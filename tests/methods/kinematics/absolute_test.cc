// Constraints and forces in absolute coordinates. Rows are compared with the model's residuals, forces
// with the wrenches of tree methods, and all derivatives with central differences along
// the six motions of each body.
#include <gtest/gtest.h>

#include <cmath>

#include "methods/kinematics/absolute_constraints.h"
#include "methods/kinematics/absolute_forces.h"
#include "methods/kinematics/force_elements.h"
#include "methods/kinematics/joint_laws.h"
#include "problems/model/eigen.h"
#include "tests/methods/cartesian_dae/random_system.h"

namespace mbsbench::absolute {
namespace {

using Eigen::VectorXd;

constexpr JointType kConstraintTypes[] = {
    JointType::kBall,     JointType::kRevolute,  JointType::kPrismatic,   JointType::kFixed,
    JointType::kDistance, JointType::kUniversal, JointType::kCylindrical, JointType::kPlanar,
    JointType::kRevolute, JointType::kPrismatic};
constexpr int kDrivenFrom = 8;  // the last ones are driven

BodyMotion RandomMotion(RandomSystem& random) {
  BodyMotion m = MotionsOf(std::vector<BodyState>{
      {random.Vector(), random.Rotation(), random.Vector(), random.Vector()}})[0];
  m.acceleration = ToEigen(random.Vector());
  m.angular_acceleration = ToEigen(random.Vector());
  return m;
}

// Moved by the step h along coordinate i of its position (0 to 5) or of its rates (6 to 11).
BodyMotion Moved(BodyMotion m, int i, double h) {
  const Vector3d along = Vector3d::Unit(i % 3);
  if (i < 3) m.position += h * along;
  if (i >= 3 && i < 6) {
    Vector4d turn;
    turn << std::cos(h / 2), std::sin(h / 2) * along;
    const Eigen::Quaterniond q =
        Eigen::Quaterniond(m.quaternion[0], m.quaternion[1], m.quaternion[2], m.quaternion[3]) *
        Eigen::Quaterniond(turn[0], turn[1], turn[2], turn[3]);
    m.SetQuaternion({q.w(), q.x(), q.y(), q.z()});
  }
  if (i >= 6 && i < 9) m.velocity += h * along;
  if (i >= 9) m.angular_velocity += h * along;
  return m;
}

// Difference quotients of f(parent, child) by the positions, or by the rates, of both.
template <class Function>
Eigen::MatrixXd Differences(const Function& f, const BodyMotion& parent, const BodyMotion& child,
                            bool by_rates) {
  constexpr double kStep = 1e-5;
  Eigen::MatrixXd d(f(parent, child).size(), kPair);
  for (int i = 0; i < kRates; ++i) {
    const int at = i + (by_rates ? kRates : 0);
    d.col(i) =
        (f(Moved(parent, at, kStep), child) - f(Moved(parent, at, -kStep), child)) / (2 * kStep);
    d.col(kChild + i) =
        (f(parent, Moved(child, at, kStep)) - f(parent, Moved(child, at, -kStep))) / (2 * kStep);
  }
  return d;
}

TEST(JointConstraints, DerivativesAreExactAtAnyMotion) {
  RandomSystem random(1);
  for (int k = 0; k < static_cast<int>(std::size(kConstraintTypes)); ++k) {
    Joint joint;
    joint.type = kConstraintTypes[k];
    joint.parent_frame = random.Frame();
    joint.child_frame = random.Frame();
    joint.length = 0.7;
    JointConstraints constraints(joint);
    EXPECT_EQ(constraints.size(), ConstraintCount(joint.type));
    if (k >= kDrivenFrom) {
      constraints.AddDriver(joint);
      constraints.Drive(random.Uniform(-2, 2), random.Uniform(-2, 2), random.Uniform(-2, 2));
    }
    const int rows = constraints.size();
    const BodyMotion parent = RandomMotion(random), child = RandomMotion(random);
    const auto values = [&](VectorXd (*pick)(const ConstraintValues&)) {
      return [&constraints, rows, pick](const BodyMotion& p, const BodyMotion& c) -> VectorXd {
        ConstraintValues v;
        constraints.Evaluate(p, c, true, v);
        return pick(v).head(rows);
      };
    };
    const auto position = values([](const ConstraintValues& v) -> VectorXd { return v.position; });
    const auto velocity = values([](const ConstraintValues& v) -> VectorXd { return v.velocity; });
    const auto acceleration =
        values([](const ConstraintValues& v) -> VectorXd { return v.acceleration; });
    ConstraintDerivatives d;
    constraints.Differentiate(parent, child, true, d);
    constexpr double kExact = 1e-8;
    SCOPED_TRACE(std::string(Name(joint.type)) + (k >= kDrivenFrom ? ", driven" : ""));
    const auto expect = [&](const ConstraintJacobian& exact, const Eigen::MatrixXd& difference) {
      EXPECT_LT((exact.topRows(rows) - difference).cwiseAbs().maxCoeff(), kExact);
    };
    expect(d.rows, Differences(position, parent, child, false));
    expect(d.rows, Differences(velocity, parent, child, true));
    expect(constraints.Jacobian(parent, child), d.rows.topRows(rows));
    expect(d.velocity, Differences(velocity, parent, child, false));
    expect(d.acceleration, Differences(acceleration, parent, child, false));
    expect(d.by_rates, Differences(acceleration, parent, child, true));
    const ConstraintVector lambda = ConstraintVector::Random();
    const auto force = [&](const BodyMotion& p, const BodyMotion& c) -> VectorXd {
      return constraints.Jacobian(p, c).topRows(rows).transpose() * lambda.head(rows);
    };
    EXPECT_LT((constraints.DifferentiateForce(parent, child, lambda) -
               Differences(force, parent, child, false))
                  .cwiseAbs()
                  .maxCoeff(),
              kExact);
  }
}

TEST(AbsoluteForces, EqualTheWrenchesOfTheForceElements) {
  RandomSystem random(2);
  const System system = random.Tree();
  const SystemState state = random.MakeState(system);
  AbsoluteForces forces(system);
  forces.Start(state.joints);
  const std::vector<BodyMotion> bodies = MotionsOf(state.bodies);
  std::vector<BodyVector> q(bodies.size());
  forces.Evaluate(0, bodies, q);
  std::vector<Wrench> wrenches(bodies.size());
  AddForceElements(system, state.bodies, wrenches);
  const JointOffsets at = OffsetsOf(system);
  for (const JointLaw& e : JointLawsOf(system)) {
    const auto j = static_cast<std::size_t>(e.joint);
    const Joint& joint = system.joints[j];
    const double f = e.At(0, state.joints.q[static_cast<std::size_t>(at.q[j])],
                          state.joints.u[static_cast<std::size_t>(at.u[j])]);
    const BodyState& child = state.bodies[static_cast<std::size_t>(joint.child)];
    const Vector3 axis =
        Rotate(child.orientation, Rotate(joint.child_frame.orientation, {0, 0, 1}));
    const Vector3 point = child.position + Rotate(child.orientation, joint.child_frame.position);
    const auto exert = [&](int body, double sign) {
      if (body == kGround) return;
      Wrench& w = wrenches[static_cast<std::size_t>(body)];
      const Vector3 on_axis = sign * f * axis;
      if (joint.type == JointType::kRevolute) {
        w.moment = w.moment + on_axis;
      } else {
        w.force = w.force + on_axis;
        w.moment = w.moment +
                   Cross(point - state.bodies[static_cast<std::size_t>(body)].position, on_axis);
      }
    };
    exert(joint.child, 1);
    exert(joint.parent, -1);
  }
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const Vector3 weight = system.bodies[b].mass * system.gravity;
    EXPECT_LT((q[b].head<3>() - ToEigen(wrenches[b].force + weight)).norm(), 1e-12) << b;
    EXPECT_LT((bodies[b].rotation * q[b].tail<3>() - ToEigen(wrenches[b].moment)).norm(), 1e-12)
        << b;
  }
}

TEST(AbsoluteForces, DerivativesAreExactOffTheConstraints) {
  RandomSystem random(3);
  const System system = random.Tree();
  AbsoluteForces forces(system);
  std::vector<BodyMotion> bodies;
  for (std::size_t b = 0; b < system.bodies.size(); ++b) bodies.push_back(RandomMotion(random));
  ASSERT_EQ(forces.size(), 12u);
  for (const bool by_rates : {false, true}) {
    Eigen::MatrixXd exact = Eigen::MatrixXd::Zero(6 * 8, 6 * 8), difference = exact;
    for (std::size_t k = 0; k < forces.size(); ++k) {
      ForceDerivatives d;
      forces.Differentiate(0, k, bodies, d);
      const PairMatrix& block = by_rates ? d.by_rates : d.by_positions;
      const int body[] = {forces.parent(k), forces.child(k)};
      for (int i : {0, 1}) {
        for (int j : {0, 1}) {
          if (body[i] == kGround || body[j] == kGround) continue;
          exact.block<6, 6>(6 * body[i], 6 * body[j]) += block.block<6, 6>(6 * i, 6 * j);
        }
      }
    }
    const auto forces_at = [&](std::size_t b, int i, double h) {
      std::vector<BodyMotion> moved = bodies;
      moved[b] = Moved(bodies[b], i + (by_rates ? 6 : 0), h);
      std::vector<BodyVector> q(bodies.size());
      forces.Evaluate(0, moved, q);
      VectorXd all(6 * 8);
      for (std::size_t k = 0; k < q.size(); ++k)
        all.segment<6>(static_cast<Eigen::Index>(6 * k)) = q[k];
      return all;
    };
    constexpr double kStep = 1e-5;
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      for (int i = 0; i < 6; ++i) {
        difference.col(static_cast<Eigen::Index>(6 * b) + i) =
            (forces_at(b, i, kStep) - forces_at(b, i, -kStep)) / (2 * kStep);
      }
    }
    EXPECT_LT((exact - difference).cwiseAbs().maxCoeff(), 1e-6) << (by_rates ? "rates" : "");
    EXPECT_GT(exact.cwiseAbs().maxCoeff(), 1) << "there is something to differentiate";
  }
}

}  // namespace
}  // namespace mbsbench::absolute
