// cartesian-dae:index1: absolute coordinates as an ODE with projection.
#include <gtest/gtest.h>

#include <cmath>

#include "methods/cartesian_dae/cartesian_dae.h"
#include "problems/model/kinematics.h"
#include "problems/test_systems/random_loops.h"
#include "tests/support/allocation_counter.h"

namespace mbsbench {
namespace {

struct Prepared {
  std::unique_ptr<Formulation> formulation;
  std::vector<double> y;

  OdeFormulation& ode() const { return static_cast<OdeFormulation&>(*formulation); }
  Observation Observe() const {
    Observation observation;
    EXPECT_TRUE(formulation->Observe(0, y, Detail::kReactions, observation).ok());
    return observation;
  }
};

RandomTree Loops(int k) {
  RandomLoopOptions options;
  options.loops = 1 + k % 3;
  options.tree.bodies = 5 + k;
  return MakeRandomLoops(static_cast<std::uint64_t>(700 + k), options);
}

Prepared Prepare(const RandomTree& random) {
  Prepared prepared;
  prepared.formulation = CartesianDaeEntry().prepare(random.system, {"index1"});
  prepared.y.resize(prepared.formulation->state_size());
  EXPECT_TRUE(prepared.formulation->Initialise(0, random.state, prepared.y).ok());
  return prepared;
}

void Disturb(RandomNumbers& random, double size, std::vector<double>& y) {
  for (double& value : y) value += random.Between(-size, size);
}

TEST(CartesianIndex1, ProjectionClosesAllJointsToRoundOffInPositionAndVelocity) {
  RandomNumbers numbers(1);
  for (int k = 0; k < 20; ++k) {
    const RandomTree random = Loops(k);
    Prepared p = Prepare(random);
    Disturb(numbers, 1e-4, p.y);
    const auto open = ConstraintResiduals(random.system, p.Observe().bodies, 1, 1);
    EXPECT_GT(open.position, 1e-6);
    ASSERT_TRUE(p.formulation->projection()->Project(0, p.y).ok());
    const auto closed = ConstraintResiduals(random.system, p.Observe().bodies, 1, 1);
    EXPECT_LT(closed.position, 1e-13) << k;
    EXPECT_LT(closed.velocity, 1e-12) << k;
  }
}

// Otherwise a timed integration would do different work from the one that was observed and judged.
TEST(CartesianIndex1, AnEvaluationDependsOnlyOnTheStateAndNotOnEarlierCalls) {
  RandomNumbers numbers(2);
  for (int k = 0; k < 10; ++k) {
    const RandomTree random = Loops(k);
    Prepared p = Prepare(random);
    std::vector<double> far = p.y, first(p.y.size()), other(p.y.size()), again(p.y.size());
    Disturb(numbers, 0.5, far);
    ASSERT_TRUE(p.ode().Evaluate(0, p.y, first).ok());
    p.ode().Evaluate(0, far, other);
    if (HasPower* const power = p.formulation->power()) power->Power(0, far);
    p.Observe();
    ASSERT_TRUE(p.ode().Evaluate(0, p.y, again).ok());
    EXPECT_EQ(first, again) << k;
  }
}

TEST(CartesianIndex1, RatesOfTheStateEqualThoseOfTheObservedMotion) {
  const RandomTree random = Loops(3);
  const Prepared p = Prepare(random);
  std::vector<double> rates(p.y.size());
  ASSERT_TRUE(p.ode().Evaluate(0, p.y, rates).ok());
  const Observation observed = p.Observe();
  for (std::size_t b = 0; b < random.system.bodies.size(); ++b) {
    const double* const at = rates.data() + 13 * b;
    const BodyState& body = observed.bodies[b];
    EXPECT_LT(Norm(Vector3{at[0], at[1], at[2]} - body.velocity), 1e-14);
    const Quaternion& q = body.orientation;
    const Vector3& w = body.angular_velocity;  // q' = 1/2 (0, w) * q in inertial axes
    EXPECT_NEAR(at[3], -0.5 * (w.x * q.x + w.y * q.y + w.z * q.z), 1e-14);
    EXPECT_NEAR(at[4], 0.5 * (w.x * q.w + w.y * q.z - w.z * q.y), 1e-14);
    EXPECT_NEAR(at[5], 0.5 * (w.y * q.w + w.z * q.x - w.x * q.z), 1e-14);
    EXPECT_NEAR(at[6], 0.5 * (w.z * q.w + w.x * q.y - w.y * q.x), 1e-14);
    EXPECT_LT(Norm(Vector3{at[7], at[8], at[9]} - observed.accelerations[b].acceleration), 1e-12);
    const Vector3 alpha = Rotate(body.orientation, Vector3{at[10], at[11], at[12]});
    EXPECT_LT(Norm(alpha - observed.accelerations[b].angular_acceleration), 1e-12);
  }
}

TEST(CartesianIndex1, AnEvaluationNearTheStartAllocatesNothing) {
  const RandomTree random = Loops(4);
  const Prepared p = Prepare(random);
  std::vector<double> rates(p.y.size());
  ASSERT_TRUE(p.ode().Evaluate(0, p.y, rates).ok());
  const std::size_t before = allocations;
  for (int i = 0; i < 10; ++i) p.ode().Evaluate(0, p.y, rates);
  EXPECT_EQ(allocations, before);  // nothing is counted under the sanitizers
}

TEST(CartesianIndex1, AStateThatIsNotFiniteIsReportedAsSuch) {
  Prepared p = Prepare(Loops(5));
  p.y[2] = NAN;
  std::vector<double> rates(p.y.size());
  const Status status = p.ode().Evaluate(0, p.y, rates);
  EXPECT_EQ(status.code, Status::Code::kNotFinite);
  EXPECT_TRUE(std::isnan(rates[0]));
}

}  // namespace
}  // namespace mbsbench
