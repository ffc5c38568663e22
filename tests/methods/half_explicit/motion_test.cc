// The steps compared with motions by a method in joint coordinates, which shares no equation with this one, and with the
// classical method where there are no constraints.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "harness/integrate/integrate.h"
#include "methods/articulated_body/articulated_body.h"
#include "methods/half_explicit/half_explicit.h"
#include "methods/half_explicit/tableau.h"
#include "methods/kinematics/absolute_constraints.h"
#include "problems/catalog/catalog.h"
#include "problems/model/eigen.h"
#include "problems/model/kinematics.h"
#include "tests/methods/cartesian_dae/random_system.h"
#include "tests/support/stepped_motion.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

struct SteppedMotion {
  std::vector<BodyState> end;
  double open = 0, slip = 0;  // rows of constraints on positions and velocities there, the largest
  IntegrationReport report;
};

SteppedMotion RunSteps(Formulation& f, const System& system, const SystemState& state,
                       const IntegrationSettings& settings) {
  SteppedMotion motion;
  Sampling sampling;
  sampling.times = {settings.end_time};
  absolute::AbsoluteConstraints constraints(system);
  constraints.Start(0, state.joints);
  sampling.sink = [&](double t, std::span<const double> y, double) {
    Observation o;
    ASSERT_TRUE(f.Observe(t, y, Detail::kMotion, o).ok());
    motion.end = o.bodies;
    constraints.SetTime(t);
    const std::vector<absolute::BodyMotion> bodies = absolute::MotionsOf(o.bodies);
    for (const absolute::JointConstraints& joint : constraints.joints()) {
      absolute::ConstraintValues rows;
      joint.Evaluate(absolute::MotionOf(bodies, joint.parent()),
                     absolute::MotionOf(bodies, joint.child()), false, rows);
      for (int i = 0; i < joint.size(); ++i) {
        Raise(motion.open, std::abs(rows.position[i]));
        Raise(motion.slip, std::abs(rows.velocity[i]));
      }
    }
  };
  motion.report = Integrate(f, state, settings, sampling);
  EXPECT_EQ(motion.report.outcome, IntegrationReport::Outcome::kOk) << motion.report.reason;
  return motion;
}

SteppedMotion HalfExplicitSteps(const System& system, const SystemState& state, double end,
                                double step, const MethodOptions& options) {
  const auto f = HalfExplicitEntry().prepare(system, options);
  IntegrationSettings settings;
  settings.integrator = "own", settings.end_time = end, settings.step = step;
  return RunSteps(*f, system, state, settings);
}
std::vector<BodyState> ReferenceEnd(const System& system, const SystemState& state, double end) {
  const auto f = ArticulatedBodyEntry().prepare(system, {"projected"});
  IntegrationSettings settings;
  settings.integrator = "fehlberg8", settings.end_time = end, settings.tolerance = 1e-13;
  return RunSteps(*f, system, state, settings).end;
}
std::string OrderOption(int order) { return "order=" + std::to_string(order); }

// Positions and velocities at the end fall by the order of the method over halvings of the step; velocities are on the
// constraints, and positions drift off them by that order too.
void ExpectItsOrder(const System& system, const SystemState& state, double end,
                    const std::array<double, 3>& steps, std::size_t halvings = 3) {
  const std::vector<BodyState> exact = ReferenceEnd(system, state, end);
  for (const int order : {2, 3, 4}) {
    std::vector<double> error, open;
    for (std::size_t k = 0; k <= halvings; ++k) {
      const double step = steps[static_cast<std::size_t>(order - 2)] / (1 << k);
      const SteppedMotion motion =
          HalfExplicitSteps(system, state, end, step, {OrderOption(order)});
      error.push_back(Apart(motion.end, exact));
      open.push_back(motion.open);
      // In loops the rows that are left out hold to the gap of positions.
      if (system.loop_joints.empty()) {
        EXPECT_LT(motion.slip, 1e-11) << order;
      }
    }
    const auto observed = [halvings](const std::vector<double>& of) {
      return std::log2(of.front() / of.back()) / static_cast<double>(halvings);
    };
    std::printf("  order %d: errors %.2e to %.2e, %.3f; open %.1e\n", order, error.front(),
                error.back(), observed(error), open.back());
    EXPECT_NEAR(observed(error), order, 0.1);
    EXPECT_NEAR(std::log2(error[halvings - 1] / error[halvings]), order, 0.1);
    if (open.back() > 1e-12) {
      EXPECT_GT(observed(open), order - 0.2);
    }
  }
}

struct OrderCase {
  const char* problem;
  double end;
  std::array<double, 3> steps;  // the coarsest, by order
  std::size_t halvings = 3;
};
class HalfExplicitOrder : public testing::TestWithParam<OrderCase> {};
INSTANTIATE_TEST_SUITE_P(All, HalfExplicitOrder,
                         testing::Values(OrderCase{"heavytop", 0.2, {5e-4, 1e-3, 1e-3}},
                                         OrderCase{"dzhanibekov", 2, {5e-3, 1e-2, 2e-2}},
                                         OrderCase{"chainN3d:bodies=4", 0.6, {1e-3, 2e-3, 4e-3}},
                                         OrderCase{"fourbar", 0.3, {5e-4, 2e-3, 2e-4}, 1},
                                         OrderCase{"kapitza", 0.2, {2e-4, 5e-4, 1e-3}},
                                         OrderCase{"bricard", 0.5, {2e-3, 5e-3, 1e-2}},
                                         OrderCase{"sliders", 0.5, {1e-3, 5e-3, 2.5e-3}}),
                         [](const auto& c) {
                           const std::string name = c.param.problem;
                           return name.substr(0, name.find(':'));
                         });

TEST_P(HalfExplicitOrder, ConvergesToTheMotionInJointCoordinates) {
  const Problem p = MakeProblem(GetParam().problem);
  ExpectItsOrder(p.system, StartOf(p), GetParam().end, GetParam().steps, GetParam().halvings);
}

TEST(HalfExplicit, TreeOfAllJointsWithSpringsDampersAndLoadsConvergesWithItsOrder) {
  RandomSystem random(31);
  const System system = random.Tree();
  ExpectItsOrder(system, random.MakeState(system), 0.2, {1e-3, 2e-3, 4e-3});
}

TEST(HalfExplicit, IteratesNothingAndSolvesOneSystemPerStage) {
  const Problem p = MakeProblem("fourbar");
  for (const int order : {2, 3, 4}) {
    const WorkCounters work =
        HalfExplicitSteps(p.system, StartOf(p), 0.1, 1e-3, {OrderOption(order)}).report.counters;
    const int stages = half_explicit::TableauOf(order).stages;
    EXPECT_EQ(work.newton_iterations, 0);
    EXPECT_EQ(work.factorisations, stages * work.steps);
    EXPECT_EQ(work.evaluations, stages * work.steps);
    EXPECT_EQ(work.projections, 0);
  }
}

TEST(HalfExplicit, ProjectionClosesPositionsAndKeepsTheOrder) {
  const Problem p = MakeProblem("fourbar");
  const SystemState start = StartOf(p);
  const auto exact = ReferenceEnd(p.system, start, 0.5);
  const auto with = [&](const char* option, double step) {
    MethodOptions options{"order=3"};
    if (*option != 0) options.emplace_back(option);
    return HalfExplicitSteps(p.system, start, 0.5, step, options);
  };
  const SteppedMotion drifting = with("", 2e-3), coarse = with("position-projection", 2e-3),
                      fine = with("position-projection", 1e-3);
  EXPECT_GT(drifting.open, 1e-9);
  EXPECT_LT(coarse.open, 1e-12);
  EXPECT_LT(coarse.slip, 1e-11);
  EXPECT_EQ(coarse.report.counters.projections, coarse.report.counters.steps);
  EXPECT_NEAR(std::log2(Apart(coarse.end, exact) / Apart(fine.end, exact)), 3, 0.15);
}

// That of a step, which falls by the order of the method, whose weights it compares with those of one order less.
TEST(HalfExplicit, ErrorEstimateFallsByTheOrder) {
  const Problem p = MakeProblem("chainN3d:bodies=4");
  for (const int order : {2, 3, 4}) {
    const auto estimate = [&](double step) {
      const auto report =
          HalfExplicitSteps(p.system, StartOf(p), 0.2, step, {OrderOption(order)}).report;
      return report.largest_error_estimate.value_or(0);
    };
    const double coarse = estimate(4e-3);
    EXPECT_LT(coarse, 1e-2);
    EXPECT_NEAR(std::log2(coarse / estimate(2e-3)), order, 0.2);
  }
}

// Without constraints the rotation of a body is the classical method in the vector of its rotation: here the midpoint rule.
TEST(HalfExplicit, FreeBodyMovesByTheMidpointRuleInItsRotationVector) {
  const Problem p = MakeProblem("dzhanibekov");
  const SystemState start = StartOf(p);
  constexpr double kStep = 0.01;
  const BodyState end = HalfExplicitSteps(p.system, start, kStep, kStep, {"order=2"}).end.front();
  const Eigen::Matrix3d J = ToEigen(p.system.bodies[0].inertia);
  const auto accelerated = [&J](const Eigen::Vector3d& omega) -> Eigen::Vector3d {
    return J.ldlt().solve(-omega.cross(J * omega));
  };
  const auto spin = [](const BodyState& body) {
    return ToEigen(Rotate(Conjugate(body.orientation), body.angular_velocity));
  };
  const Eigen::Vector3d begin = spin(start.bodies[0]),
                        middle = begin + kStep / 2 * accelerated(begin);
  EXPECT_LT((spin(end) - begin - kStep * accelerated(middle)).norm(), 1e-13 * begin.norm());
}

TEST(HalfExplicit, StepsDoNotDependOnTheUnitOfLength) {
  const Problem p = MakeProblem("chainN3d:bodies=4");
  const System scaled = InMillimetres(p.system);
  const SystemState state = StartOf(p);
  const SteppedMotion in_metres = HalfExplicitSteps(p.system, state, 0.2, 0.01, {"order=4"});
  const SteppedMotion in_millimetres =
      HalfExplicitSteps(scaled, InMillimetres(state), 0.2, 0.01, {"order=4"});
  EXPECT_NEAR(
      *in_metres.report.largest_error_estimate / *in_millimetres.report.largest_error_estimate, 1,
      1e-6);
  for (std::size_t b = 0; b < in_metres.end.size(); ++b) {
    const BodyState &one = in_metres.end[b], &other = in_millimetres.end[b];
    EXPECT_LT(Norm(1 / kMillimetres * other.position - one.position), 1e-11);
    EXPECT_LT(Norm(other.angular_velocity - one.angular_velocity), 1e-10);
  }
}

}  // namespace
}  // namespace mbsbench
