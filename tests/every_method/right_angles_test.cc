// Joints at right angles, as people build mechanisms: axes along the axes of bodies or against them,
// frames turned about the axis by any angle, diagonal inertias. Sweeps by runs of like joints have
// kernels of their own for them, which frames turned at random never reach.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "harness/runner/method_choice.h"
#include "methods/all_methods.h"
#include "problems/model/kinematics.h"
#include "reference/reference.h"
#include "tests/support/random_trees.h"
#include "tests/support/worst.h"

namespace mbsbench {
namespace {

Quaternion RightAngles(RandomNumbers& random) {
  const double half = std::sqrt(0.5);
  const Quaternion quarters[] = {{half, half, 0, 0}, {half, 0, half, 0}, {half, 0, 0, half}};
  Quaternion q;
  for (int i = random.Below(5); i > 0; --i) q = q * quarters[random.Below(3)];
  return q;
}

Quaternion AboutZ(RandomNumbers& random) {
  const double angle = random.Below(2) == 0 ? 0 : random.Between(-3, 3);
  return {std::cos(angle / 2), 0, 0, std::sin(angle / 2)};
}

RandomTree MakeTreeAtRightAngles(std::uint64_t seed) {
  RandomTree tree = MakeRandomTree(
      seed,
      {.bodies = 12, .types = {JointType::kRevolute, JointType::kPrismatic, JointType::kBall}});
  RandomNumbers random(seed);
  for (Joint& joint : tree.system.joints) {
    joint.parent_frame.orientation = RightAngles(random) * AboutZ(random);
    joint.child_frame.orientation = RightAngles(random) * AboutZ(random);
  }
  for (Body& body : tree.system.bodies) {
    body.inertia = Diagonal(body.inertia(0, 0), body.inertia(1, 1), body.inertia(2, 2));
  }
  tree.state.bodies = ForwardKinematics(tree.system, tree.state.joints);
  return tree;
}

TEST(EveryMethod, GivesAccelerationsAndReactionsOfTreesAtRightAnglesToTenDigits) {
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    const RandomTree tree = MakeTreeAtRightAngles(seed);
    const ReferenceDynamics truth = ReferenceAccelerations(tree.system, tree.state.joints);
    double largest = 0, most = 0;
    for (const auto& b : truth.accelerations) {
      largest = std::max({largest, Norm(b.acceleration), Norm(b.angular_acceleration)});
    }
    for (const auto& r : truth.reactions) most = std::max({most, Norm(r.force), Norm(r.torque)});
    for (const MethodEntry& entry : AllMethods()) {
      for (const MethodChoice& choice : VariantsOf(entry)) {
        if (!VerdictOf(entry, tree.system, choice.options).supported) continue;
        const auto formulation = entry.prepare(tree.system, choice.options);
        std::vector<double> y(formulation->state_size());
        Observation found;
        ASSERT_TRUE(formulation->Initialise(0, tree.state, y).ok());
        ASSERT_TRUE(formulation->Observe(0, y, Detail::kReactions, found).ok())
            << choice.spec << ", seed " << seed;
        double acceleration = 0, reaction = 0;
        for (std::size_t b = 0; b < truth.accelerations.size(); ++b) {
          const auto& mine = found.accelerations[b];
          const auto& exact = truth.accelerations[b];
          Raise(acceleration, {Norm(mine.acceleration - exact.acceleration),
                               Norm(mine.angular_acceleration - exact.angular_acceleration)});
        }
        for (std::size_t j = 0; j < truth.reactions.size(); ++j) {
          const auto& mine = found.reactions[j];
          const auto& exact = truth.reactions[j];
          Raise(reaction, {Norm(mine.force - exact.force), Norm(mine.torque - exact.torque)});
        }
        EXPECT_LT(acceleration / largest, 1e-10) << choice.spec << ", seed " << seed;
        EXPECT_LT(reaction / most, 1e-10) << choice.spec << ", seed " << seed;
      }
    }
  }
}

}  // namespace
}  // namespace mbsbench
