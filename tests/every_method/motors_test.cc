// Motors in joints, with every method that takes them, against closed forms.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "harness/integrate/integrate.h"
#include "harness/runner/cells/method_choice.h"
#include "harness/support/support.h"
#include "methods/all_methods.h"
#include "problems/model/kinematics.h"
#include "reference/reference.h"

namespace mbsbench {
namespace {

constexpr double kMotorMass = 1.5, kMotorInertia = 0.2, kMotorArm = 0.4, kMotorG = 9.81;

// A body on one joint to the ground, whose mass centre is `arm` away from the joint.
System BodyWithMotors(JointType type, double arm) {
  System s;
  s.bodies = {
      {"body", kMotorMass, Diagonal(kMotorInertia, kMotorInertia, kMotorInertia), false, {}}};
  s.joints = {{"joint", type, kGround, 0, {}, {{-arm, 0, 0}, {}}}};
  s.gravity = {0, -kMotorG, 0};
  return s;
}

SystemState MotorState(const System& system, std::vector<double> q, std::vector<double> u) {
  const JointState joints{std::move(q), std::move(u)};
  return {joints, ForwardKinematics(system, joints)};
}

using VisitWithMotors = std::function<void(const MethodChoice&, Formulation&)>;

// Calls `visit` for all variants that take the system and returns their number.
int ForMethodsWithMotors(const System& system, const VisitWithMotors& visit) {
  int count = 0;
  for (const MethodEntry& entry : AllMethods()) {
    if (entry.form == Form::kAlgebraic) continue;
    for (const MethodChoice& choice : VariantsOf(entry)) {
      if (!VerdictOf(entry, system, choice.options).supported) continue;
      SCOPED_TRACE(choice.spec);
      const auto formulation = Prepare(choice, GivenSystem(system, {.time = 1}));
      visit(choice, *formulation);
      ++count;
    }
  }
  return count;
}

Observation ObservedWithMotors(Formulation& formulation, double t, const SystemState& state) {
  std::vector<double> y(formulation.state_size());
  Observation there;
  EXPECT_TRUE(formulation.Initialise(t, state, y).ok());
  EXPECT_TRUE(formulation.Observe(t, y, Detail::kReactions, there).ok());
  EXPECT_TRUE(formulation.power());
  return there;
}

double PowerOfMotors(Formulation& formulation, double t, const SystemState& state) {
  std::vector<double> y(formulation.state_size());
  EXPECT_TRUE(formulation.Initialise(t, state, y).ok());
  return formulation.power()->Power(t, y);
}

// (J + m l^2) phi'' = tau - m g l cos phi, with phi from the horizontal.
TEST(EveryMethod, AcceleratesAPendulumUnderAConstantTorque) {
  System s = BodyWithMotors(JointType::kRevolute, kMotorArm);
  s.forces.Of<Motor>() = {{"motor", 0, true, EffortOverTime::Constant(3)}};
  const SystemState state = MotorState(s, {0.7}, {1.2});
  const double exact = (3 - kMotorMass * kMotorG * kMotorArm * std::cos(0.7)) /
                       (kMotorInertia + kMotorMass * kMotorArm * kMotorArm);
  const int methods = ForMethodsWithMotors(s, [&](const MethodChoice&, Formulation& formulation) {
    const Observation seen = ObservedWithMotors(formulation, 0, state);
    EXPECT_NEAR(seen.accelerations[0].angular_acceleration.z, exact, 1e-12);
    EXPECT_NEAR(PowerOfMotors(formulation, 0, state), 3 * 1.2, 1e-12);
    // The torque is no part of the reaction, which is free about the axis.
    EXPECT_NEAR(seen.reactions[0].torque.z, 0, 1e-12);
  });
  EXPECT_GE(methods, 6);
  EXPECT_NEAR(ReferenceAccelerations(s, state.joints).accelerations[0].angular_acceleration.z,
              exact, 1e-14);
}

// In the table z'' = F / m and phi'' = tau / J, halfway between knots; gravity is across the axis.
TEST(EveryMethod, MovesACylindricalJointByAForceAndATorque) {
  System s = BodyWithMotors(JointType::kCylindrical, 0);
  s.forces.Of<Motor>() = {{"push", 0, false, {{}, {{0, 1}, {2, 4}}}},
                          {"turn", 0, true, {{}, {{1, 6}, {3, -2}}}}};
  const SystemState state = MotorState(s, {0.3, 0.5}, {0.2, -0.4});
  for (const auto& [t, force, torque] :
       {std::array{-1., 1., 6.}, {1., 2.5, 6.}, {2., 4., 2.}, {5., 4., -2.}}) {
    const int methods = ForMethodsWithMotors(s, [&](const MethodChoice&, Formulation& formulation) {
      const Observation seen = ObservedWithMotors(formulation, t, state);
      EXPECT_NEAR(seen.accelerations[0].acceleration.z, force / kMotorMass, 1e-12);
      EXPECT_NEAR(seen.accelerations[0].angular_acceleration.z, torque / kMotorInertia, 1e-12);
      EXPECT_LT(Norm(seen.reactions[0].force - Vector3{0, kMotorMass * kMotorG, 0}), 1e-11);
      EXPECT_LT(Norm(seen.reactions[0].torque), 1e-11);
      EXPECT_NEAR(PowerOfMotors(formulation, t, state), 0.2 * force - 0.4 * torque, 1e-12);
    });
    EXPECT_GE(methods, 6);
    const auto truth = ReferenceAccelerations(s, state.joints, t).accelerations[0];
    EXPECT_NEAR(truth.acceleration.z, force / kMotorMass, 1e-14);
    EXPECT_NEAR(truth.angular_acceleration.z, torque / kMotorInertia, 1e-14);
  }
}

// A slider on a turned and inclined rail on a moving body: the truth is the reference's.
TEST(EveryMethod, PushesASliderOnAMovingBodyLikeTheReference) {
  System s = BodyWithMotors(JointType::kRevolute, kMotorArm);
  s.bodies.push_back({"slider", 0.5, Diagonal(0.01, 0.02, 0.03), false, {}});
  s.joints.push_back({"rail",
                      JointType::kPrismatic,
                      0,
                      1,
                      {{0.2, 0.1, 0}, AxisAngle({0, 0.6, 0.8}, 1.3)},
                      {{0, 0.1, 0.05}, {}}});
  DriverMotion wave;
  wave.kind = MotionKind::kHarmonic;
  wave.amplitude = 5;
  wave.angular_frequency = 2;
  s.forces.Of<Motor>() = {{"push", 1, false, {wave, {}}},
                          {"turn", 0, true, EffortOverTime::Constant(-2)}};
  const SystemState state = MotorState(s, {0.4, 0.3}, {-1, 0.6});
  const ReferenceDynamics truth = ReferenceAccelerations(s, state.joints, 0.35);
  const int methods = ForMethodsWithMotors(s, [&](const MethodChoice&, Formulation& formulation) {
    const Observation seen = ObservedWithMotors(formulation, 0.35, state);
    for (std::size_t b = 0; b < 2; ++b) {
      EXPECT_LT(Norm(seen.accelerations[b].acceleration - truth.accelerations[b].acceleration),
                1e-11);
      EXPECT_LT(Norm(seen.reactions[b].force - truth.reactions[b].force), 1e-11);
    }
  });
  EXPECT_GE(methods, 6);
}

// A free rotor: phi'' = tau(t) / J with tau = 2, then falling from 2 at 0.5 s to -4 at 1.25 s, then -4.
double AngleOfRotor(double t) {
  const double s = std::max(0., std::min(t, 1.25) - 0.5), slope = -8, rest = std::max(0., t - 1.25);
  // phi'' J = 2 + slope s on the ramp; the last part starts with the rate at its end.
  const double before = std::min(t, 0.5), rate_then = 2 * before;
  double angle = before * before + rate_then * s + s * s + slope * s * s * s / 6;
  const double rate = rate_then + 2 * s + slope * s * s / 2;
  angle += rate * rest - 2 * rest * rest;
  return angle / kMotorInertia;
}

Problem RotorWithMotor() {
  Problem p;
  p.name = "rotor-with-motor";
  p.system = BodyWithMotors(JointType::kRevolute, 0);
  p.system.gravity = {};
  p.system.forces.Of<Motor>() = {{"motor", 0, true, {{}, {{0.5, 2}, {1.25, -4}}}}};
  p.initial.joints = {{0}, {0}};
  p.end_time = 2;
  p.length = 1;
  p.conservative = false;
  return p;
}

TEST(EveryMethod, FollowsATableAcrossItsKnots) {
  const Problem p = RotorWithMotor();
  const SystemState start = MotorState(p.system, {0}, {0});
  const std::vector<double> breaks = BreakPoints(p.system, p.end_time);
  EXPECT_EQ(breaks, (std::vector<double>{0.5, 1.25}));
  const int methods =
      ForMethodsWithMotors(p.system, [&](const MethodChoice& choice, Formulation& form) {
        if (FormOf(*choice.entry, choice.options) != Form::kOde) return;
        IntegrationSettings settings{
            .integrator = "dopri5", .end_time = p.end_time, .tolerance = 1e-13};
        settings.break_points = breaks;
        Sampling sampling;
        sampling.integrate_power = true;
        const IntegrationReport report = Integrate(form, start, settings, sampling);
        ASSERT_EQ(report.outcome, IntegrationReport::Outcome::kOk) << report.reason;
        Observation seen;
        ASSERT_TRUE(form.Observe(2, report.end_state, Detail::kMotion, seen).ok());
        const double exact = AngleOfRotor(2);
        const Quaternion& q = seen.bodies[0].orientation;
        EXPECT_NEAR(std::remainder(2 * std::atan2(q.z, q.w) - exact, 2 * M_PI), 0, 1e-12);
        // The work of the motor is the kinetic energy.
        const double rate = seen.bodies[0].angular_velocity.z;
        EXPECT_NEAR(report.work, kMotorInertia * rate * rate / 2, 1e-11);
      });
  EXPECT_GE(methods, 6);
}

TEST(Reference, OfAProblemWithAnotherMotorHasAnotherHash) {
  Problem p = RotorWithMotor();
  const std::string one = ParameterHash(p);
  p.system.forces.Of<Motor>()[0].effort.table[1].value = -4.5;
  EXPECT_NE(ParameterHash(p), one);
  p.system.forces.Of<Motor>().clear();
  EXPECT_NE(ParameterHash(p), one);
}

TEST(Reference, FollowsATableOfAMotorAcrossItsKnots) {
  Problem p = RotorWithMotor();
  p.sample_times = {0, 0.25, 0.5, 1, 1.25, 2};
  const Reference reference = SolveUncertified(p);
  for (const ReferenceSample& sample : reference.samples) {
    const Quaternion& q = sample.bodies[0].orientation;
    EXPECT_NEAR(std::remainder(2 * std::atan2(q.z, q.w) - AngleOfRotor(sample.time), 2 * M_PI), 0,
                1e-10)
        << sample.time;
  }
}

}  // namespace
}  // namespace mbsbench
