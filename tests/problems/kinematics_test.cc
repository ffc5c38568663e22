// The model's own kinematics, energy and constraint rows, compared with their definitions.
#include "problems/model/kinematics.h"

#include <gtest/gtest.h>

#include <random>

#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "problems/model/constraint_accelerations.h"
#include "problems/model/error.h"

namespace mbsbench {
namespace {

Quaternion RandomQuaternion(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Normalised({normal(random), normal(random), normal(random), normal(random)});
}
Vector3 RandomVector(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return {normal(random), normal(random), normal(random)};
}

// A chain with every tree joint once, all frames turned and shifted.
System EveryJoint(std::mt19937& random) {
  System system;
  int parent = kGround;
  for (JointType type :
       {JointType::kFree, JointType::kRevolute, JointType::kPrismatic, JointType::kFixed,
        JointType::kBall, JointType::kUniversal, JointType::kCylindrical, JointType::kPlanar}) {
    Body body;
    body.name = std::string(Name(type)) + " body";
    body.mass = 1.5;
    body.inertia = Diagonal(0.4, 0.5, 0.6);
    system.bodies.push_back(body);
    Joint joint;
    joint.name = std::string(Name(type));
    joint.type = type;
    joint.parent = parent;
    joint.child = parent + 1;
    joint.parent_frame = {RandomVector(random), RandomQuaternion(random)};
    joint.child_frame = {RandomVector(random), RandomQuaternion(random)};
    system.joints.push_back(joint);
    parent = joint.child;
  }
  return system;
}

JointState RandomJointState(const System& system, std::mt19937& random) {
  std::normal_distribution<double> normal(0, 0.7);
  JointState state;
  for (const Joint& joint : system.joints) {
    const bool has_quaternion = joint.type == JointType::kBall || joint.type == JointType::kFree;
    for (int k = 0; k < CoordinateCount(joint.type) - (has_quaternion ? 4 : 0); ++k)
      state.q.push_back(normal(random));
    if (has_quaternion) {
      const Quaternion q = RandomQuaternion(random);
      state.q.insert(state.q.end(), {q.w, q.x, q.y, q.z});
    }
    for (int k = 0; k < RateCount(joint.type); ++k) state.u.push_back(normal(random));
  }
  return state;
}

// The state a short time later when all joint rates stay constant.
JointState Later(const System& system, const JointState& s, double dt) {
  JointState later = s;
  const JointOffsets at = OffsetsOf(system);
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    double* q = later.q.data() + at.q[j];
    const double* u = s.u.data() + at.u[j];
    const auto turn = [dt](double* p, const double* omega) {
      const Vector3 w{omega[0], omega[1], omega[2]};
      const Quaternion r =
          Quaternion{p[0], p[1], p[2], p[3]} * AxisAngle((1 / Norm(w)) * w, Norm(w) * dt);
      p[0] = r.w, p[1] = r.x, p[2] = r.y, p[3] = r.z;
    };
    switch (system.joints[j].type) {
      case JointType::kBall: turn(q, u); break;
      case JointType::kFree:
        for (int i = 0; i < 3; ++i) q[i] += dt * u[i];
        turn(q + 3, u + 3);
        break;
      case JointType::kRevolute:
      case JointType::kPrismatic: q[0] += dt * u[0]; break;
      case JointType::kUniversal:
      case JointType::kCylindrical: q[0] += dt * u[0], q[1] += dt * u[1]; break;
      case JointType::kPlanar: q[0] += dt * u[0], q[1] += dt * u[1], q[2] += dt * u[2]; break;
      case JointType::kFixed:
      case JointType::kDistance: break;
    }
  }
  return later;
}

TEST(ForwardKinematics, VelocitiesAreTheRatesOfPositions) {
  std::mt19937 random(1);
  for (int trial = 0; trial < 20; ++trial) {
    const System system = EveryJoint(random);
    const JointState state = RandomJointState(system, random);
    const double dt = 1e-5;
    const auto now = ForwardKinematics(system, state);
    const auto before = ForwardKinematics(system, Later(system, state, -dt));
    const auto after = ForwardKinematics(system, Later(system, state, dt));
    for (std::size_t b = 0; b < now.size(); ++b) {
      const Vector3 v = (1 / (2 * dt)) * (after[b].position - before[b].position);
      EXPECT_LT(Norm(v - now[b].velocity), 1e-7 * (1 + Norm(v))) << system.bodies[b].name;
      const Quaternion turn = after[b].orientation * Conjugate(before[b].orientation);
      const Vector3 omega = (turn.w < 0 ? -1 : 1) / dt * Vector3{turn.x, turn.y, turn.z};
      EXPECT_LT(Norm(omega - now[b].angular_velocity), 1e-7 * (1 + Norm(omega)))
          << system.bodies[b].name;
    }
  }
}

// By the definitions in system.h, written out: the child's frame in the parent's.
TEST(ForwardKinematics, PlacesTheChildrenOfJointsWithSeveralAxesByTheirDefinitions) {
  const double a = 0.7, b = -1.9, x = 0.3, y = -0.4;
  struct Case {
    JointType type;
    std::vector<double> q;
    Vector3 origin, along_x, along_z;  // of the child's frame
  };
  const Case cases[] = {
      {JointType::kUniversal,
       {a, b},
       {},
       {std::cos(a), std::sin(a), 0},
       {std::sin(a) * std::sin(b), -std::cos(a) * std::sin(b), std::cos(b)}},
      {JointType::kCylindrical, {x, a}, {0, 0, x}, {std::cos(a), std::sin(a), 0}, {0, 0, 1}},
      {JointType::kPlanar, {x, y, a}, {x, y, 0}, {std::cos(a), std::sin(a), 0}, {0, 0, 1}}};
  for (const Case& c : cases) {
    System system;
    system.bodies.resize(1);
    Joint joint;
    joint.type = c.type;
    system.joints = {joint};
    const std::vector<double> u(static_cast<std::size_t>(RateCount(c.type)), 0);
    const BodyState body = ForwardKinematics(system, {c.q, u})[0];
    EXPECT_LT(Norm(body.position - c.origin), 1e-15) << Name(c.type);
    EXPECT_LT(Norm(Rotate(body.orientation, {1, 0, 0}) - c.along_x), 1e-15) << Name(c.type);
    EXPECT_LT(Norm(Rotate(body.orientation, {0, 0, 1}) - c.along_z), 1e-15) << Name(c.type);
    const JointState back = JointStateOf(system, {body});
    for (std::size_t k = 0; k < c.q.size(); ++k) EXPECT_NEAR(back.q[k], c.q[k], 1e-14);
  }
}

TEST(ForwardKinematics, SatisfiesEveryConstraintAndIsInvertedByJointStateOf) {
  std::mt19937 random(2);
  for (int trial = 0; trial < 20; ++trial) {
    const System system = EveryJoint(random);
    const JointState state = RandomJointState(system, random);
    const auto bodies = ForwardKinematics(system, state);
    const ConstraintResidual residual = ConstraintResiduals(system, bodies, 1, 1);
    EXPECT_LT(residual.position, 1e-14);
    EXPECT_LT(residual.velocity, 1e-13);
    const auto again = ForwardKinematics(system, JointStateOf(system, bodies));
    for (std::size_t b = 0; b < bodies.size(); ++b) {
      EXPECT_LT(Norm(again[b].position - bodies[b].position), 1e-13);
      EXPECT_LT(AngleBetween(again[b].orientation, bodies[b].orientation), 1e-14);
      EXPECT_LT(Norm(again[b].velocity - bodies[b].velocity), 1e-12);
      EXPECT_LT(Norm(again[b].angular_velocity - bodies[b].angular_velocity), 1e-13);
    }
  }
}

TEST(ConstraintRows, VelocityRowsAreTheRatesOfPositionRowsNearClosure) {
  std::mt19937 random(3);
  for (JointType type :
       {JointType::kBall, JointType::kRevolute, JointType::kPrismatic, JointType::kFixed,
        JointType::kDistance, JointType::kUniversal, JointType::kCylindrical, JointType::kPlanar}) {
    System system = EveryJoint(random);
    Joint joint = system.joints[1];
    joint.type = type;
    joint.length = 1;
    joint.parent = 0;
    joint.child = 4;
    const JointState state = RandomJointState(system, random);
    // Choose the child's frame such that the joint is closed in this state.
    const auto bodies = ForwardKinematics(system, state);
    const BodyState &p = bodies[0], &c = bodies[4];
    const Vector3 origin = p.position + Rotate(p.orientation, joint.parent_frame.position);
    joint.child_frame.orientation =
        Conjugate(c.orientation) * p.orientation * joint.parent_frame.orientation;
    joint.child_frame.position = Rotate(Conjugate(c.orientation), origin - c.position);
    if (type == JointType::kDistance)
      joint.child_frame.position = joint.child_frame.position + Vector3{0, 0, 1};
    const double dt = 1e-6;
    ConstraintRows now, before, after;
    AppendConstraintRows(joint, bodies, now);
    AppendConstraintRows(joint, ForwardKinematics(system, Later(system, state, -dt)), before);
    AppendConstraintRows(joint, ForwardKinematics(system, Later(system, state, dt)), after);
    ASSERT_EQ(now.position.size(), static_cast<std::size_t>(ConstraintCount(type)));
    for (std::size_t i = 0; i < now.position.size(); ++i) {
      EXPECT_NEAR(now.position[i], 0, 1e-13);
      EXPECT_NEAR((after.position[i] - before.position[i]) / (2 * dt), now.velocity[i], 1e-7)
          << Name(type) << " row " << i;
    }
  }
}

// Accelerations along a motion keep each joint; a further one of its child is seen by the rows that forbid it, and by no others.
TEST(ConstraintAccelerations, OfAMotionVanishAndAFurtherOneIsSeenWhereTheJointForbidsIt) {
  constexpr double kLength = 2, kTime = 0.5, kPart = kTime * kTime / kLength, kStep = 1e-5;
  std::mt19937 random(6);
  const System all = EveryJoint(random);
  const JointState state = RandomJointState(all, random);
  const std::vector<BodyState> bodies = ForwardKinematics(all, state),
                               before = ForwardKinematics(all, Later(all, state, -kStep)),
                               after = ForwardKinematics(all, Later(all, state, kStep));
  Accelerations along;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    along.linear.push_back(1 / (2 * kStep) * (after[b].velocity - before[b].velocity));
    along.angular.push_back(1 / (2 * kStep) *
                            (after[b].angular_velocity - before[b].angular_velocity));
  }
  for (const Joint& joint : all.joints) {
    System one = all;
    one.joints = {joint};
    const auto residual = [&](const Accelerations& of) {
      return AccelerationResidual(one, bodies, of, kLength, kTime);
    };
    EXPECT_LT(residual(along), 1e-7) << joint.name;
    const auto child = static_cast<std::size_t>(joint.child);
    const Quaternion to_ground =
        (joint.parent == kGround ? Quaternion{}
                                 : bodies[static_cast<std::size_t>(joint.parent)].orientation) *
        joint.parent_frame.orientation;
    const Vector3 further{0.3, 0.4, 0.5};  // in axes of P
    Accelerations moved = along, turned = along;
    moved.linear[child] = moved.linear[child] + Rotate(to_ground, further);
    const Vector3 turn = Rotate(to_ground, further),
                  arm = Rotate(bodies[child].orientation, joint.child_frame.position);
    turned.angular[child] = turned.angular[child] + turn;
    turned.linear[child] = turned.linear[child] - Cross(turn, arm);  // its joint frame stays
    const Quaternion of_child =
        Conjugate(to_ground) * bodies[child].orientation * joint.child_frame.orientation;
    const Vector3 x = Rotate(of_child, {1, 0, 0});
    const auto [of_move, of_turn] = [&]() -> std::pair<double, double> {
      switch (joint.type) {
        case JointType::kFree: return {0, 0};
        case JointType::kBall: return {0.5, 0};
        case JointType::kFixed: return {0.5, 0.5};
        case JointType::kRevolute: return {0.5, 0.4};
        case JointType::kPrismatic: return {0.4, 0.5};
        case JointType::kCylindrical: return {0.4, 0.4};
        case JointType::kPlanar: return {0.5, 0.4};
        case JointType::kUniversal: return {0.5, std::abs(0.3 * x.y - 0.4 * x.x)};
        case JointType::kDistance: break;
      }
      return {-1, -1};
    }();
    EXPECT_NEAR(residual(moved), of_move * kPart, 1e-7) << joint.name;
    EXPECT_NEAR(residual(turned), of_turn * kTime * kTime, 1e-7) << joint.name;
  }
  System rod = all;
  rod.joints.clear();
  rod.loop_joints = {all.joints.front()};
  rod.loop_joints[0].type = JointType::kDistance;
  rod.loop_joints[0].parent = 1, rod.loop_joints[0].child = 4;
  const auto rate = [&](const std::vector<BodyState>& at) {
    ConstraintRows rows;
    AppendConstraintRows(rod.loop_joints[0], at, rows);
    return rows.velocity[0];
  };
  EXPECT_NEAR(AccelerationResidual(rod, bodies, along, kLength, kTime),
              kPart * std::abs(rate(after) - rate(before)) / (2 * kStep), 1e-7);
}

TEST(Energy, OfBranch4AtTheStartIsItsPotential) {
  const Problem p = MakeProblem("branch4");
  const Assembly a = Assemble(p.system, p.initial, p.length);
  // Rods 1 and 5 hang with their centres 0.5 m below the crossbar, rod 3 at 1.5 m.
  EXPECT_NEAR(EnergyOf(p.system, a.state.bodies).total(), -9.81 * (0.5 + 0.5 + 1.5), 1e-14);
}

// The cross of a universal joint lets the child turn about the parent's z and about its own x, and
// nothing else: with those two turns alone all rows vanish, and a third turn moves the last by sin.
TEST(ConstraintRows, OfAUniversalJointLeaveTwoRotationsFree) {
  std::mt19937 random(9);
  for (int trial = 0; trial < 10; ++trial) {
    Joint joint;
    joint.name = "cross";
    joint.type = JointType::kUniversal;
    joint.parent = 0;
    joint.child = 1;
    joint.parent_frame = {RandomVector(random), RandomQuaternion(random)};
    joint.child_frame = {RandomVector(random), RandomQuaternion(random)};
    std::vector<BodyState> bodies(2);
    bodies[0] = {RandomVector(random), RandomQuaternion(random), RandomVector(random),
                 RandomVector(random)};
    const double third = trial % 2 == 0 ? 0 : 0.3;  // a turn about the axis across both arms
    const Quaternion p = bodies[0].orientation * joint.parent_frame.orientation;
    const Quaternion c = p * AxisAngle({0, 0, 1}, 0.4 + trial) * AxisAngle({0, 1, 0}, -third) *
                         AxisAngle({1, 0, 0}, 1.1 * trial);
    bodies[1].orientation = c * Conjugate(joint.child_frame.orientation);
    const Vector3 spin = 0.7 * Rotate(p, {0, 0, 1}) - 1.3 * Rotate(c, {1, 0, 0});
    bodies[1].angular_velocity = bodies[0].angular_velocity + spin;
    const Vector3 arm_p = Rotate(bodies[0].orientation, joint.parent_frame.position);
    const Vector3 arm_c = Rotate(bodies[1].orientation, joint.child_frame.position);
    bodies[1].position = bodies[0].position + arm_p - arm_c;
    bodies[1].velocity = bodies[0].velocity + Cross(bodies[0].angular_velocity, arm_p) -
                         Cross(bodies[1].angular_velocity, arm_c);
    ConstraintRows rows;
    AppendConstraintRows(joint, bodies, rows);
    ASSERT_EQ(rows.position.size(), 4u);
    EXPECT_EQ(rows.is_length, (std::vector<bool>{true, true, true, false}));
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(rows.position[i], 0, 1e-14);
    for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(rows.velocity[i], 0, 1e-13) << i;
    EXPECT_NEAR(rows.position[3], std::sin(third), 1e-14);
    // A rotation about the third axis gives the full rate of the row.
    const Vector3 across = Cross(Rotate(c, {1, 0, 0}), Rotate(p, {0, 0, 1}));
    bodies[1].angular_velocity = bodies[0].angular_velocity + across;
    ConstraintRows turning;
    AppendConstraintRows(joint, bodies, turning);
    EXPECT_NEAR(turning.velocity[3], std::cos(third) * std::cos(third), 1e-14);
  }
}

TEST(Energy, PotentialRateEqualsThePowerAgainstGravitySpringAndTyre) {
  std::mt19937 random(4);
  System system = EveryJoint(random);
  system.forces.Of<SpringDamper>().push_back(
      {"spring", kGround, 3, {0.1, 0.2, 0.3}, {0.3, 0.1, 0}, 120, 0, 0.4});
  system.forces.Of<GroundSpring>().push_back(
      {"tyre", 4, {0.1, 0.2, 0.3}, {0.6, 0, 0.8}, 70, 0, 0.1});
  const JointState state = RandomJointState(system, random);
  const double dt = 1e-6;
  const auto bodies = ForwardKinematics(system, state);
  // The position and the velocity of a point that is fixed to a body.
  const auto position = [&](std::size_t b, const Vector3& point) {
    return bodies[b].position + Rotate(bodies[b].orientation, point);
  };
  const auto velocity = [&](std::size_t b, const Vector3& point) {
    return bodies[b].velocity +
           Cross(bodies[b].angular_velocity, Rotate(bodies[b].orientation, point));
  };
  double gravity = 0;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    gravity -= system.bodies[b].mass * Dot(system.gravity, bodies[b].velocity);
  }
  const Vector3 line = position(3, {0.3, 0.1, 0}) - Vector3{0.1, 0.2, 0.3};
  const double length = Norm(line);
  const double spring = 120 * (length - 0.4) * Dot(line, velocity(3, {0.3, 0.1, 0})) / length;
  const Vector3 contact{0.1, 0.2, 0.3}, up{0.6, 0, 0.8};
  const double tyre = 70 * (Dot(up, position(4, contact)) - 0.1) * Dot(up, velocity(4, contact));
  const auto potential = [&](const System& of, double t) {
    return EnergyOf(of, ForwardKinematics(system, Later(system, state, t))).potential;
  };
  const auto expect_rate = [&](const System& of, double power, const char* what) {
    ASSERT_GT(std::abs(power), 0.1) << what << ": it must be seen";
    EXPECT_NEAR((potential(of, dt) - potential(of, -dt)) / (2 * dt), power,
                1e-6 * std::abs(power) + 1e-5)
        << what;
  };
  System only = system;
  only.forces.Of<SpringDamper>().clear();
  only.forces.Of<GroundSpring>().clear();
  expect_rate(only, gravity, "gravity");
  only = system;
  only.gravity = {};
  only.forces.Of<GroundSpring>().clear();
  expect_rate(only, spring, "spring");
  only = system;
  only.gravity = {};
  only.forces.Of<SpringDamper>().clear();
  expect_rate(only, tyre, "tyre");
  expect_rate(system, gravity + spring + tyre, "all");
}

TEST(Energy, OfASpringInAJointCountsFromItsFreeCoordinate) {
  System system;
  system.gravity = {};
  const Body wheel{"wheel", 1, Diagonal(1, 1, 1), false, {}};
  Body block = wheel;
  block.name = "block";
  system.bodies = {wheel, block};
  Joint pin;
  pin.name = "pin";
  pin.type = JointType::kRevolute;
  pin.child_frame.position = {0.3, 0.2, 0};
  Joint slide = pin;
  slide.name = "slide";
  slide.type = JointType::kPrismatic;
  slide.parent = 0;
  slide.child = 1;
  system.joints = {pin, slide};
  const auto bodies = ForwardKinematics(system, {{0.7, -1.5}, {2, 3}});
  system.forces.Of<JointSpringDamper>() = {{"torsion", 0, 30, 5, 0.2}};
  EXPECT_NEAR(EnergyOf(system, bodies).potential, 15 * 0.5 * 0.5, 1e-13);
  system.forces.Of<JointSpringDamper>() = {{"coil", 1, 40, 5, 0.5}};
  EXPECT_NEAR(EnergyOf(system, bodies).potential, 20 * 2 * 2, 1e-13);
}

// Turned a quarter about z, the body turns at (1, 2, 3) in inertial and (2, -1, 3) in its own axes, in
// which J w = (4, -3, 12.4); in inertial axes that is (3, 4, 12.4).
TEST(Energy, AndMomentumIncludeProductsOfInertiaInBodyAxes) {
  System system;
  system.gravity = {};
  system.bodies.push_back({"body", 2, SymmetricMatrix3{{2, 0.3, 0.1, 3, -0.2, 4}}, false, {}});
  std::vector<BodyState> bodies(1);
  bodies[0].position = {1, 0, 0};
  bodies[0].orientation = AxisAngle({0, 0, 1}, M_PI / 2);
  bodies[0].velocity = {0, 5, 0};
  bodies[0].angular_velocity = {1, 2, 3};
  EXPECT_NEAR(EnergyOf(system, bodies).kinetic, 0.5 * (8 + 3 + 37.2) + 25, 1e-13);
  const Momentum momentum = MomentumOf(system, bodies);
  EXPECT_LT(Norm(momentum.linear - Vector3{0, 10, 0}), 1e-14);
  EXPECT_LT(Norm(momentum.angular - Vector3{3, 4, 12.4 + 10}), 1e-13);
}

TEST(Energy, OfAGroundSpringUsesTheComponentAlongItsDirection) {
  System system;
  system.bodies.push_back({"block", 1, Diagonal(1, 1, 1), false, {}});
  system.gravity = {};
  system.forces.Of<GroundSpring>().push_back({"tyre", 0, {0, 1, 0}, {0.6, 0.8, 0}, 50, 3, 0.5});
  std::vector<BodyState> bodies(1);
  bodies[0].position = {3, 4, 7};
  bodies[0].orientation = AxisAngle({0, 0, 1}, M_PI / 2);  // the point is at (2, 4, 7)
  EXPECT_NEAR(EnergyOf(system, bodies).potential, 25 * (1.2 + 3.2 - 0.5) * (1.2 + 3.2 - 0.5),
              1e-12);
}

}  // namespace
}  // namespace mbsbench
