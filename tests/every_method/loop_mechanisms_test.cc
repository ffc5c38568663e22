// Mechanisms with loops over time: drift of the three stabilisations, redundant constraints,
// singular positions.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "harness/integrate/integrate.h"
#include "harness/runner/cells/method_choice.h"
#include "methods/all_methods.h"
#include "problems/model/assembly.h"
#include "problems/model/error.h"
#include "problems/model/kinematics.h"
#include "reference/reference.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

const char* const kMethods[] = {"articulated-body", "riccati-mstmm", "classical-mstmm"};

struct Mechanism {
  System system;
  SystemState state;
};

void AddBody(System& system, double length, double mass) {
  Body body;
  body.name = "body_" + std::to_string(system.bodies.size());
  const double transverse = mass * length * length / 12;
  body.mass = mass;
  body.inertia = Diagonal(0.12 * transverse, transverse, transverse);
  system.bodies.push_back(body);
}

Joint MakeJoint(const std::string& name, JointType type, int parent, const Frame& on_parent,
                int child, const Frame& on_child) {
  Joint joint;
  joint.name = name;
  joint.type = type;
  joint.parent = parent;
  joint.child = child;
  joint.parent_frame = on_parent;
  joint.child_frame = on_child;
  return joint;
}

// Crank 0.3 m, coupler 0.8 m, rocker 0.7 m on ground pins 1 m apart; the crank starts along +x with
// 20 rad/s. With four revolutes three constraints are redundant; with a ball and a universal none.
Mechanism FourBar(bool redundant) {
  Mechanism m;
  System& s = m.system;
  for (double length : {0.3, 0.8, 0.7}) AddBody(s, length, length);
  const JointType pin = JointType::kRevolute;
  s.joints = {
      MakeJoint("left", pin, kGround, {}, 0, {{-0.15, 0, 0}, {}}),
      MakeJoint("knee", redundant ? pin : JointType::kBall, 0, {{0.15, 0, 0}, {}}, 1,
                {{-0.4, 0, 0}, {}}),
      MakeJoint("right", pin, kGround, {{1, 0, 0}, {}}, 2, {{-0.35, 0, 0}, {}}),
  };
  // z of the rocker, and the normal of the coupler in the plane.
  const Quaternion y_to_x = AxisAngle({0, 0, 1}, M_PI / 2);
  s.loop_joints = {redundant ? MakeJoint("top", pin, 1, {{0.4, 0, 0}, {}}, 2, {{0.35, 0, 0}, {}})
                             : MakeJoint("top", JointType::kUniversal, 2, {{0.35, 0, 0}, {}}, 1,
                                         {{0.4, 0, 0}, y_to_x})};
  const double coupler = std::acos(0.4 / 0.7), rocker = M_PI - std::acos(1 - 0.32 / 0.49);
  InitialCondition initial;
  initial.dependent_joints = {1, 2};
  if (redundant) {
    initial.joints = {{0, coupler, rocker}, {20, 0, 0}};
  } else {
    initial.joints = {{0, std::cos(coupler / 2), 0, 0, std::sin(coupler / 2), rocker},
                      {20, 0, 0, 0, 0}};
  }
  m.state = Assemble(s, initial, 1).state;
  return m;
}

// Two spatial pendulums of two rods on a swinging beam, tips joined by a ball.
Mechanism SwingWithLoop() {
  Mechanism m;
  System& s = m.system;
  const JointType ball = JointType::kBall;
  AddBody(s, 1, 1);
  AddBody(s, 1, 1);
  for (int i = 0; i < 4; ++i) AddBody(s, 1, 1);
  s.joints = {MakeJoint("ceiling", ball, kGround, {}, 0, {{-0.5, 0, 0}, {}}),
              MakeJoint("beam", ball, 0, {{0.5, 0, 0}, {}}, 1, {{0, 0, 0}, {}}),
              MakeJoint("left", ball, 1, {{-0.5, 0, 0}, {}}, 2, {{-0.5, 0, 0}, {}}),
              MakeJoint("right", ball, 1, {{0.5, 0, 0}, {}}, 3, {{-0.5, 0, 0}, {}}),
              MakeJoint("lower left", ball, 2, {{0.5, 0, 0}, {}}, 4, {{-0.5, 0, 0}, {}}),
              MakeJoint("lower right", ball, 3, {{0.5, 0, 0}, {}}, 5, {{-0.5, 0, 0}, {}})};
  s.loop_joints = {MakeJoint("tips", ball, 4, {{0.5, 0, 0}, {}}, 5, {{0.5, 0, 0}, {}})};
  const auto turn = [](double angle) {
    const Quaternion q = AxisAngle({0, 0, 1}, angle);
    return std::vector<double>{q.w, q.x, q.y, q.z};
  };
  // Rod 0 hangs; the beam is level; upper rods hang; lower rods meet half a metre inwards.
  InitialCondition initial;
  for (double angle : {-M_PI / 2, M_PI / 2, -M_PI / 2, -M_PI / 2, M_PI / 6, -M_PI / 6}) {
    const std::vector<double> q = turn(angle);
    initial.joints.q.insert(initial.joints.q.end(), q.begin(), q.end());
  }
  initial.joints.u = {0.5, 1, 0.2, 0, 0.3, 0, 1, -0.5, 0.5, 0, 0, 0, 0, 0, 0, 0, 0, 0};
  initial.dependent_joints = {4, 5};
  m.state = Assemble(s, initial, 1).state;
  return m;
}

struct Drift {
  double position = 0, velocity = 0, energy = 0;
  std::int64_t projections = 0;
};

Drift DriftOf(const Mechanism& m, const std::string& spec, IntegrationSettings settings) {
  const std::vector<MethodEntry> methods = AllMethods();
  const MethodChoice choice = ChooseMethod(spec, methods);
  const auto formulation = Prepare(choice, m.system);
  Drift drift;
  const double energy = EnergyOf(m.system, m.state.bodies).total();
  Sampling sampling;
  for (int k = 0; k <= 100; ++k) sampling.times.push_back(settings.end_time * k / 100);
  sampling.sink = [&](double t, std::span<const double> y, double) {
    Observation seen;
    ASSERT_TRUE(formulation->Observe(t, y, Detail::kMotion, seen).ok());
    const ConstraintResidual r = ConstraintResiduals(m.system, seen.bodies, 1, 0.3);
    Raise(drift.position, r.position);
    Raise(drift.velocity, r.velocity);
    Raise(drift.energy, std::abs(EnergyOf(m.system, seen.bodies).total() - energy));
  };
  const IntegrationReport report = Integrate(*formulation, m.state, settings, sampling);
  EXPECT_EQ(report.outcome, IntegrationReport::Outcome::kOk) << spec << ": " << report.reason;
  drift.projections = report.counters.projections;
  return drift;
}

void Print(const std::string& what, const Drift& d) {
  std::printf("  %-44s drift %.1e (velocity %.1e), energy %.1e\n", what.c_str(), d.position,
              d.velocity, d.energy);
}

// RK4 at a step with visible errors, by which unenforced constraints drift.
TEST(Stabilisation, ProjectionPreventsDriftBaumgarteBoundsItAndWithoutEitherItGrows) {
  for (const Mechanism& m : {FourBar(false), SwingWithLoop()}) {
    const bool four_bar = m.system.bodies.size() == 3;
    const double step = four_bar ? 0.001 : 0.01;
    for (const std::string method : kMethods) {
      const auto run = [&](const std::string& option, double end) {
        const Drift d =
            DriftOf(m, method + ":" + option, {.integrator = "rk4", .end_time = end, .step = step});
        Print((four_bar ? "fourbar " : "swing ") + method + " " + option + " to " +
                  std::to_string(static_cast<int>(end)) + " s",
              d);
        return d;
      };
      const Drift projected = run("projected", 10);
      EXPECT_LT(projected.position, 1e-9);
      EXPECT_LT(projected.velocity, 1e-9);
      EXPECT_GT(projected.projections, 900);
      const Drift none_early = run("none", 2), none = run("none", 10);
      ASSERT_TRUE(std::isfinite(none.position));
      EXPECT_GT(none.position, 3 * none_early.position) << "drift must grow";
      EXPECT_GT(none.position, 1e-8);
      const Drift early = run("baumgarte", 2), baumgarte = run("baumgarte", 10);
      EXPECT_LT(baumgarte.position, 10 * early.position) << "bounded";
      EXPECT_LT(baumgarte.position, 0.6 * none.position);
      EXPECT_GT(baumgarte.position, 1e-12) << "reduced, not removed";
    }
  }
}

TEST(Stabilisation, ProjectionKeepsTheOrdersOfTheIntegrators) {
  const Mechanism m = FourBar(false);
  for (const std::string method : kMethods) {
    for (const char* integrator : {"dopri5", "fehlberg8", "cvode-bdf"}) {
      const Drift d =
          DriftOf(m, method, {.integrator = integrator, .end_time = 2, .tolerance = 1e-10});
      Print("fourbar " + method + " " + integrator, d);
      EXPECT_LT(d.position, 1e-9) << integrator;
      EXPECT_LT(d.velocity, 1e-9) << integrator;
      EXPECT_LT(d.energy, std::string(integrator) == "cvode-bdf" ? 1e-4 : 1e-6) << integrator;
      EXPECT_GT(d.projections, 20);
    }
    const auto half = [&](double h) {
      return DriftOf(m, method, {.integrator = "rk4", .end_time = 1, .step = h}).energy;
    };
    const double coarse = half(0.004), fine = half(0.002);
    EXPECT_GT(std::log2(coarse / fine), 3.7) << coarse << " " << fine;
  }
}

TEST(Stabilisation, AdamsIsRefusedForProjectedVariants) {
  const Mechanism m = FourBar(false);
  const std::vector<MethodEntry> methods = AllMethods();
  const MethodChoice projected = ChooseMethod("articulated-body", methods);
  EXPECT_FALSE(Supports(projected, m.system, "cvode-adams").supported);
  EXPECT_TRUE(Supports(projected, m.system, "cvode-bdf").supported);
  EXPECT_TRUE(
      Supports(ChooseMethod("articulated-body:none", methods), m.system, "cvode-adams").supported);
  const auto formulation = Prepare(projected, m.system);
  EXPECT_THROW(Integrate(*formulation, m.state,
                         {.integrator = "cvode-adams", .end_time = 1, .tolerance = 1e-6}),
               ModelError);
  System tree = m.system;
  tree.loop_joints.clear();
  EXPECT_TRUE(Supports(projected, tree, "cvode-adams").supported);
  EXPECT_FALSE(Supports(ChooseMethod("articulated-body:none", methods), tree, "rk4").supported);
}

void ExpectAsReference(const Mechanism& m, const std::string& spec, double tolerance) {
  const std::vector<MethodEntry> methods = AllMethods();
  const MethodChoice choice = ChooseMethod(spec, methods);
  const auto formulation = Prepare(choice, m.system);
  std::vector<double> y(formulation->state_size());
  ASSERT_TRUE(formulation->Initialise(0, m.state, y).ok());
  Observation mine;
  const Status status = formulation->Observe(0, y, Detail::kReactions, mine);
  ASSERT_TRUE(status.ok()) << status.what;
  const ReferenceDynamics truth = ReferenceAccelerations(m.system, m.state.joints);
  for (std::size_t b = 0; b < truth.accelerations.size(); ++b) {
    const auto& exact = truth.accelerations[b];
    EXPECT_LT(Norm(mine.accelerations[b].acceleration - exact.acceleration), tolerance) << spec;
    EXPECT_LT(Norm(mine.accelerations[b].angular_acceleration - exact.angular_acceleration),
              tolerance)
        << spec;
  }
  for (std::size_t j = 0; j < truth.reactions.size(); ++j) {
    EXPECT_EQ(mine.reactions[j].unique, truth.reactions[j].unique) << spec << ", joint " << j;
    if (!truth.reactions[j].unique.all()) continue;
    EXPECT_LT(Norm(mine.reactions[j].force - truth.reactions[j].force), tolerance) << spec;
    EXPECT_LT(Norm(mine.reactions[j].torque - truth.reactions[j].torque), tolerance) << spec;
  }
}

TEST(Redundancy, OfAPlanarFourBarKeepsAccelerationsUniqueAndMarksReactions) {
  Mechanism m = FourBar(true);
  for (const std::string method : kMethods) ExpectAsReference(m, method, 1e-9);
  // A pendulum on the rocker and its pin have unique reactions.
  AddBody(m.system, 0.5, 1);
  m.system.joints.push_back(
      MakeJoint("tail", JointType::kBall, 2, {{0, 0.1, 0.2}, {}}, 3, {{-0.25, 0, 0}, {}}));
  for (double q : {std::sqrt(0.5), 0., std::sqrt(0.5), 0.}) m.state.joints.q.push_back(q);
  for (double u : {0.5, 1., -2.}) m.state.joints.u.push_back(u);
  m.state.bodies = ForwardKinematics(m.system, m.state.joints);
  EXPECT_TRUE(ReferenceAccelerations(m.system, m.state.joints).reactions[3].unique.all());
  for (const std::string method : kMethods) ExpectAsReference(m, method, 1e-9);
}

TEST(Redundancy, OfAFourBarWithFourPinsDoesNotDisturbTrajectories) {
  for (const std::string method : kMethods) {
    const Drift pins =
        DriftOf(FourBar(true), method, {.integrator = "dopri5", .end_time = 5, .tolerance = 1e-10});
    Print("four pins " + method, pins);
    EXPECT_LT(pins.position, 1e-9);
    EXPECT_LT(pins.energy, 1e-6);
  }
}

// Bricard's mechanism: six revolutes, one degree of freedom where Gruebler counts none. Five rods
// along the edges of a cube; coordinates and value of P3 at 1 s from the IFToMM library (A04).
TEST(Redundancy, OfBricardsMechanismIsResolvedForClosedAndOpenLoops) {
  Mechanism m;
  System& s = m.system;
  const Vector3 points[] = {{0, 0, 0}, {1, 0, 0}, {1, -1, 0}, {1, -1, 1}, {0, -1, 1}, {0, 0, 1}};
  const Vector3 axes[] = {{0, 1, 0}, {0, 0, 1}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
  const auto z_to = [](const Vector3& axis) {
    return axis.z == 1   ? Quaternion{}
           : axis.y == 1 ? AxisAngle({1, 0, 0}, -M_PI / 2)
                         : AxisAngle({0, 1, 0}, M_PI / 2);
  };
  for (int i = 0; i < 5; ++i) {  // body axes along the cube's
    AddBody(s, 1, 1);
    const Vector3 along = points[i + 1] - points[i];
    const double axial = 1. / 600, transverse = 1.01 / 12;
    s.bodies.back().inertia =
        Diagonal(along.x != 0 ? axial : transverse, along.y != 0 ? axial : transverse,
                 along.z != 0 ? axial : transverse);
    const Quaternion turn = z_to(axes[i]);
    s.joints.push_back(MakeJoint("pin " + std::to_string(i), JointType::kRevolute, i - 1,
                                 {i == 0 ? points[0] : 0.5 * (points[i] - points[i - 1]), turn}, i,
                                 {-0.5 * along, turn}));
  }
  const Quaternion turn = z_to(axes[5]);
  s.loop_joints = {MakeJoint("pin 5", JointType::kRevolute, kGround, {points[5], turn}, 4,
                             {0.5 * (points[5] - points[4]), turn})};
  m.state = Assemble(s, {{std::vector<double>(5), std::vector<double>(5)}, {1, 2, 3, 4}}, 1).state;
  const std::vector<MethodEntry> methods = AllMethods();
  for (const std::string method : kMethods) {
    ExpectAsReference(m, method, 1e-9);
    const MethodChoice choice = ChooseMethod(method, methods);
    const auto formulation = Prepare(choice, s);
    const IntegrationReport report = Integrate(
        *formulation, m.state, {.integrator = "dopri5", .end_time = 1, .tolerance = 1e-10});
    ASSERT_EQ(report.outcome, IntegrationReport::Outcome::kOk) << report.reason;
    Observation seen;
    ASSERT_TRUE(formulation->Observe(1, report.end_state, Detail::kMotion, seen).ok());
    const BodyState& rod = seen.bodies[1];
    const Vector3 p3 = rod.position + Rotate(rod.orientation, {0, -0.5, 0});
    const double error = Norm(p3 - Vector3{0.274481319264, -0.886707938735, -0.462330002688});
    std::printf("  bricard %-18s error of P3 at 1 s %.1e, %lld steps\n", method.c_str(), error,
                static_cast<long long>(report.counters.steps));
    EXPECT_LT(error, 1e-8);
  }
}

// Two parallelograms: twice a turn all rods lie in one line, where the mechanism could change its branch.
// The loops are also redundant. On its branch the mechanism is exactly a pendulum.
TEST(SingularPositions, OfTwoParallelogramsArePassedOnTheSameBranch) {
  Mechanism m;
  System& s = m.system;
  for (int i = 0; i < 5; ++i) AddBody(s, 1, 1);
  const JointType pin = JointType::kRevolute;
  for (int i = 0; i < 3; ++i) {
    s.joints.push_back(MakeJoint("ground " + std::to_string(i), pin, kGround, {{1. * i, 0, 0}, {}},
                                 i, {{-0.5, 0, 0}, {}}));
  }
  for (int i = 0; i < 2; ++i) {
    s.joints.push_back(MakeJoint("top " + std::to_string(i), pin, i, {{0.5, 0, 0}, {}}, 3 + i,
                                 {{-0.5, 0, 0}, {}}));
    s.loop_joints.push_back(MakeJoint("cut " + std::to_string(i), pin, 3 + i, {{0.5, 0, 0}, {}},
                                      i + 1, {{0.5, 0, 0}, {}}));
  }
  const double up = M_PI / 2;
  m.state = Assemble(s, {{{up, up, up, -up, -up}, {-1, -1, -1, 1, 1}}, {1, 2, 3, 4}}, 1).state;
  const std::vector<MethodEntry> methods = AllMethods();
  for (const std::string method : kMethods) {
    const MethodChoice choice = ChooseMethod(method, methods);
    const auto formulation = Prepare(choice, s);
    // With a tighter tolerance a step can end nearer to the singular position, where the
    // direction of the branch is determined to round-off divided by the angle only.
    const auto error_by = [&](const IntegrationSettings& settings) {
      const IntegrationReport report = Integrate(*formulation, m.state, settings);
      EXPECT_EQ(report.outcome, IntegrationReport::Outcome::kOk) << report.reason;
      Observation seen;
      EXPECT_TRUE(formulation->Observe(10, report.end_state, Detail::kMotion, seen).ok());
      const Vector3 b0 = 2 * seen.bodies[0].position;
      const double error = std::hypot(b0.x - 0.32845811154082, b0.y - 0.94451853817860);
      std::printf("  two windows %-18s %s error of B0 at 10 s %.1e\n", method.c_str(),
                  settings.integrator.c_str(), error);
      return error;
    };
    EXPECT_LT(error_by({.integrator = "rk4", .end_time = 10, .step = 0.01}), 1e-5);
    EXPECT_LT(error_by({.integrator = "dopri5", .end_time = 10, .tolerance = 1e-8}), 1e-5);
    EXPECT_LT(error_by({.integrator = "dopri5", .end_time = 10, .tolerance = 1e-11}), 1e-2);
  }
}

TEST(SingularPositions, WithContradictoryLoopsAreReportedWithTheJoint) {
  // A bob on two distance joints that pull in one line, with rates that satisfy only one of them.
  Mechanism m;
  System& s = m.system;
  AddBody(s, 1, 1);
  s.joints = {MakeJoint("free", JointType::kFree, kGround, {}, 0, {})};
  Joint rope = MakeJoint("rope", JointType::kDistance, kGround, {}, 0, {});
  rope.length = 1;
  Joint pole = MakeJoint("pole", JointType::kDistance, kGround, {{3, 0, 0}, {}}, 0, {});
  pole.length = 2;
  s.loop_joints = {rope, pole};
  // At (1, 0, 0) both lie in one line. The bob cannot move across it with a finite speed.
  m.state.joints = {{1, 0, 0, 1, 0, 0, 0}, {0, 2, 0, 0, 0, 0}};
  m.state.bodies = ForwardKinematics(s, m.state.joints);
  const std::vector<MethodEntry> methods = AllMethods();
  for (const std::string method : kMethods) {
    const MethodChoice choice = ChooseMethod(method, methods);
    const auto formulation = Prepare(choice, s);
    std::vector<double> y(formulation->state_size());
    Observation seen;
    Status status = formulation->Initialise(0, m.state, y);
    if (status.ok()) status = formulation->Observe(0, y, Detail::kAccelerations, seen);
    EXPECT_EQ(status.code, Status::Code::kSingular) << method;
    EXPECT_GE(status.joint, 1) << method;
    // At rest both constraints are consistent.
    SystemState at_rest = m.state;
    at_rest.joints.u.assign(6, 0);
    at_rest.bodies = ForwardKinematics(s, at_rest.joints);
    EXPECT_TRUE(formulation->Initialise(0, at_rest, y).ok()) << method;
    EXPECT_TRUE(formulation->Observe(0, y, Detail::kAccelerations, seen).ok()) << method;
    EXPECT_NEAR(seen.accelerations[0].acceleration.y, -9.81, 1e-12) << method;
  }
}

}  // namespace
}  // namespace mbsbench
