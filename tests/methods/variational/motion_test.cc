// The steps compared with motions by a method in joint coordinates, which shares no equation with this one, and
// with conserved quantities.
#include <gtest/gtest.h>

#include <cmath>

#include "harness/integrate/integrate.h"
#include "methods/articulated_body/articulated_body.h"
#include "methods/variational/variational.h"
#include "problems/catalog/catalog.h"
#include "problems/model/kinematics.h"
#include "tests/methods/cartesian_dae/random_system.h"
#include "tests/support/stepped_motion.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

struct Motion {
  std::vector<BodyState> end;
  double drift = 0;  // of constraints, position and velocity
};

Motion Run(Formulation& f, const System& system, const SystemState& state, IntegrationSettings s) {
  Motion motion;
  Sampling sampling;
  sampling.times = {0, s.end_time};
  sampling.sink = [&](double t, std::span<const double> y, double) {
    Observation o;
    ASSERT_TRUE(f.Observe(t, y, Detail::kMotion, o).ok());
    const ConstraintResidual c = ConstraintResiduals(system, o.bodies, 1, 0.3);
    Raise(motion.drift, {c.position, c.velocity});
    motion.end = o.bodies;
  };
  const IntegrationReport report = Integrate(f, state, s, sampling);
  EXPECT_EQ(report.outcome, IntegrationReport::Outcome::kOk) << report.reason;
  return motion;
}

Motion Stepped(const System& system, const SystemState& state, double end, double step) {
  const auto f = VariationalEntry().prepare(system, {});
  IntegrationSettings settings;
  settings.integrator = "own", settings.end_time = end, settings.step = step;
  return Run(*f, system, state, settings);
}
Motion Exact(const System& system, const SystemState& state, double end) {
  const auto f = ArticulatedBodyEntry().prepare(system, {"projected"});
  IntegrationSettings settings;
  settings.integrator = "fehlberg8", settings.end_time = end, settings.tolerance = 1e-12;
  return Run(*f, system, state, settings);
}

// Positions and rates at the end, both of the stated order.
void ExpectSecondOrder(const System& system, const SystemState& state, double end, double step,
                       double bound) {
  const Motion exact = Exact(system, state, end);
  const Motion coarse = Stepped(system, state, end, step),
               fine = Stepped(system, state, end, step / 2);
  ASSERT_EQ(exact.end.size(), fine.end.size());
  const double error = Apart(fine.end, exact.end);
  EXPECT_LT(error, bound);
  EXPECT_NEAR(std::log2(Apart(coarse.end, exact.end) / error), 2, 0.1) << error;
  EXPECT_LT(fine.drift, 1e-11);
}

struct Case {
  const char* problem;
  double end, step, bound;
};
class SecondOrder : public testing::TestWithParam<Case> {};
INSTANTIATE_TEST_SUITE_P(Variational, SecondOrder,
                         testing::Values(Case{"dpend18", 0.5, 1e-3, 2e-6},
                                         Case{"heavytop", 0.2, 5e-4, 5e-3},
                                         Case{"fourbar", 0.5, 1e-3, 1e-2},  // 3.2e-3
                                         Case{"kapitza", 0.2, 1e-4, 2e-6},
                                         Case{"bricard", 0.5, 1e-3, 4e-7},
                                         Case{"sliders", 0.5, 1e-3, 1e-4}),
                         [](const auto& c) { return std::string(c.param.problem); });

TEST_P(SecondOrder, ConvergesToTheMotionInJointCoordinates) {
  const Problem p = MakeProblem(GetParam().problem);
  const SystemState state = StartOf(p);
  ExpectSecondOrder(p.system, state, GetParam().end, GetParam().step, GetParam().bound);
}

TEST(Variational, TreeOfAllJointsWithSpringsDampersAndLoadsConvergesWithSecondOrder) {
  RandomSystem random(31);
  const System system = random.Tree();
  ExpectSecondOrder(system, random.MakeState(system), 0.2, 1e-3, 5e-5);
}

TEST(Variational, IsStableWithDampersFasterThanTheSteps) {
  RandomSystem random(31);
  System system = random.Tree();
  system.forces.Of<JointSpringDamper>()[0].damping = 1e5;
  const SystemState state = random.MakeState(system);
  const std::vector<BodyState> end = Stepped(system, state, 0.1, 1e-3).end;
  ASSERT_FALSE(end.empty());
  for (const BodyState& body : end) EXPECT_LT(Norm(body.angular_velocity), 20);
}

TEST(Variational, StepsWithReversedRatesReturnToTheStart) {
  const Problem p = MakeProblem("dpend18");
  const SystemState start = StartOf(p);
  SystemState end{{}, Stepped(p.system, start, 0.2, 1e-3).end};
  end.joints = start.joints;  // the method starts from the absolute motion
  for (BodyState& body : end.bodies)
    body.velocity = -1 * body.velocity, body.angular_velocity = -1 * body.angular_velocity;
  const std::vector<BodyState> back = Stepped(p.system, end, 0.2, 1e-3).end;
  for (std::size_t b = 0; b < back.size(); ++b) {
    EXPECT_LT(Norm(back[b].position - start.bodies[b].position), 1e-11);
    EXPECT_LT(Norm(back[b].velocity + start.bodies[b].velocity), 1e-10);
  }
}

TEST(Variational, ConservesTheAngularMomentumOfAFreeBodyToRoundOff) {
  const Problem p = MakeProblem("dzhanibekov");
  const SystemState start = StartOf(p);
  const auto momentum = [&](const BodyState& at) {
    return Rotate(at.orientation, p.system.bodies[0].inertia *
                                      Rotate(Conjugate(at.orientation), at.angular_velocity));
  };
  const std::vector<BodyState> end = Stepped(p.system, start, 2, 1e-3).end;
  const Vector3 before = momentum(start.bodies[0]);
  EXPECT_LT(Norm(momentum(end[0]) - before), 1e-11 * Norm(before));
  EXPECT_GT(Apart(end, start.bodies), 1e-3) << "it has to move, or this sees nothing";
}

}  // namespace
}  // namespace mbsbench
