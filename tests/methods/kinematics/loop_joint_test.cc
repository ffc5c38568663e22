// Rows of loop joints compared with the model's residuals, and their rates with differences along a
// motion, also for an open loop.
#include "methods/kinematics/loop_joint.h"

#include <gtest/gtest.h>

#include <cmath>

#include "problems/test_systems/random_loops.h"

namespace mbsbench {
namespace {

constexpr JointType kLoopTypes[] = {JointType::kBall,  JointType::kRevolute, JointType::kPrismatic,
                                    JointType::kFixed, JointType::kDistance, JointType::kUniversal};

BodyState RandomState(RandomNumbers& random) {
  return {random.Vector(1), random.Rotation(), random.Vector(2), random.Vector(2)};
}

// A body with constant acceleration and, to second order in t, constant angular acceleration.
struct Moving {
  BodyState start;
  Vector3 a, alpha;
  BodyState At(double t) const {
    BodyState s = start;
    s.position = s.position + t * s.velocity + (t * t / 2) * a;
    s.velocity = s.velocity + t * a;
    const Vector3 turn = t * start.angular_velocity + (t * t / 2) * alpha;
    const double angle = Norm(turn);
    if (angle > 0) s.orientation = AxisAngle((1 / angle) * turn, angle) * s.orientation;
    s.angular_velocity = s.angular_velocity + t * alpha;
    return s;
  }
  // The acceleration of the point of the body that is at `point` at time 0.
  Vector3 AccelerationOf(const Vector3& point) const {
    const Vector3 arm = point - start.position, &w = start.angular_velocity;
    return a + Cross(alpha, arm) + Cross(w, Cross(w, arm));
  }
};

TEST(LoopJoint, RowsVanishWhereTheModelsResidualsDo) {
  RandomNumbers random(1);
  for (JointType type : kLoopTypes) {
    const std::vector<BodyState> bodies{RandomState(random), RandomState(random)};
    const Joint joint = MakeClosedJoint(random, type, 0, 1, bodies);
    ConstraintRows model;
    AppendConstraintRows(joint, bodies, model);
    std::array<LoopRow, LoopJoint::kMostRows> rows;
    const LoopJoint loop(joint);
    loop.CalcRows(bodies[0], bodies[1], rows.data());
    ASSERT_EQ(loop.size(), ConstraintCount(type));
    double model_rate = 0, rate = 0;
    for (std::size_t i = 0; i < model.position.size(); ++i) {
      EXPECT_NEAR(rows[i].position, 0, 1e-15) << Name(type);
      EXPECT_NEAR(model.position[i], 0, 1e-15) << Name(type);
      model_rate += model.velocity[i] * model.velocity[i];
      rate += rows[i].velocity * rows[i].velocity;
    }
    // The rows are the model's except for their order and signs.
    EXPECT_NEAR(rate, model_rate, 1e-13 * model_rate) << Name(type);
    EXPECT_GT(rate, 1e-3);
  }
}

TEST(LoopJoint, RatesAreTheDerivativesOfTheRowsAlsoForAnOpenLoop) {
  RandomNumbers random(2);
  constexpr double kStep = 1e-4;  // second-order differences: about 1e-7
  for (JointType type : kLoopTypes) {
    for (bool on_ground : {false, true}) {
      Joint joint;
      joint.type = type;
      joint.parent_frame = {random.Vector(1), random.Rotation()};
      joint.child_frame = {random.Vector(1), random.Rotation()};
      joint.length = 0.7;
      Moving parent{on_ground ? BodyState{} : RandomState(random), random.Vector(3),
                    random.Vector(3)};
      if (on_ground) parent.a = parent.alpha = {};
      const Moving child{RandomState(random), random.Vector(3), random.Vector(3)};
      const LoopJoint loop(joint);
      std::array<LoopRow, LoopJoint::kMostRows> now, before, after;
      const Vector3 point = loop.CalcRows(parent.start, child.start, now.data());
      loop.CalcRows(parent.At(-kStep), child.At(-kStep), before.data());
      loop.CalcRows(parent.At(kStep), child.At(kStep), after.data());
      const Vector3 relative = child.AccelerationOf(point) - parent.AccelerationOf(point);
      for (int i = 0; i < loop.size(); ++i) {
        const auto k = static_cast<std::size_t>(i);
        const LoopRow& row = now[k];
        EXPECT_NEAR((after[k].position - before[k].position) / (2 * kStep), row.velocity, 1e-6)
            << Name(type) << " row " << i;
        const double second =
            Dot(row.force, relative) + Dot(row.moment, child.alpha - parent.alpha) + row.bias;
        EXPECT_NEAR((after[k].velocity - before[k].velocity) / (2 * kStep), second, 3e-6)
            << Name(type) << " row " << i;
        if (!on_ground) {
          EXPECT_GT(std::abs(row.bias), 1e-6) << "a state without a bias cannot see it";
        }
      }
    }
  }
}

TEST(LoopJoint, PowerOfMultipliersIsTheirProductWithTheRatesOfTheRows) {
  RandomNumbers random(3);
  for (JointType type : kLoopTypes) {
    Joint joint;
    joint.type = type;
    joint.parent_frame = {random.Vector(1), random.Rotation()};
    joint.child_frame = {random.Vector(1), random.Rotation()};
    const BodyState p = RandomState(random), c = RandomState(random);
    std::array<LoopRow, LoopJoint::kMostRows> rows;
    const LoopJoint loop(joint);
    const Vector3 point = loop.CalcRows(p, c, rows.data());
    const auto velocity = [&point](const BodyState& b) {
      return b.velocity + Cross(b.angular_velocity, point - b.position);
    };
    for (int i = 0; i < loop.size(); ++i) {
      const LoopRow& row = rows[static_cast<std::size_t>(i)];
      EXPECT_NEAR(Dot(row.force, velocity(c) - velocity(p)) +
                      Dot(row.moment, c.angular_velocity - p.angular_velocity),
                  row.velocity, 1e-13)
          << Name(type) << " row " << i;
    }
  }
}

}  // namespace
}  // namespace mbsbench
