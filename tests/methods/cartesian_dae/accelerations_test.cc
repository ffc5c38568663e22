// Accelerations and reactions compared with closed forms, and with the laws that define them for
// random mechanisms.
#include <gtest/gtest.h>

#include <Eigen/Dense>

#include "methods/kinematics/force_elements.h"
#include "methods/kinematics/joint_laws.h"
#include "problems/catalog/catalog.h"
#include "problems/model/eigen.h"
#include "tests/methods/cartesian_dae/formulation_under_test.h"
#include "tests/methods/cartesian_dae/random_system.h"

namespace mbsbench {
namespace {

constexpr double kGravity = 9.81;

Observation ObserveAt(const System& system, const SystemState& state) {
  const auto f = CartesianDae(system);
  std::vector<double> y(f->state_size()), yp(f->state_size());
  EXPECT_TRUE(f->InitialiseDae(0, state, y, yp).ok());
  Observation observation;
  EXPECT_TRUE(f->Observe(0, y, Detail::kReactions, observation).ok());
  return observation;
}

SystemState StateOf(const System& system, const JointState& joints) {
  return {joints, ForwardKinematics(system, joints)};
}

void ExpectNear(const Vector3& a, const Vector3& b, double tolerance, const std::string& what) {
  EXPECT_NEAR(a.x, b.x, tolerance) << what;
  EXPECT_NEAR(a.y, b.y, tolerance) << what;
  EXPECT_NEAR(a.z, b.z, tolerance) << what;
}

System OneBody(const Body& body, const Joint& joint) {
  System system;
  system.bodies = {body};
  system.joints = {joint};
  return system;
}

TEST(Accelerations, MassOnMasslessRodHasTheReactionsOfThePendulum) {
  // phi from straight down: phi'' = -g/l sin(phi), tension m (g cos(phi) + l phi'^2) along the rod.
  const double phi = 0.7, rate = 1.9;
  Body bob;
  bob.name = "bob";
  bob.mass = 3;
  Joint pin;
  pin.name = "pin";
  pin.type = JointType::kRevolute;
  pin.parent_frame.orientation = AxisAngle({0, 0, 1}, -M_PI / 2);
  pin.child_frame.position = {-2, 0, 0};  // l = 2
  const System system = OneBody(bob, pin);
  const Observation o = ObserveAt(system, StateOf(system, {{phi}, {rate}}));
  const double angular = -kGravity / 2 * std::sin(phi);
  const Vector3 outward{std::sin(phi), -std::cos(phi), 0}, forward{std::cos(phi), std::sin(phi), 0};
  ExpectNear(o.accelerations[0].angular_acceleration, {0, 0, angular}, 1e-12, "angular");
  ExpectNear(o.accelerations[0].acceleration, 2 * angular * forward - 2 * rate * rate * outward,
             1e-12, "linear");
  ExpectNear(o.reactions[0].force, -3 * (kGravity * std::cos(phi) + 2 * rate * rate) * outward,
             1e-11, "tension");
  ExpectNear(o.reactions[0].torque, {0, 0, 0}, 1e-12, "torque");
}

TEST(Accelerations, RodOnRevoluteFallsWithThreeHalvesOfGravityAndItsPinCarriesAQuarter) {
  Body rod;
  rod.name = "rod";
  rod.mass = 2;
  rod.inertia = Diagonal(0, 2. / 12, 2. / 12);
  Joint pin;
  pin.name = "pin";
  pin.type = JointType::kRevolute;
  pin.child_frame.position = {-0.5, 0, 0};
  const System system = OneBody(rod, pin);
  const Observation o = ObserveAt(system, StateOf(system, {{0}, {0}}));  // horizontal, at rest
  ExpectNear(o.accelerations[0].angular_acceleration, {0, 0, -1.5 * kGravity}, 1e-12, "angular");
  ExpectNear(o.reactions[0].force, {0, 2 * kGravity / 4, 0}, 1e-12, "pin");
}

TEST(Accelerations, CantileverCarriesWeightAndMomentAboutTheChildsFrame) {
  Body block;
  block.name = "block";
  block.mass = 2;
  block.inertia = Diagonal(1, 1, 1);
  Joint clamp;
  clamp.name = "clamp";
  clamp.type = JointType::kFixed;
  clamp.child_frame.position = {-3, 0, 0};  // the mass centre is 3 m in front of the clamp
  const System system = OneBody(block, clamp);
  const Observation o = ObserveAt(system, StateOf(system, {{}, {}}));
  ExpectNear(o.reactions[0].force, {0, 2 * kGravity, 0}, 1e-12, "force");
  ExpectNear(o.reactions[0].torque, {0, 0, 3 * 2 * kGravity}, 1e-12, "torque");
}

TEST(Accelerations, MassAtConstantDistanceFromAFixedPointIsPulledByWeightAndCentrifugalForce) {
  // Along the outward unit vector e: e.a = -v^2/l, so the pull is m (g.e + v^2/l); across it
  // nothing but gravity acts.
  Body mass;
  mass.name = "mass";
  mass.mass = 2;
  mass.inertia = Diagonal(1, 1, 1);
  Joint free;
  free.name = "free";
  free.type = JointType::kFree;
  System system = OneBody(mass, free);
  Joint thread;
  thread.name = "thread";
  thread.type = JointType::kDistance;
  thread.parent_frame.position = {1, 2, 3};
  thread.length = 1.5;
  system.loop_joints = {thread};
  const Vector3 e{2. / 3, -1. / 3, 2. / 3}, velocity{1, 4, 1};  // perpendicular to e
  const Vector3 at = thread.parent_frame.position + thread.length * e;
  const Observation o =
      ObserveAt(system, StateOf(system, {{at.x, at.y, at.z, 1, 0, 0, 0},
                                         {velocity.x, velocity.y, velocity.z, 3, 2, 1}}));
  const double pull = 2 * (Dot(system.gravity, e) + Dot(velocity, velocity) / thread.length);
  ExpectNear(o.reactions[1].force, -pull * e, 1e-11, "thread");
  ExpectNear(o.reactions[1].torque, {0, 0, 0}, 1e-12, "torque");
  ExpectNear(o.accelerations[0].acceleration, system.gravity - (pull / 2) * e, 1e-11,
             "acceleration");
}

TEST(Accelerations, AUniversalJointEqualsTwoRevolutesWithAMasslessLink) {
  const Quaternion p = AxisAngle({0.6, 0, 0.8}, 0.7), c = AxisAngle({0, 0.8, -0.6}, -1.1);
  const Quaternion x_to_z = AxisAngle({0, 1, 0}, M_PI / 2);  // z of the joint frame is x of the arm
  Body body;
  body.name = "body";
  body.mass = 2;
  body.inertia = Diagonal(0.3, 0.4, 0.6);
  Joint first, second;
  first.name = "first", second.name = "second";
  first.type = second.type = JointType::kRevolute;
  first.parent_frame = {{0.1, 0.2, 0.3}, p};
  second.parent = 0, second.child = 1;
  second.parent_frame = {{}, x_to_z};
  second.child_frame = {{0.5, 0.1, -0.2}, c * x_to_z};
  Body link;
  link.name = "cross";
  System tree = OneBody(link, first);
  tree.bodies.push_back(body);
  tree.joints.push_back(second);
  const SystemState state = StateOf(tree, {{0.8, -0.5}, {1.5, -2}});
  const Observation expected = ObserveAt(tree, state);

  Joint free, cross;
  free.name = "free", cross.name = "universal";
  free.type = JointType::kFree;
  cross.type = JointType::kUniversal;
  cross.parent_frame = first.parent_frame;
  cross.child_frame = {second.child_frame.position, c};
  System loop = OneBody(body, free);
  loop.loop_joints = {cross};
  const Observation actual = ObserveAt(loop, StateOf(loop, JointStateOf(loop, {state.bodies[1]})));
  ExpectNear(actual.accelerations[0].acceleration, expected.accelerations[1].acceleration, 1e-11,
             "linear");
  ExpectNear(actual.accelerations[0].angular_acceleration,
             expected.accelerations[1].angular_acceleration, 1e-11, "angular");
  ExpectNear(actual.reactions[1].force, expected.reactions[1].force, 1e-11, "force");
  ExpectNear(actual.reactions[1].torque, expected.reactions[1].torque, 1e-11, "torque");
}

TEST(Accelerations, FreeBodyObeysEulersEquations) {
  RandomSystem random(3);
  Body body;
  body.name = "body";
  body.mass = 1;
  body.inertia = Diagonal(1, 2, 2.5);
  Joint free;
  free.name = "free";
  free.type = JointType::kFree;
  const System system = OneBody(body, free);
  const SystemState state = random.MakeState(system);
  const Observation o = ObserveAt(system, state);
  const Quaternion q = state.bodies[0].orientation;
  const Vector3 w = Rotate(Conjugate(q), state.bodies[0].angular_velocity);
  const Vector3 expected{(2 - 2.5) * w.y * w.z / 1, (2.5 - 1) * w.z * w.x / 2,
                         (1. - 2) * w.x * w.y / 2.5};
  ExpectNear(Rotate(Conjugate(q), o.accelerations[0].angular_acceleration), expected, 1e-12,
             "Euler");
  ExpectNear(o.accelerations[0].acceleration, {0, -kGravity, 0}, 1e-12, "fall");
}

TEST(Accelerations, BranchOfFourRodsStartsWithTheExactAccelerations) {
  const Problem problem = MakeProblem("branch4");
  const Observation o =
      ObserveAt(problem.system, Assemble(problem.system, problem.initial, problem.length).state);
  for (std::size_t b = 0; b < 3; ++b) {
    ExpectNear(o.accelerations[b].angular_acceleration, {0, 0, 0}, 1e-11, "hanging rod");
  }
  ExpectNear(o.accelerations[3].angular_acceleration, {0, 0, -3 * kGravity / 5}, 1e-11, "body 7");
}

// Rates u and their derivatives move the bodies: accelerations by central differences of the
// model's kinematics along q(t) with q' from u, u(t) = u + u' t.
std::vector<BodyState> Moved(const System& system, const JointState& at,
                             const std::vector<double>& ud, double t) {
  JointState moved = at;
  const JointOffsets offsets = OffsetsOf(system);
  const auto rotate = [&](double* q, const double* u, const double* up) {
    // A rotation vector of second order in t: w t + w' t^2/2; its error is of third order and even
    // terms cancel.
    const Vector3 w{u[0] * t + up[0] * t * t / 2, u[1] * t + up[1] * t * t / 2,
                    u[2] * t + up[2] * t * t / 2};
    const double angle = Norm(w);
    if (angle == 0) return;
    const Quaternion r = Quaternion{q[0], q[1], q[2], q[3]} * AxisAngle((1 / angle) * w, angle);
    q[0] = r.w, q[1] = r.x, q[2] = r.y, q[3] = r.z;
  };
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    double* q = moved.q.data() + offsets.q[j];
    const double* u = at.u.data() + offsets.u[j];
    const double* up = ud.data() + offsets.u[j];
    switch (system.joints[j].type) {
      case JointType::kBall: rotate(q, u, up); break;
      case JointType::kFree:
        for (int i = 0; i < 3; ++i) q[i] += u[i] * t + up[i] * t * t / 2;
        rotate(q + 3, u + 3, up + 3);
        break;
      case JointType::kRevolute:
      case JointType::kPrismatic: q[0] += u[0] * t + up[0] * t * t / 2; break;
      case JointType::kUniversal:
      case JointType::kCylindrical:
      case JointType::kPlanar:
        for (int i = 0; i < RateCount(system.joints[j].type); ++i)
          q[i] += u[i] * t + up[i] * t * t / 2;
        break;
      case JointType::kFixed:
      case JointType::kDistance: break;
    }
  }
  for (std::size_t i = 0; i < moved.u.size(); ++i) moved.u[i] += ud[i] * t;
  return ForwardKinematics(system, moved);
}

Eigen::VectorXd Stacked(const std::vector<Vector3>& linear, const std::vector<Vector3>& angular) {
  Eigen::VectorXd v(6 * linear.size());
  for (std::size_t b = 0; b < linear.size(); ++b) {
    v.segment<3>(6 * static_cast<Eigen::Index>(b)) = ToEigen(linear[b]);
    v.segment<3>(6 * static_cast<Eigen::Index>(b) + 3) = ToEigen(angular[b]);
  }
  return v;
}

Eigen::VectorXd KinematicAccelerations(const System& system, const JointState& at,
                                       const std::vector<double>& ud) {
  constexpr double kStep = 1e-4;
  const auto after = Moved(system, at, ud, kStep), before = Moved(system, at, ud, -kStep);
  std::vector<Vector3> linear, angular;
  for (std::size_t b = 0; b < after.size(); ++b) {
    linear.push_back((0.5 / kStep) * (after[b].velocity - before[b].velocity));
    angular.push_back((0.5 / kStep) * (after[b].angular_velocity - before[b].angular_velocity));
  }
  return Stacked(linear, angular);
}

class RandomTrees : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Seeds, RandomTrees, testing::Values(21u, 22u, 23u, 24u));

TEST_P(RandomTrees, AccelerationsAreConsistentWithJointRates) {
  RandomSystem random(GetParam());
  const System system = random.Tree();
  const SystemState state = random.MakeState(system);
  const Observation o = ObserveAt(system, state);
  std::vector<Vector3> linear, angular;
  for (const BodyAcceleration& a : o.accelerations) {
    linear.push_back(a.acceleration);
    angular.push_back(a.angular_acceleration);
  }
  const auto rates = static_cast<Eigen::Index>(state.joints.u.size());
  const std::vector<double> none(state.joints.u.size(), 0.0);
  const Eigen::VectorXd at_rest = KinematicAccelerations(system, state.joints, none);
  const Eigen::VectorXd target = Stacked(linear, angular) - at_rest;
  // Without velocities accelerations are linear in the rates' derivatives, with the same matrix as
  // velocities in the rates.
  Eigen::MatrixXd partial(at_rest.size(), rates);
  for (Eigen::Index j = 0; j < rates; ++j) {
    JointState unit = state.joints;
    std::fill(unit.u.begin(), unit.u.end(), 0.0);
    unit.u[static_cast<std::size_t>(j)] = 1;
    std::vector<Vector3> v, w;
    for (const BodyState& b : ForwardKinematics(system, unit)) {
      v.push_back(b.velocity);
      w.push_back(b.angular_velocity);
    }
    partial.col(j) = Stacked(v, w);
  }
  const Eigen::VectorXd ud = partial.colPivHouseholderQr().solve(target);
  // Differences of second order with step 1e-4: measured 4e-6 relative at most; a wrong sign of
  // omega^2 gives 1.
  EXPECT_LT((partial * ud - target).norm(), 3e-8 * (1 + target.norm()));
  EXPECT_GT(at_rest.norm(), 1) << "the state is too slow to see velocity terms";
}

TEST_P(RandomTrees, ReactionsBalanceEachBodyAndDoNoWork) {
  RandomSystem random(GetParam());
  const System system = random.Tree();
  const SystemState state = random.MakeState(system);
  const Observation o = ObserveAt(system, state);
  const std::size_t n = system.bodies.size();
  std::vector<Wrench> wrench(n);
  AddForceElements(system, state.bodies, wrench);
  const JointOffsets offsets = OffsetsOf(system);
  const auto axis_of = [&](const Joint& joint) {
    const Quaternion& q = state.bodies[static_cast<std::size_t>(joint.child)].orientation;
    return Rotate(q * joint.child_frame.orientation, {0, 0, 1});
  };
  for (std::size_t j = 0; j < system.joints.size(); ++j) {
    const Joint& joint = system.joints[j];
    const auto child = static_cast<std::size_t>(joint.child);
    Vector3 force = o.reactions[j].force, torque = o.reactions[j].torque;
    // Reactions vanish along free directions.
    const Vector3 axis = axis_of(joint);
    if (joint.type == JointType::kBall) ExpectNear(torque, {0, 0, 0}, 1e-9, joint.name);
    if (joint.type == JointType::kRevolute) {
      EXPECT_NEAR(Dot(torque, axis), 0, 1e-9) << joint.name;
    }
    if (joint.type == JointType::kPrismatic) {
      EXPECT_NEAR(Dot(force, axis), 0, 1e-9) << joint.name;
    }
    if (joint.type == JointType::kFree) ExpectNear(force, {0, 0, 0}, 0, joint.name);
    // Springs of the joint act in addition to the reaction.
    for (const JointLaw& e : JointLawsOf(system)) {
      if (e.joint != static_cast<int>(j)) continue;
      const double f = e.At(0, state.joints.q[static_cast<std::size_t>(offsets.q[j])],
                            state.joints.u[static_cast<std::size_t>(offsets.u[j])]);
      if (joint.type == JointType::kRevolute) torque = torque + f * axis;
      if (joint.type == JointType::kPrismatic) force = force + f * axis;
    }
    const BodyState& c = state.bodies[child];
    const Vector3 arm = Rotate(c.orientation, joint.child_frame.position);
    const Vector3 point = c.position + arm;
    wrench[child].force = wrench[child].force + force;
    wrench[child].moment = wrench[child].moment + torque + Cross(arm, force);
    if (joint.parent == kGround) continue;
    const auto parent = static_cast<std::size_t>(joint.parent);
    wrench[parent].force = wrench[parent].force - force;
    wrench[parent].moment =
        wrench[parent].moment - torque - Cross(point - state.bodies[parent].position, force);
  }
  for (std::size_t b = 0; b < n; ++b) {
    const Body& body = system.bodies[b];
    const Quaternion& q = state.bodies[b].orientation;
    const auto to_body = [&q](const Vector3& v) { return Rotate(Conjugate(q), v); };
    const Vector3 w = to_body(state.bodies[b].angular_velocity);
    const Vector3 moment = body.inertia * to_body(o.accelerations[b].angular_acceleration) +
                           Cross(w, body.inertia * w);
    ExpectNear(body.mass * (o.accelerations[b].acceleration - system.gravity), wrench[b].force,
               1e-9, body.name);
    ExpectNear(Rotate(q, moment), wrench[b].moment, 1e-9, body.name);
  }
}

Status InitialStatus(const System& system, const SystemState& state) {
  const auto f = CartesianDae(system);
  std::vector<double> y(f->state_size()), yp(f->state_size());
  return f->InitialiseDae(0, state, y, yp);
}

TEST(Singularity, NamesTheBallJointAndTheBodyThatHasNoInertiaAboutIt) {
  RandomSystem random(7);
  System system;
  system.bodies = {random.MakeBody("rod"), Body{}};
  system.bodies[1].name = "point";
  system.bodies[1].mass = 1;
  for (int b : {0, 1}) {
    Joint joint;
    joint.name = "ball" + std::to_string(b);
    joint.parent = b - 1;
    joint.child = b;
    joint.child_frame.position = {0, 1, 0};
    system.joints.push_back(joint);
  }
  const Status status = InitialStatus(system, random.MakeState(system));
  EXPECT_EQ(status.code, Status::Code::kSingular);
  EXPECT_EQ(status.body, 1);
  EXPECT_EQ(status.joint, 1);
}

}  // namespace
}  // namespace mbsbench
