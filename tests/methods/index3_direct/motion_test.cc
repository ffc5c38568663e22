// The steps compared with motions by a method in joint coordinates, which shares no equation with this one, with scalar methods in
// closed form where a mechanism has one freedom, and with errors of independent prototypes.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "harness/integrate/integrate.h"
#include "methods/articulated_body/articulated_body.h"
#include "methods/index3_direct/index3_direct.h"
#include "problems/catalog/catalog.h"
#include "problems/model/error.h"
#include "problems/model/kinematics.h"
#include "tests/methods/cartesian_dae/random_system.h"
#include "tests/support/stepped_motion.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

constexpr double kTimeOfSlip = 0.3;  // [s]

struct DirectMotion {
  std::vector<BodyState> end;
  // Constraints on positions [m], and on velocities times that time, the largest of all samples.
  double open = 0, slip = 0;
  IntegrationReport report;
};

DirectMotion Moved(Formulation& f, const System& system, const SystemState& state,
                   const IntegrationSettings& settings) {
  DirectMotion motion;
  Sampling sampling;
  for (int k = 0; k <= 4; ++k) sampling.times.push_back(settings.end_time * k / 4);
  sampling.sink = [&](double t, std::span<const double> y, double) {
    Observation o;
    ASSERT_TRUE(f.Observe(t, y, Detail::kMotion, o).ok());
    const ConstraintResidual c = ConstraintResiduals(system, o.bodies, 1, kTimeOfSlip);
    Raise(motion.open, c.position);
    Raise(motion.slip, c.velocity);
    motion.end = o.bodies;
  };
  motion.report = Integrate(f, state, settings, sampling);
  EXPECT_EQ(motion.report.outcome, IntegrationReport::Outcome::kOk) << motion.report.reason;
  return motion;
}

DirectMotion DirectSteps(const System& system, const SystemState& state, double end, double step,
                         const MethodOptions& options = {"hht"}) {
  const auto f = Index3DirectEntry().prepare(system, options);
  IntegrationSettings settings;
  settings.integrator = "own", settings.end_time = end, settings.step = step;
  return Moved(*f, system, state, settings);
}
DirectMotion Controlled(const System& system, const SystemState& state, double end,
                        double tolerance, const MethodOptions& options = {"hht"}) {
  const auto f = Index3DirectEntry().prepare(system, options);
  IntegrationSettings settings;
  settings.integrator = "own", settings.end_time = end, settings.tolerance = tolerance;
  return Moved(*f, system, state, settings);
}
std::vector<BodyState> TrueEnd(const System& system, const SystemState& state, double end) {
  const auto f = ArticulatedBodyEntry().prepare(system, {"projected"});
  IntegrationSettings settings;
  settings.integrator = "fehlberg8", settings.end_time = end, settings.tolerance = 1e-13;
  return Moved(*f, system, state, settings).end;
}

// ---- fixed steps

// Positions and rates at the end over halvings of the step; positions are on their constraints.
void ExpectOrder(const System& system, const SystemState& state, double end, double step,
                 const MethodOptions& options, double order) {
  const std::vector<BodyState> exact = TrueEnd(system, state, end);
  const DirectMotion coarse = DirectSteps(system, state, end, step, options),
                     fine = DirectSteps(system, state, end, step / 2, options);
  ASSERT_EQ(exact.size(), fine.end.size());
  const double error = Apart(fine.end, exact);
  EXPECT_NEAR(std::log2(Apart(coarse.end, exact) / error), order, 0.1) << error;
  EXPECT_LT(fine.open, 1e-11);
}

struct DirectCase {
  const char* problem;
  double end, step;
};
class DirectOrder : public testing::TestWithParam<DirectCase> {};
INSTANTIATE_TEST_SUITE_P(
    Index3Direct, DirectOrder,
    testing::Values(DirectCase{"dpend18", 0.5, 1e-3}, DirectCase{"pendulum", 0.5, 1e-2},
                    DirectCase{"heavytop", 0.2, 5e-4}, DirectCase{"fourbar", 0.5, 1e-3},
                    DirectCase{"kapitza", 0.2, 1e-4}, DirectCase{"bricard", 0.5, 1e-3},
                    DirectCase{"sliders", 0.5, 1e-3}),
    [](const auto& c) { return std::string(c.param.problem); });

TEST_P(DirectOrder, HhtConvergesWithSecondOrderToTheMotionInJointCoordinates) {
  const Problem p = MakeProblem(GetParam().problem);
  ExpectOrder(p.system, StartOf(p), GetParam().end, GetParam().step, {"hht"}, 2);
}

TEST(Index3Direct, TreeOfAllJointsWithSpringsDampersAndLoadsConvergesWithSecondOrder) {
  RandomSystem random(31);
  const System system = random.Tree();
  ExpectOrder(system, random.MakeState(system), 0.2, 1e-3, {"hht"}, 2);
}

// The prototype's errors of the centre at alpha -0.3, and the speeds off the constraints of a second one, which finds the same errors.
TEST(Index3Direct, ErrorsAndSlipOfHhtOnTheHeavyTopAreThoseOfIndependentPrototypes) {
  const Problem p = MakeProblem("heavytop");
  const Vector3 exact{0.605550561376, 0.598957681795, -0.523983027430};
  const double errors[] = {3.80e-4, 9.49e-5, 2.37e-5}, slips[] = {4.299e-3, 1.073e-3, 2.682e-4};
  for (int k = 0; k < 3; ++k) {
    const DirectMotion motion = DirectSteps(p.system, StartOf(p), 0.2, 5e-4 / (1 << k));
    const Vector3 off = motion.end[0].position - exact;
    const double error = std::max({std::abs(off.x), std::abs(off.y), std::abs(off.z)});
    EXPECT_NEAR(error / errors[k], 1, 5e-3) << error;
    EXPECT_NEAR(motion.slip / kTimeOfSlip / slips[k], 1, 5e-3) << motion.slip;
    EXPECT_LT(motion.open, 1e-13);
  }
}

// ---- one freedom

// A body on one joint along or about z, with a spring.
System OnOneSpring(JointType type, double stiffness, double damping) {
  System system;
  Body body;
  body.mass = 2;
  body.inertia = Diagonal(1, 2, 0.5);
  system.bodies = {body};
  Joint joint;
  joint.type = type;
  system.joints = {joint};
  JointSpringDamper spring;
  spring.stiffness = stiffness, spring.damping = damping;
  system.forces.Of<JointSpringDamper>() = {spring};
  system.gravity = {};
  return system;
}
SystemState OnOneSpringAt(const System& system, double x, double v) {
  const JointState joints{{x}, {v}};
  return {joints, ForwardKinematics(system, joints)};
}

// x'' = -stiffness x - damping x', by the scalar HHT method in closed form: (x, x') at the end.
std::array<double, 2> ScalarHht(double stiffness, double damping, std::array<double, 2> at,
                                double alpha, double h, int steps) {
  const double gamma = 0.5 - alpha, beta = std::pow(1 - alpha, 2) / 4;
  const auto force = [&](const std::array<double, 2>& y) {
    return -stiffness * y[0] - damping * y[1];
  };
  double a = force(at);
  for (int n = 0; n < steps; ++n) {
    const std::array<double, 2> known{at[0] + h * at[1] + h * h * (0.5 - beta) * a,
                                      at[1] + h * (1 - gamma) * a};
    a = ((1 + alpha) * force(known) - alpha * force(at)) /
        (1 + (1 + alpha) * (stiffness * h * h * beta + damping * h * gamma));
    at = {known[0] + h * h * beta * a, known[1] + h * gamma * a};
  }
  return at;
}

TEST(Index3Direct, OneFreedomMovesByTheScalarHhtMethodToRoundOff) {
  constexpr double kStiffness = 30, kDamping = 0.7, kStep = 0.05;
  constexpr int kSteps = 40;
  for (const double alpha : {0., -0.1, -0.3, -1. / 3}) {
    for (const bool slides : {true, false}) {
      const System system =
          OnOneSpring(slides ? JointType::kPrismatic : JointType::kRevolute, kStiffness, kDamping);
      const double resists = slides ? 2 : 0.5;
      const auto scalar =
          ScalarHht(kStiffness / resists, kDamping / resists, {0.3, -0.4}, alpha, kStep, kSteps);
      const BodyState end = DirectSteps(system, OnOneSpringAt(system, 0.3, -0.4), kStep * kSteps,
                                        kStep, {"hht", fmt::format("alpha={}", alpha)})
                                .end.front();
      EXPECT_NEAR(slides ? end.position.z : 2 * std::atan2(end.orientation.z, end.orientation.w),
                  scalar[0], 1e-12)
          << alpha;
      EXPECT_NEAR(slides ? end.velocity.z : end.angular_velocity.z, scalar[1], 1e-12);
    }
  }
}

// The spectral radius of the method at infinite frequency is (1 + alpha)/(1 - alpha) (Hilber, Hughes, Taylor 1977): so much remains of
// a vibration much faster than the step after each.
TEST(Index3Direct, HhtDampsFastVibrationsByItsSpectralRadius) {
  constexpr double kStep = 1, kStiffness = 1e6;
  const System system = OnOneSpring(JointType::kPrismatic, 2 * kStiffness, 0);
  for (const double alpha : {0., -0.1, -0.3, -1. / 3}) {
    const auto scalar = [alpha](int steps) {
      return ScalarHht(kStiffness, 0, {1e-3, 0}, alpha, kStep, steps)[0];
    };
    // The root is multiple, so n steps also leave a power of n.
    EXPECT_NEAR(std::sqrt(std::abs(scalar(302) / scalar(300))), (1 + alpha) / (1 - alpha), 0.025);
    const BodyState end = DirectSteps(system, OnOneSpringAt(system, 1e-3, 0), 6 * kStep, kStep,
                                      {"hht", fmt::format("alpha={}", alpha)})
                              .end.front();
    EXPECT_NEAR(end.position.z, scalar(6), 1e-11) << alpha;
  }
}

// On x'' = -rate^2 x: the published estimate of the error of a step over that error, in the first step and in the second.
std::array<double, 2> RatiosOfEstimate(double rate, double step, double start_x, double start_v) {
  const System system = OnOneSpring(JointType::kPrismatic, 2 * rate * rate, 0);
  const auto f = Index3DirectEntry().prepare(system, {"hht"});
  auto& stepper = *f->time_stepper();
  EXPECT_TRUE(
      stepper.Start(0, OnOneSpringAt(system, start_x, start_v), {.step = step, .end_time = 1})
          .ok());
  std::array<double, 2> ratios{};
  for (double& ratio : ratios) {
    const double x = stepper.y()[2], v = stepper.y()[9];
    const double estimate = stepper.Step(1).error_estimate * std::sqrt(6.);
    const double exact = x * std::cos(rate * step) + v / rate * std::sin(rate * step);
    ratio = estimate / std::abs(stepper.y()[2] - exact);
  }
  return ratios;
}

// The published estimate takes a as the acceleration at the begin of the step. That holds in the first step; later it belongs to
// t_n + alpha h, and the estimate is too large by (beta - 1/(6(1 + alpha)))/(beta + alpha/2 - 1/6).
constexpr double kAlphaOfEstimate = -0.3, kBetaOfEstimate = 1.3 * 1.3 / 4;
constexpr double kTooLarge = (kBetaOfEstimate - 1 / (6 * (1 + kAlphaOfEstimate))) /
                             (kBetaOfEstimate + kAlphaOfEstimate / 2 - 1. / 6);

TEST(Index3Direct, PublishedErrorEstimateOfHhtIsTheLocalErrorFirstAndLaterTooLargeByAKnownFactor) {
  const auto [first, second] = RatiosOfEstimate(5, 1e-3, 0.3, -1);
  EXPECT_NEAR(first, 1, 0.05);
  EXPECT_NEAR(kTooLarge, 1.74, 5e-3);
  EXPECT_NEAR(second, kTooLarge, 0.05);
}

// In the prototype 0.982, 0.991, 0.995 at 20, 10, 5 ms on x = cos(2 t + 1), with the a of the exact motion at t_n + alpha h. That of
// the second step differs from it by O(h^2), and the ratios by O(h).
TEST(Index3Direct, EstimateWithoutThatFactorNearsTheLocalErrorOfHhtWithTheStep) {
  const double prototype[] = {0.982, 0.991, 0.995},
               by_the_scalar_method[] = {0.97967, 0.98908, 0.99434};
  for (int k = 0; k < 3; ++k) {
    const double ratio =
        RatiosOfEstimate(2, 0.02 / (1 << k), std::cos(1.), -2 * std::sin(1.))[1] / kTooLarge;
    EXPECT_NEAR(ratio, prototype[k], 3e-3);
    EXPECT_NEAR(ratio, by_the_scalar_method[k], 2e-5);
  }
}

// ---- error control

// In displacements alone: positions are on their constraints to a part of the tolerance, velocities leave theirs. A local error of
// order 3 leaves a global one that grows with the power 2/3 of the tolerance.
TEST(Index3Direct, ErrorControlHoldsPositionsToTheToleranceAndLosesVelocities) {
  for (const char* problem : {"dpend18", "fourbar", "pendulum"}) {
    const Problem p = MakeProblem(problem);
    const std::vector<BodyState> exact = TrueEnd(p.system, StartOf(p), 1);
    const auto error = [&](double tolerance) {
      const DirectMotion motion = Controlled(p.system, StartOf(p), 1, tolerance);
      std::printf("  %s at %g: open %.1e, slip %.1e\n", problem, tolerance, motion.open,
                  motion.slip);
      EXPECT_LT(motion.open, 0.1 * tolerance) << problem;
      EXPECT_GT(motion.slip, 50 * tolerance) << problem;
      return Apart(motion.end, exact);
    };
    EXPECT_NEAR(std::log10(error(1e-7) / error(1e-9)), 4. / 3, 0.1) << problem;
  }
}

// The local error falls by the order 3 of the step, so the steps grow in number by the cubic root of the tolerance.
TEST(Index3Direct, NumberOfHhtStepsGrowsWithTheCubicRootOfTheTolerance) {
  const Problem p = MakeProblem("dpend18");
  const auto steps = [&](double tolerance) {
    return static_cast<double>(
        Controlled(p.system, StartOf(p), 1, tolerance).report.counters.steps);
  };
  EXPECT_NEAR(std::log10(steps(1e-10) / steps(1e-7)), 1, 0.1);
}

TEST(Index3Direct, ErrorControlKeepsTheMatrixAndFixedStepsDoNot) {
  const Problem p = MakeProblem("dpend18");
  const WorkCounters controlled = Controlled(p.system, StartOf(p), 1, 1e-6).report.counters;
  EXPECT_LT(2 * controlled.factorisations, controlled.newton_iterations);
  EXPECT_EQ(controlled.jacobians, controlled.factorisations);
  const WorkCounters fixed = DirectSteps(p.system, StartOf(p), 1, 1e-2).report.counters;
  EXPECT_EQ(fixed.factorisations, fixed.newton_iterations);
  EXPECT_LE(fixed.newton_iterations, 4 * fixed.steps);
}

// At the default of vendors.
TEST(Index3Direct, ControlledStepsAtAToleranceOfOneThousandthChangeTheEnergyVisibly) {
  const Problem p = MakeProblem("pendulum");
  const double start = EnergyOf(p.system, StartOf(p).bodies).total();
  for (const char* variant : {"hht", "i3"}) {
    const auto lost = [&](double tolerance) {
      const auto end = Controlled(p.system, StartOf(p), p.end_time, tolerance, {variant}).end;
      return (start - EnergyOf(p.system, end).total()) / p.energy_reference;
    };
    const double loose = lost(1e-3), tight = lost(1e-7);
    std::printf("  %s: %.1e of the energy, %.1e\n", variant, loose, tight);
    EXPECT_GT(std::abs(loose), 1e-3) << variant;
    EXPECT_LT(std::abs(tight), 1e-2 * std::abs(loose)) << variant;
  }
}

// ---- backward differentiation formulas

// Their errors at fixed steps, at the end of three halvings. Positions are on their constraints and, of si2, velocities too.
void ExpectBdfOrders(const System& system, const SystemState& state, double end,
                     const std::array<double, 5>& steps) {
  const std::vector<BodyState> exact = TrueEnd(system, state, end);
  for (const char* variant : {"i3", "si2"}) {
    for (int order = 1; order <= 5; ++order) {
      const MethodOptions options{variant, fmt::format("order={}", order)};
      const double step = steps[static_cast<std::size_t>(order - 1)];
      const DirectMotion coarse = DirectSteps(system, state, end, step, options),
                         fine = DirectSteps(system, state, end, step / 2, options);
      const double error = Apart(fine.end, exact),
                   observed = std::log2(Apart(coarse.end, exact) / error);
      std::printf("  %s, order %d: error %.1e, observed %.2f, open %.1e, slip %.1e\n", variant,
                  order, error, observed, fine.open, fine.slip);
      EXPECT_NEAR(observed, order, 0.15 + 0.05 * order) << variant;
      EXPECT_LT(fine.open, 1e-10) << variant;
      if (variant == std::string("si2")) {
        EXPECT_LT(fine.slip, 1e-9);
      }
    }
  }
}

TEST(Index3Direct, BdfOfOrders1To5ConvergeOnAPendulum) {
  const Problem p = MakeProblem("pendulum");
  ExpectBdfOrders(p.system, StartOf(p), 0.5, {1e-3, 2e-3, 4e-3, 1e-2, 1e-2});
}
TEST(Index3Direct, BdfOfOrders1To5ConvergeOnAFourBar) {
  const Problem p = MakeProblem("fourbar");
  ExpectBdfOrders(p.system, StartOf(p), 0.05, {2e-5, 2.5e-4, 5e-4, 5e-4, 5e-4});
}
TEST(Index3Direct, BdfOfOrders1To5ConvergeOnAHeavyTop) {
  const Problem p = MakeProblem("heavytop");
  ExpectBdfOrders(p.system, StartOf(p), 0.05, {2e-5, 1e-4, 2e-4, 4e-4, 5e-4});
}
TEST(Index3Direct, BdfConvergeOnATreeOfAllJointsWithSpringsDampersAndLoads) {
  RandomSystem random(31);
  const System system = random.Tree();
  ExpectBdfOrders(system, random.MakeState(system), 0.05, {5e-4, 5e-4, 1e-3, 2e-3, 2e-3});
}

// x'' = -x by the formula of order 2 with equal steps, in closed form; the point before the start is on the parabola there.
TEST(Index3Direct, OneFreedomMovesByTheScalarBdfToRoundOff) {
  constexpr double kRate = 3, kStep = 0.05;
  const System system = OnOneSpring(JointType::kPrismatic, 2 * kRate * kRate, 0);
  const auto f = Index3DirectEntry().prepare(system, {"i3", "order=2"});
  auto& stepper = *f->time_stepper();
  ASSERT_TRUE(
      stepper.Start(0, OnOneSpringAt(system, 0.3, -0.4), {.step = kStep, .end_time = 10}).ok());
  // (x, v) at two points.
  const std::size_t past = stepper.y().size() - 6 * 14;
  std::array<double, 2> before{stepper.y()[past + 2], stepper.y()[past + 9]}, now{0.3, -0.4};
  EXPECT_NEAR(before[0], 0.3 + 0.4 * kStep - kStep * kStep / 2 * kRate * kRate * 0.3, 1e-15);
  for (int n = 0; n < 20; ++n) {
    // 3/2 y - 2 y_n + 1/2 y_n-1 = h y'
    const double x = 2 * now[0] - 0.5 * before[0], v = 2 * now[1] - 0.5 * before[1];
    const double end_x = (1.5 * x + kStep * v) / (2.25 + kStep * kStep * kRate * kRate);
    before = now;
    now = {end_x, (1.5 * end_x - x) / kStep};
    ASSERT_TRUE(stepper.Step(10).status.ok());
    EXPECT_NEAR(stepper.y()[2], now[0], 1e-12);
    EXPECT_NEAR(stepper.y()[9], now[1], 1e-11);
  }
}

// Under error control in displacements i3 loses velocities, and si2 does not.
TEST(Index3Direct, ControlledI3LosesVelocitiesAndSi2HoldsThem) {
  for (const char* problem : {"dpend18", "fourbar", "pendulum", "chainN3d:bodies=4"}) {
    const Problem p = MakeProblem(problem);
    const double end = 0.5;
    const std::vector<BodyState> exact = TrueEnd(p.system, StartOf(p), end);
    for (const char* variant : {"i3", "si2"}) {
      double before = INFINITY;
      for (const double tolerance : {1e-5, 1e-9}) {
        const DirectMotion motion = Controlled(p.system, StartOf(p), end, tolerance, {variant});
        const double error = Apart(motion.end, exact);
        const WorkCounters& work = motion.report.counters;
        std::printf(
            "  %s %s at %g: error %.1e, open %.1e, slip %.1e, %d steps, %d rejected, %d lu\n",
            problem, variant, tolerance, error, motion.open, motion.slip,
            static_cast<int>(work.steps), static_cast<int>(work.rejected_steps),
            static_cast<int>(work.factorisations));
        EXPECT_LT(error, before / 50) << problem << variant;
        EXPECT_LT(motion.open, tolerance) << problem << variant;
        if (variant == std::string("si2")) {
          EXPECT_LT(motion.slip, 10 * tolerance) << problem;
        } else {
          EXPECT_GT(motion.slip, 3 * motion.open) << problem;
        }
        before = error;
      }
    }
  }
}

TEST(Index3Direct, AnOrderBelongsToABdf) {
  const Problem p = MakeProblem("pendulum");
  const auto refusal = [&](const MethodOptions& options) -> std::string {
    try {
      Index3DirectEntry().prepare(p.system, options);
    } catch (const ModelError& error) {
      return error.what();
    }
    return "";
  };
  EXPECT_EQ(refusal({"i3", "order=3"}), "");
  EXPECT_EQ(
      refusal({"hht", "order=3"}),
      "option 'order' of method 'index3-direct' has no effect with 'hht': give 'i3' or 'si2'.");
}

// ---- bad input

// A crank of length 1 is to follow, at a distance of 0.5, a slider that leaves its reach.
TEST(Index3Direct, EndsWithTheJointWhereADriverLeavesTheReachOfALoop) {
  System system;
  system.gravity = {};
  Body body;
  body.mass = 1;
  body.inertia = Diagonal(0.1, 0.1, 0.1);
  body.name = "crank";
  system.bodies = {body, body};
  system.bodies[1].name = "slider";
  Joint hinge, guide, rod;
  hinge.type = JointType::kRevolute;
  hinge.child_frame.position = {-1, 0, 0};
  guide.type = JointType::kPrismatic;  // along x
  guide.parent_frame.orientation = Normalised({1, 0, 1, 0});
  guide.child_frame.orientation = guide.parent_frame.orientation;
  guide.child = 1;
  rod.type = JointType::kDistance;
  rod.parent = 0, rod.child = 1, rod.length = 0.5;
  system.joints = {hinge, guide};
  system.loop_joints = {rod};
  Driver driver;
  driver.joint = 1;
  driver.motion.rate = 0.1;
  system.drivers = {driver};
  const double angle = std::acos((1 + 1.2 * 1.2 - 0.25) / 2.4);
  // d/dt |c - s|^2 = 0 gives the rate of the crank.
  const double rate = 0.1 * (std::cos(angle) - 1.2) / (-1.2 * std::sin(angle));
  const JointState joints{{angle, 1.2}, {-rate, 0.1}};
  SystemState state{joints, ForwardKinematics(system, joints)};
  const auto f = Index3DirectEntry().prepare(system, {"hht"});
  auto& stepper = *f->time_stepper();
  ASSERT_TRUE(stepper.Start(0, state, {.tolerance = 1e-4, .end_time = 10}).ok());
  Status status;
  while (status.ok() && stepper.time() < 10) status = stepper.Step(10).status;
  EXPECT_NEAR(stepper.time(), 3, 0.1);
  EXPECT_EQ(status.code, Status::Code::kSingular) << status.what;
  EXPECT_EQ(status.joint, 2);
}

// The angle of the driver is not a number from t = 2 s on.
TEST(Index3Direct, EndsWithNewtonFailedAtTheLeastStepAndNamesTheBody) {
  System system = OnOneSpring(JointType::kRevolute, 1, 0);
  Driver driver;
  driver.motion.kind = MotionKind::kArcsine;
  driver.motion.terms.resize(1);
  driver.motion.terms[0].kind = MotionKind::kPolynomial;
  driver.motion.terms[0].coefficients = {0, 0.5};
  system.drivers = {driver};
  const auto f = Index3DirectEntry().prepare(system, {"hht"});
  auto& stepper = *f->time_stepper();
  ASSERT_TRUE(
      stepper.Start(0, OnOneSpringAt(system, 0, 0.5), {.tolerance = 1e-3, .end_time = 10}).ok());
  Status status;
  while (status.ok() && stepper.time() < 10) status = stepper.Step(10).status;
  EXPECT_NEAR(stepper.time(), 2, 2e-3);
  EXPECT_EQ(status.code, Status::Code::kNotConverged);
  EXPECT_EQ(status.body, 0);
  EXPECT_STREQ(status.what, "Newton's method does not converge with the least step");
}

TEST(Index3Direct, StepsDoNotDependOnTheUnitOfLength) {
  const Problem p = MakeProblem("chainN3d:bodies=4");
  const System scaled = InMillimetres(p.system);
  const auto steps = [](const System& system, const SystemState& state, double length) {
    const auto f = Index3DirectEntry().prepare(system, {"hht"});
    auto& stepper = *f->time_stepper();
    EXPECT_TRUE(
        stepper.Start(0, state, {.tolerance = 1e-5, .end_time = 0.2, .length = length}).ok());
    while (stepper.time() < 0.2 && stepper.Step(0.2).status.ok()) {
    }
    return stepper.counters().steps;
  };
  const SystemState state = StartOf(p);
  const auto in_metres = steps(p.system, state, p.length);
  EXPECT_EQ(steps(scaled, InMillimetres(state), kMillimetres * p.length), in_metres);
}

}  // namespace
}  // namespace mbsbench
