// Projections onto loops are the same in all coordinates: the change of least energy.
#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "harness/runner/cells/method_choice.h"
#include "methods/all_methods.h"
#include "problems/catalog/catalog.h"
#include "problems/model/assembly.h"
#include "problems/model/kinematics.h"
#include "problems/test_systems/random_loops.h"
#include "tests/support/parameter_name.h"

namespace mbsbench {
namespace {

std::vector<BodyState> Projected(const std::string& method, const System& system,
                                 const SystemState& closed, const SystemState& moved) {
  const MethodChoice choice = ChooseMethod(method, AllMethods());
  const auto formulation = Prepare(choice, GivenSystem(system, {.time = 1}));
  std::vector<double> y(formulation->state_size()), there(y.size());
  EXPECT_TRUE(formulation->Initialise(0, closed, y).ok()) << method;
  // At a state with open loops Initialise may find no accelerations; y is filled nevertheless.
  (void)formulation->Initialise(0, moved, there);
  const Status status = formulation->projection()->Project(0, there);
  EXPECT_TRUE(status.ok()) << method << ": " << status.what;
  Observation observation;
  EXPECT_TRUE(formulation->Observe(0, there, Detail::kMotion, observation).ok()) << method;
  return observation.bodies;
}

double Distance(const std::vector<BodyState>& a, const std::vector<BodyState>& b, bool rates) {
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const Vector3 moved = rates ? a[i].velocity - b[i].velocity : a[i].position - b[i].position;
    worst = std::max(worst, Norm(moved));
    if (rates) worst = std::max(worst, Norm(a[i].angular_velocity - b[i].angular_velocity));
  }
  return worst;
}

class ProjectionMetric : public testing::TestWithParam<const char*> {};

TEST_P(ProjectionMetric, IsTheMassMatrixInAbsoluteCoordinatesToo) {
  RandomNumbers random(7);
  for (int k = 0; k < 6; ++k) {
    RandomLoopOptions options;
    options.loops = 1 + k % 3;
    options.tree.bodies = 5 + k;
    const RandomTree tree = MakeRandomLoops(static_cast<std::uint64_t>(900 + k), options);
    SystemState moved = tree.state;
    for (double& u : moved.joints.u) u += random.Between(-1, 1);
    moved.bodies = ForwardKinematics(tree.system, moved.joints);
    const auto ours = Projected(GetParam(), tree.system, tree.state, moved),
               absolute = Projected("cartesian-dae:index1", tree.system, tree.state, moved);
    EXPECT_GT(Distance(moved.bodies, absolute, true), 0.01);
    EXPECT_LT(Distance(ours, absolute, true), 1e-9 * (1 + Distance(moved.bodies, absolute, true)))
        << GetParam() << ", system " << k;
  }
}

INSTANTIATE_TEST_SUITE_P(All, ProjectionMetric,
                         testing::Values("articulated-body", "riccati-mstmm", "classical-mstmm",
                                         "composite-body", "equivalent-particles"),
                         NameOfParameter);

// On a free mechanism the corrections of positions and rates change neither momentum nor angular momentum.
TEST(ProjectionMetric, ConservesTheMomentaOfAFreeMechanism) {
  RandomNumbers random(8);
  int free_systems = 0;
  for (int k = 0; k < 40; ++k) {
    RandomLoopOptions options;
    options.loops = 2;
    options.tree.bodies = 7;
    RandomTree tree = MakeRandomLoops(static_cast<std::uint64_t>(700 + k), options);
    int grounded = 0;
    for (const Joint& joint : tree.system.joints)
      grounded += joint.parent == kGround && joint.type != JointType::kFree ? 1 : 0;
    for (const Joint& joint : tree.system.loop_joints)
      grounded += joint.parent == kGround || joint.child == kGround ? 1 : 0;
    if (grounded > 0) continue;
    ++free_systems;
    SystemState moved = tree.state;
    for (double& u : moved.joints.u) u += random.Between(-1, 1);
    moved.bodies = ForwardKinematics(tree.system, moved.joints);
    const auto after = Projected("articulated-body", tree.system, tree.state, moved);
    Vector3 momentum, spin;
    double size = 0;
    for (std::size_t b = 0; b < after.size(); ++b) {
      const Body& body = tree.system.bodies[b];
      const Vector3 p = body.mass * (after[b].velocity - moved.bodies[b].velocity);
      const Quaternion& turn = after[b].orientation;
      const Vector3 omega =
          Rotate(Conjugate(turn), after[b].angular_velocity - moved.bodies[b].angular_velocity);
      momentum = momentum + p;
      spin = spin + Cross(after[b].position, p) + Rotate(turn, body.inertia * omega);
      size += Norm(p) * (1 + Norm(after[b].position));
    }
    EXPECT_GT(size, 1e-3);
    EXPECT_LT(Norm(momentum) + Norm(spin), 1e-11 * size) << k;
  }
  EXPECT_GT(free_systems, 2);
}

}  // namespace
}  // namespace mbsbench
