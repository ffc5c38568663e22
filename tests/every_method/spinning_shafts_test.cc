// Shafts that spin and slides that move without gravity, and one Hooke joint between two shafts: where no force acts, constraints
// that depend on each other differ by round-off of the centripetal accelerations.
#include <gtest/gtest.h>

#include <cmath>
#include <string>

#include "harness/integrate/integrate.h"
#include "harness/runner/cells/method_choice.h"
#include "harness/support/support.h"
#include "methods/all_methods.h"
#include "problems/model/assembly.h"
#include "problems/model/problem.h"

namespace mbsbench {
namespace {

const Frame kCross{{}, {0.7071067811865476, -0.7071067811865475, 0, 0}};

Joint JointBetween(const char* name, JointType type, int parent, const Frame& on_parent, int child,
                   const Frame& on_child) {
  return {name, type, parent, child, on_parent, on_child};
}

struct Shafts {
  System system;
  InitialCondition initial;
  SystemState State() const { return Assemble(system, initial, 1).state; }
};

// One shaft in two bearings on a tilted axis, its mass centre beside it.
Shafts Rotor(double eccentricity, double rate) {
  const Quaternion tilt = AxisAngle({0.6, 0, 0.8}, 0.7);
  Shafts r;
  r.system.bodies = {{"shaft", 3, Diagonal(0.02, 0.02, 0.01), false, {}}};
  r.system.joints = {JointBetween("left", JointType::kRevolute, kGround, {{0.1, 0.2, 0.3}, tilt}, 0,
                                  {{eccentricity, 0, -0.4}, {}})};
  r.system.loop_joints = {JointBetween("right", JointType::kRevolute, kGround,
                                       {Vector3{0.1, 0.2, 0.3} + Rotate(tilt, {0, 0, 0.8}), tilt},
                                       0, {{eccentricity, 0, 0.4}, {}})};
  r.system.gravity = {};
  r.initial.joints = {{0.3}, {rate}};
  return r;
}

// Two parallel shafts, joined by an intermediate one with a Hooke joint at each end: the speeds of both are equal.
Shafts CardanShaft() {
  Shafts r;
  r.system.bodies = {{"in", 1, Diagonal(0.02, 0.02, 0.01), false, {}},
                     {"out", 1.5, Diagonal(0.02, 0.02, 0.015), false, {}},
                     {"middle", 0.4, Diagonal(0.012, 0.012, 0.001), false, {}}};
  const JointType hooke = JointType::kUniversal;
  r.system.joints = {
      JointBetween("bin", JointType::kRevolute, kGround, {}, 0, {}),
      JointBetween("bout", JointType::kRevolute, kGround,
                   {{0.6 * std::sin(0.5), 0, 0.6 * std::cos(0.5)}, {}}, 1, {}),
      JointBetween("first", hooke, 0, kCross, 2, {{0, 0, -0.3}, kCross.orientation})};
  r.system.loop_joints = {
      JointBetween("second", hooke, 1, kCross, 2, {{0, 0, 0.3}, kCross.orientation})};
  r.system.gravity = {};
  r.initial = {{{0, 0, 0.5, 0}, {4, 4, 0, 0}}, {1, 2}};
  return r;
}

// A wedge on a rail pushes a block along another rail: three slides in one plane, bodies in axes of their own.
Shafts Wedge(double rate) {
  const Quaternion plane = AxisAngle({0.6, 0, 0.8}, 0.7);
  const Quaternion wedge = AxisAngle({0.48, 0.6, 0.64}, 1.1), block = AxisAngle({0, 0.8, 0.6}, 2.3);
  const auto along = [&plane](double angle) { return plane * AxisAngle({0, 1, 0}, angle); };
  const auto on = [](const Quaternion& body, const Vector3& point, const Quaternion& axes) {
    return Frame{point, Conjugate(body) * axes};
  };
  const Vector3 start{0.1, 0.2, 0.05}, pushes{0.13, 0.15, 0.003}, pushed{-0.05, -0.06, 0.07},
      guided{0.02, 0.03, -0.03};
  const Vector3 centre = start + Rotate(wedge, pushes) - Rotate(block, pushed);
  const Quaternion rail = along(1.5), slope = along(0.7), guide = along(-0.1);
  const JointType slide = JointType::kPrismatic;
  Shafts r;
  r.system.bodies = {{"wedge", 2, Diagonal(0.1, 0.12, 0.15), false, {}},
                     {"block", 1.5, Diagonal(0.05, 0.06, 0.07), false, {}}};
  r.system.joints = {
      JointBetween("rail", slide, kGround, {start, rail}, 0, on(wedge, {}, rail)),
      JointBetween("slope", slide, 0, on(wedge, pushes, slope), 1, on(block, pushed, slope))};
  r.system.loop_joints = {JointBetween("guide", slide, kGround,
                                       {centre + Rotate(block, guided), guide}, 1,
                                       on(block, guided, guide))};
  r.system.gravity = {};
  r.initial = {{{0, 0}, {rate, 0}}, {1}};
  return r;
}

// Calls use(spec, formulation, state, y) for every method that takes the system.
template <class Use>
void ForMethodsOf(const Shafts& shafts, const Use& use) {
  const SystemState state = shafts.State();
  for (const MethodEntry& entry : AllMethods()) {
    for (const MethodChoice& choice : VariantsOf(entry)) {
      if (!VerdictOf(entry, shafts.system, choice.options).supported) continue;
      SCOPED_TRACE(choice.spec);
      const auto formulation = Prepare(choice, shafts.system);
      use(choice.spec, *formulation, state);
    }
  }
}

// e omega^2 towards the axis.
TEST(EveryMethod, AcceleratesARotorInTwoBearingsWithoutGravity) {
  for (const double rate : {1e-3, 100.}) {
    for (const double eccentricity : {0.01, 0.}) {
      int methods = 0;
      ForMethodsOf(Rotor(eccentricity, rate), [&](const std::string&, Formulation& formulation,
                                                  const SystemState& state) {
        std::vector<double> y(formulation.state_size());
        Observation seen;
        ASSERT_TRUE(formulation.Initialise(0, state, y).ok());
        const Status status = formulation.Observe(0, y, Detail::kReactions, seen);
        ASSERT_TRUE(status.ok()) << status.what << ", eccentricity " << eccentricity;
        EXPECT_NEAR(Norm(seen.accelerations[0].acceleration), eccentricity * rate * rate,
                    1e-12 * rate * rate);
        EXPECT_LT(Norm(seen.accelerations[0].angular_acceleration), 1e-11 * rate * rate);
        ++methods;
      });
      EXPECT_GT(methods, 6);
    }
  }
}

void ExpectNoAccelerations(const Shafts& shafts, double tolerance) {
  int methods = 0;
  ForMethodsOf(shafts, [&](const std::string&, Formulation& formulation, const SystemState& state) {
    std::vector<double> y(formulation.state_size());
    Observation seen;
    ASSERT_TRUE(formulation.Initialise(0, state, y).ok());
    const Status status = formulation.Observe(0, y, Detail::kReactions, seen);
    ASSERT_TRUE(status.ok()) << status.what;
    for (const BodyAcceleration& body : seen.accelerations) {
      EXPECT_LT(Norm(body.acceleration), tolerance);
      EXPECT_LT(Norm(body.angular_acceleration), tolerance);
    }
    ++methods;
  });
  EXPECT_GT(methods, 6);
}

TEST(EveryMethod, AcceleratesNothingOfACardanShaftInItsSymmetricPosition) {
  ExpectNoAccelerations(CardanShaft(), 1e-12);
}

TEST(EveryMethod, AcceleratesNothingOfAWedgeAtConstantSpeedWithoutGravity) {
  for (const double rate : {1e-3, 0.4, 100.})
    ExpectNoAccelerations(Wedge(rate), 1e-11 * rate * rate);
}

// tan(out) = tan(in) cos(beta) for an input of 5 rad. The shafts meet in the cross, so that no part of the loop has a length.
TEST(EveryMethod, TurnsAShaftBehindAHookeJointByTheKnownAngle) {
  Shafts r;
  const Frame bearing{{}, AxisAngle({0, 1, 0}, 0.6)};
  r.system.bodies = {{"in", 1, Diagonal(0.02, 0.02, 0.01), false, {}},
                     {"out", 1.5, Diagonal(0.02, 0.02, 0.015), false, {}}};
  r.system.joints = {JointBetween("bin", JointType::kRevolute, kGround, {}, 0, {}),
                     JointBetween("bout", JointType::kRevolute, kGround, bearing, 1, {})};
  r.system.loop_joints = {JointBetween("cross", JointType::kUniversal, 0, kCross, 1, kCross)};
  r.system.drivers = {{"motor", 0, DriverMotion{5}}};
  r.system.gravity = {0.3, -9.81, 0.2};
  r.initial = {{{0, 0}, {5, 5}}, {1}};
  int solutions = 0;
  for (const char* spec : {"articulated-body", "composite-body", "riccati-mstmm",
                           "equivalent-particles", "cartesian-dae:index1"}) {
    const std::vector<MethodEntry> entries = AllMethods();
    const MethodChoice choice = ChooseMethod(spec, entries);
    if (!Supports(choice, r.system, "dopri5").supported) continue;
    const auto formulation = Prepare(choice, r.system);
    double angle = NAN;
    Sampling sampling;
    sampling.times = {0, 1};
    sampling.sink = [&](double t, std::span<const double> y, double) {
      Observation seen;
      ASSERT_TRUE(formulation->Observe(t, y, Detail::kMotion, seen).ok());
      const Quaternion out = Conjugate(bearing.orientation) * seen.bodies[1].orientation;
      angle = 2 * std::atan2(out.z, out.w);
    };
    const IntegrationReport report =
        Integrate(*formulation, r.State(),
                  {.integrator = "dopri5", .end_time = 1, .tolerance = 1e-10}, sampling);
    EXPECT_EQ(report.outcome, IntegrationReport::Outcome::kOk) << spec << ": " << report.reason;
    EXPECT_NEAR(std::remainder(angle - 5.056540970813927, 2 * M_PI), 0, 1e-8) << spec;
    ++solutions;
  }
  EXPECT_GE(solutions, 4);
}

}  // namespace
}  // namespace mbsbench
