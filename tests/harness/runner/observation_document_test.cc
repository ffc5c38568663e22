#include "harness/runner/trials/acceleration_trial.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstring>

namespace mbsbench {
namespace {

// A reaction whose padding holds `filler`.
Observation WithPadding(int filler) {
  Observation observation;
  observation.reactions.resize(2);
  std::memset(static_cast<void*>(observation.reactions.data()), filler,
              observation.reactions.size() * sizeof(JointReaction));
  for (JointReaction& reaction : observation.reactions) {
    reaction.force = {1, -0., NAN};
    reaction.torque = {INFINITY, 1e-310, 3};
    reaction.unique = {};
    reaction.unique[4] = &reaction == &observation.reactions[0];
  }
  return observation;
}

TEST(ObservationDocument, HoldsNoBytesOfPadding) {
  EXPECT_EQ(ToJson(WithPadding(0)), ToJson(WithPadding(0xab)));
}

TEST(ObservationDocument, KeepsEveryBitOfEachNumber) {
  Observation sent = WithPadding(0);
  sent.bodies.resize(1);
  sent.bodies[0].position = {1. / 3, -INFINITY, NAN};
  sent.accelerations = {{{1e300, 2, 3}, {4, 5, -6}}};
  sent.drivers = {{1, 2, 3, 0.1}};
  const Observation received = ObservationFrom(ToJson(sent));
  EXPECT_EQ(ToJson(sent), ToJson(received));
  ASSERT_EQ(2u, received.reactions.size());
  EXPECT_TRUE(std::signbit(received.reactions[0].force.y));
  EXPECT_TRUE(std::isnan(received.reactions[0].force.z));
  EXPECT_EQ(1e-310, received.reactions[1].torque.y);
  EXPECT_EQ(sent.reactions[0].unique, received.reactions[0].unique);
  EXPECT_EQ(sent.reactions[1].unique, received.reactions[1].unique);
  EXPECT_FALSE(received.reactions[1].unique[4]);
  EXPECT_EQ(1. / 3, received.bodies.at(0).position.x);
  EXPECT_EQ(-6, received.accelerations.at(0).angular_acceleration.z);
  EXPECT_EQ(0.1, received.drivers.at(0).effort);
}

}  // namespace
}  // namespace mbsbench
