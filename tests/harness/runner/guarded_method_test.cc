// What a guarded method gives is that of the method itself, although another process evaluates it.
#include "harness/runner/process/guarded_method.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "harness/runner/trials/acceleration_trial.h"
#include "tests/harness/toys/toy_methods.h"
#include "tests/support/observed_otherwise.h"

namespace mbsbench {
namespace {

TEST(GuardedMethod, IsObservedToTheLastBit) {
  MethodEntry entry = ToyMethods()[0];
  JointReaction reaction{{1, -0., NAN}, {INFINITY, 1e-310, 3}};
  reaction.unique[4] = false;
  ObserveOtherwise(entry, [&](double, Detail, Observation& observation) {
    observation.bodies.at(0).position = {1. / 3, 2, -0.};
    observation.accelerations.at(0).angular_acceleration = {1e300, 5, -6};
    observation.reactions = {reaction};
    return Status();
  });
  const std::vector<MethodEntry> methods{Guarded(entry, "toy_pendulum.so", 60)};
  const PreparedCell prepared = PrepareCell({"pendulum", entry.key}, methods);
  ASSERT_TRUE(IsGuarded(*prepared.method.entry));
  const Observation seen = ObserveAt(prepared, prepared.initial, Detail::kReactions);
  EXPECT_EQ(1. / 3, seen.bodies.at(0).position.x);
  EXPECT_TRUE(std::signbit(seen.bodies[0].position.z));
  EXPECT_EQ(1e300, seen.accelerations.at(0).angular_acceleration.x);
  EXPECT_EQ(-6, seen.accelerations[0].angular_acceleration.z);
  ASSERT_EQ(1u, seen.reactions.size());
  EXPECT_TRUE(std::signbit(seen.reactions[0].force.y));
  EXPECT_TRUE(std::isnan(seen.reactions[0].force.z));
  EXPECT_EQ(INFINITY, seen.reactions[0].torque.x);
  EXPECT_EQ(1e-310, seen.reactions[0].torque.y);
  EXPECT_EQ(reaction.unique, seen.reactions[0].unique);
}

}  // namespace
}  // namespace mbsbench
